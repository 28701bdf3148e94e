/**
 * Cost curve: what a sample costs while ten thousand, a hundred thousand and a million series are
 * active. Each server gets a sample a minute of every series, minute after minute, and is measured
 * from the second on until it has settled.
 */

import { join } from "node:path"
import { corpusOf } from "./corpus.ts"
import { drive, type DriveFigures } from "./drive.ts"
import type { Figure, FigureName } from "./figures.ts"
import { noteOf, settleServer } from "./ingest.ts"
import { cpuSeconds } from "./process.ts"
import { curveSizes, dayMs, metricsPerElement, type SectionContext } from "./section.ts"
import { type Server, startServer } from "./server.ts"
import { createWorkload, type Cut, cutWorkload, type Workload } from "./workload.ts"

const driveSecondsMax = 60
/** Made together: 120 MB. */
const requestsAtOnce = 20_000

const names: readonly FigureName[] = ["curveSmall", "curveMiddle", "curveLarge"]

export async function measureCurve(context: SectionContext): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [step, elements] of curveSizes[context.size].elements.entries()) {
    context.say(`curve: ${elements * metricsPerElement} series`)
    figures.push(await measureStep(context, names[step]!, elements))
  }
  const [first, last] = [figures[0]!, figures.at(-1)!]
  const { subject } = first
  return [...figures, { name: "curveKept", subject, value: last.value / first.value }]
}

async function measureStep(
  context: SectionContext,
  name: FigureName,
  elements: number,
): Promise<Figure> {
  const { samples, minutesLeast, settleSeconds } = curveSizes[context.size]
  const minutes = Math.max(minutesLeast, Math.ceil(samples / (elements * metricsPerElement)))
  const startMs = context.midnightMs - dayMs
  const shape = { elements, metrics: metricsPerElement, minutes: 1 + minutes, startMs }
  const workload = createWorkload(shape)
  const cuts = cutWorkload(workload, { elements: 1, minutes: 1 })
  const folder = join(context.scratch, `curve-${elements}`)
  const server = await startServer(context.subject, { folder, processors: "0" })
  try {
    await send(context, server, workload, cuts.slice(0, elements))
    await settleServer(server, settleSeconds)
    const before = cpuSeconds(server.pid)
    const sent = await send(context, server, workload, cuts.slice(elements))
    const isSettled = await settleServer(server, settleSeconds)
    const value = sent.samples / (cpuSeconds(server.pid) - before)
    const about = `${elements * metricsPerElement} series, ${minutes} minutes`
    const note = [about, noteOf(sent, isSettled)].filter((part) => part !== "").join("; ")
    return { name, subject: context.subject.name, value, note }
  } finally {
    await server.stop()
  }
}

/** In order, a part at a time. */
async function send(
  { connections }: SectionContext,
  server: Server,
  workload: Workload,
  cuts: readonly Cut[],
): Promise<Sent> {
  const { port } = server.launch.target
  const total = { samples: 0, refused: 0, firstRefusal: "" }
  for (let at = 0; at < cuts.length; at += requestsAtOnce) {
    const corpus = corpusOf(workload, cuts.slice(at, at + requestsAtOnce), server)
    const sent = await drive({ port, ...corpus, connections, secondsMax: driveSecondsMax })
    total.samples += sent.samples
    total.refused += sent.refused
    total.firstRefusal ||= sent.firstRefusal
  }
  return total
}

type Sent = Pick<DriveFigures, "samples" | "refused" | "firstRefusal">
