/**
 * The demonstration's data: a day of 20 servers with 30 metrics each, one sample a minute, as
 * bodies of bulk posts in time order. Pure: the same seed and day give the same bytes, so that
 * posting them again changes nothing.
 *
 *   load   night ▁▂▃▅▇▇▇█▇▆▅▃▂ night      a spike at noon, UTC
 */

import type { Random } from "../../src/base/random.ts"
import { demoMetrics, type DemoMetric } from "./demo-metrics.ts"

export const demoServerCount = 20
export const demoMinutes = 1440
/** 14,400 samples: about 1 MB, as bulk senders post. */
export const minutesPerBody = 24
export const demoSampleCount = demoServerCount * demoMetrics.length * demoMinutes

const minuteMs = 60_000
const noonMinute = 12 * 60
/** How long the spike at noon takes to fade to a third. */
const spikeMinutes = 15

export interface DemoBody {
  readonly json: string
  readonly samples: number
}

/** All bodies of the day that begins at `dayStartMs`, oldest first. */
export function* demoBodies(random: Random, dayStartMs: number): Generator<DemoBody> {
  const next = uniforms(random)
  const servers = Array.from({ length: demoServerCount }, (_, i) => new SimulatedServer(i, next))
  for (let from = 0; from < demoMinutes; from += minutesPerBody) {
    const minutes = { from, to: Math.min(from + minutesPerBody, demoMinutes) }
    const elements = servers.map((server) => server.element(minutes, dayStartMs))
    const samples = servers.length * demoMetrics.length * (minutes.to - minutes.from)
    yield { json: `[${elements.join(",")}]`, samples }
  }
}

/** How busy a server is at a minute of the day: 0.2 at night, 1 in the afternoon. */
export function dailyLoad(minute: number): number {
  const busiestMinute = 15 * 60
  return 0.6 + 0.4 * Math.cos(((minute - busiestMinute) / demoMinutes) * 2 * Math.PI)
}

/** The additional load at noon: 1 at 12:00, fading; 0 before. */
export function noonSpike(minute: number): number {
  return minute < noonMinute ? 0 : Math.exp((noonMinute - minute) / spikeMinutes)
}

const roles = ["web", "web", "web", "app", "app", "db", "cache", "queue"] as const

function roleOf(index: number): string {
  return roles[index % roles.length]!
}

export const demoServerNames: readonly string[] = Array.from(
  { length: demoServerCount },
  (_, index) => `demo-${roleOf(index)}-${String(index + 1).padStart(2, "0")}`,
)

/** One server; counters and drifting values go on from one body to the next. */
class SimulatedServer {
  private readonly fqn: string
  private readonly role: string
  private readonly next: () => number
  /** Servers differ: between 0.7 and 1.3 times the usual. */
  private readonly size: number
  private readonly totals: Float64Array

  constructor(index: number, next: () => number) {
    this.role = roleOf(index)
    this.fqn = demoServerNames[index]!
    this.next = next
    this.size = 0.7 + 0.6 * next()
    this.totals = Float64Array.from(demoMetrics, ({ base }) => Math.round(base * 1000 * next()))
  }

  element(minutes: { readonly from: number; readonly to: number }, dayStartMs: number): string {
    const samples: string[] = []
    for (let minute = minutes.from; minute < minutes.to; minute++) {
      const timestamp = dayStartMs + minute * minuteMs
      for (const [i, metric] of demoMetrics.entries()) {
        const val = this.value(metric, i, minute)
        samples.push(`{"metricId":"${metric.id}","timestamp":${timestamp},"val":${val}}`)
      }
    }
    const tags = `[{"name":"role","value":"${this.role}"},{"name":"source","value":"demo"}]`
    return (
      `{"id":"${this.fqn}","name":"${this.fqn}","type":"SERVER","location":"demo",` +
      `"tags":${tags},"metrics":${metricsJson},"samples":[${samples.join(",")}]}`
    )
  }

  private value(metric: DemoMetric, index: number, minute: number): number {
    const noise = this.next() + this.next() - 1
    const wave = metric.daily * dailyLoad(minute) + metric.spike * noonSpike(minute)
    const level = metric.base * this.size * (1 + wave + metric.noise * noise)
    if (metric.kind === "gauge") return rounded(clamped(level, metric), metric.decimals)
    if (metric.kind === "latency") {
      // Long-tailed: one sample in a hundred is six times as slow as the usual.
      return rounded(clamped(level / (0.02 + this.next()) ** 0.5, metric), metric.decimals)
    }
    this.totals[index]! += Math.max(0, Math.round(level))
    return this.totals[index]!
  }
}

const metricsJson = JSON.stringify(
  demoMetrics.map(({ id, unit, kind }) =>
    kind === "counter" ? { id, unit, type: "COUNTER" } : { id, unit },
  ),
)

function clamped(value: number, { max }: DemoMetric): number {
  return Math.min(Math.max(0, value), max)
}

function rounded(value: number, decimals: number): number {
  const power = 10 ** decimals
  return Math.round(value * power) / power
}

/** Numbers in [0, 1) from random bytes, four bytes each. */
function uniforms(random: Random): () => number {
  const bytesAtOnce = 4096
  let view: DataView = new DataView(new ArrayBuffer(0))
  let at = 0
  return () => {
    if (at === view.byteLength) {
      const bytes = random.bytes(bytesAtOnce)
      view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      at = 0
    }
    at += 4
    return view.getUint32(at - 4) / 2 ** 32
  }
}
