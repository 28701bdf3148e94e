/** Ingest: what a CPU second of the server acknowledges and, with all it does afterwards, settles. */

import { join } from "node:path"
import { type Corpus, createCorpus, sliceCorpus } from "./corpus.ts"
import { drive, type DriveFigures } from "./drive.ts"
import type { Figure, FigureName } from "./figures.ts"
import { cpuSeconds, rssBytes, settle } from "./process.ts"
import {
  agentSizes,
  bulkSizes,
  dayMs,
  type LoadSize,
  metricsPerElement,
  type SectionContext,
} from "./section.ts"
import { type Server, startServer } from "./server.ts"
import { floors } from "./subjects.ts"
import { createWorkload, type Workload } from "./workload.ts"

const minuteMs = 60_000
const latencySeconds = 15
/**
 * Of those the first few are not judged, as with other drivers of a constant rate: V8 compiles what
 * this pace makes hot, for 1 to 2 s, on the one processor that answers. They are told beside.
 */
const warmUpSeconds = 3
/** Enough that a slow answer does not hold back the next request. */
const latencyConnections = 64

interface Kind {
  readonly title: string
  readonly acknowledged: FigureName
  readonly settled: FigureName
  readonly rss: FigureName
}

export function measureAgent(context: SectionContext): Promise<Figure[]> {
  const kind: Kind = {
    title: "agent",
    acknowledged: "agentAcknowledged",
    settled: "agentSettled",
    rss: "agentRss",
  }
  return measureKind(context, kind, agentSizes[context.size])
}

export function measureBulk(context: SectionContext): Promise<Figure[]> {
  const kind: Kind = {
    title: "bulk",
    acknowledged: "bulkAcknowledged",
    settled: "bulkSettled",
    rss: "bulkRss",
  }
  return measureKind(context, kind, bulkSizes[context.size])
}

async function measureKind(context: SectionContext, kind: Kind, size: LoadSize): Promise<Figure[]> {
  const { elements, minutes } = size
  const startMs = context.midnightMs - dayMs
  const workload = createWorkload({ elements, metrics: metricsPerElement, minutes, startMs })
  const figures: Figure[] = []
  const pace: Pace = { rate: null }
  for (const subject of [context.subject, ...context.peers]) {
    context.say(`${kind.title}: ${subject.name}`)
    const folder = join(context.scratch, `${kind.title}-${subject.name}`)
    const server = await startServer(subject, { folder, processors: "0" })
    try {
      figures.push(...(await measureServer({ context, kind, size, workload, server, pace })))
    } finally {
      await server.stop()
    }
  }
  return figures
}

/** Half of our capacity, once it is known: the floor is asked at the same rate. */
interface Pace {
  rate: number | null
}

interface Measuring {
  readonly pace: Pace
  readonly context: SectionContext
  readonly kind: Kind
  readonly size: LoadSize
  readonly workload: Workload
  readonly server: Server
}

async function measureServer(measuring: Measuring): Promise<Figure[]> {
  const { context, kind, size, workload, server } = measuring
  const { subject, pid } = server
  const corpus = createCorpus(workload, size.request, server)
  const warmCount = warmRequests(size)
  const beforeCpu = cpuSeconds(pid)
  const warm = await driveCorpus(measuring, sliceCorpus(corpus, 0, warmCount), 60)
  const warmCpu = cpuSeconds(pid)
  const rest = sliceCorpus(corpus, warmCount, corpus.requests.length)
  const main = await driveCorpus(measuring, rest, size.driveSeconds)
  const mainCpu = cpuSeconds(pid)
  const isSettled = await settleServer(server, size.settleSeconds)
  const settledCpu = cpuSeconds(pid)
  const note = noteOf(main, isSettled)
  const of = { subject: subject.name, note }
  const settledSamples = warm.samples + main.samples
  const rss = rssBytes(pid) / 1024 ** 2
  const figures: Figure[] = [
    { name: kind.acknowledged, ...of, value: main.samples / (mainCpu - warmCpu) },
    { name: kind.settled, ...of, value: settledSamples / (settledCpu - beforeCpu) },
    { name: kind.rss, subject: subject.name, value: rss },
  ]
  if (kind.title !== "agent") return figures
  const isPaced = subject === context.subject || floors.includes(subject)
  return isPaced
    ? [...figures, ...(await measureLatency(measuring, settledSamples / (settledCpu - beforeCpu)))]
    : figures
}

/** The requests that make each series, and for agents the second sight that shapes are learned at. */
function warmRequests({ elements, request }: LoadSize): number {
  return Math.ceil(elements / request.elements) * (request.minutes === 1 ? 2 : 1)
}

function driveCorpus(
  { context, server }: Measuring,
  corpus: Corpus,
  secondsMax: number,
): Promise<DriveFigures> {
  const { requests, samples } = corpus
  const { connections } = context
  const { port } = server.launch.target
  return drive({ port, requests, samples, connections, secondsMax })
}

export async function settleServer(server: Server, secondsMax: number): Promise<boolean> {
  const { subject, launch, pid } = server
  await subject.flush?.(launch)
  return settle(pid, { graceSeconds: subject.graceSeconds, secondsMax })
}

/**
 * Over more connections, so that not the wait for the disk but the server is what is full. Capacity
 * is what the server can keep up: the requests that a second of its one processor settles. A burst
 * of a second or two is half as fast again, as it leaves the folding for later.
 */
async function measureLatency(measuring: Measuring, settledPerCpu: number): Promise<Figure[]> {
  const { size, server, workload, context } = measuring
  const startMs = workload.startMs + size.minutes * minuteMs
  const later = createCorpus(createWorkload({ ...workload, startMs }), size.request, server)
  const to = { port: server.launch.target.port, connections: latencyConnections }
  const capacity = settledPerCpu / metricsPerElement
  const rate = (measuring.pace.rate ??= capacity / 2)
  context.say(`agent: ${server.subject.name} at ${Math.round(rate)} requests a second`)
  const seconds = { secondsMax: latencySeconds, warmUpSeconds }
  const paced = await drive({ ...to, ...later, rate, ...seconds })
  const name = server.subject.name
  const of = { subject: name, note: pacedNote(paced, rate) }
  return [
    { name: "agentRequests", subject: name, value: capacity },
    { name: "agentP50", ...of, value: paced.undisturbed.p50Ms },
    { name: "agentP99", ...of, value: paced.undisturbed.p99Ms },
  ]
}

/** What the host took would count as ours; so both are told, and how much it was. */
function pacedNote(paced: DriveFigures, rate: number): string {
  const { requests, undisturbed, stolenShare, p50Ms, p99Ms, warmUpP99Ms } = paced
  const percent = (100 * stolenShare).toFixed(1)
  return (
    `${undisturbed.requests} of ${requests} requests, ${Math.round(rate)} a second, while ` +
    `the host took nothing; it took ${percent} % in all, with which ${p50Ms.toFixed(1)} and ` +
    `${p99Ms.toFixed(1)} ms; p99 of the warm-up ${warmUpP99Ms.toFixed(1)} ms`
  )
}

export function noteOf(main: DriveFigures, isSettled: boolean): string {
  const notes: string[] = []
  if (main.refused > 0) notes.push(`${main.refused} refused: ${main.firstRefusal}`)
  if (!isSettled) notes.push("still busy when the wait ended")
  return notes.join("; ")
}
