/**
 * Prints the history that README.md replays, two weeks of a web server's CPU with two incidents:
 *
 *     node --import tsx bench/bands/replay-example.ts > data/replay/cpu.csv
 */

import { cyclesPerDay, cycleMs } from "../../src/model/resolution.ts"
import { gauss, randomFrom } from "./series.ts"

/** A Monday. */
const startMs = Date.UTC(2026, 0, 5)
const days = 14

interface Incident {
  readonly fromMs: number
  readonly toMs: number
  readonly value: number
}

const incidents: readonly Incident[] = [
  // A job that ran away at night: a load that is ordinary at noon.
  { fromMs: Date.UTC(2026, 0, 14, 3, 10), toMs: Date.UTC(2026, 0, 14, 3, 50), value: 55 },
  // No request gets through: the load of a night, in the afternoon.
  { fromMs: Date.UTC(2026, 0, 16, 14, 20), toMs: Date.UTC(2026, 0, 16, 14, 50), value: 12 },
]

/** The same text every time. */
export function replayExample(): string {
  const random = randomFrom(20260105)
  let text = "timestamp,value\n"
  for (let cycle = 0; cycle < days * cyclesPerDay; cycle++) {
    const timeMs = startMs + cycle * cycleMs
    const incident = incidents.find(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs)
    const value = (incident?.value ?? usualLoad(cycle)) + 1.5 * gauss(random)
    const time = new Date(timeMs).toISOString().slice(0, 19).replace("T", " ")
    text += `${time},${Math.max(0, value).toFixed(1)}\n`
  }
  return text
}

function usualLoad(cycle: number): number {
  const hour = ((cycle % cyclesPerDay) / cyclesPerDay) * 24
  const isWeekend = Math.floor(cycle / cyclesPerDay) % 7 >= 5
  return 12 + (isWeekend ? 10 : 45) * Math.exp(-(((hour - 14) / 4) ** 2))
}

if (process.argv[1]?.endsWith("replay-example.ts") === true) process.stdout.write(replayExample())
