/**
 * Ingest: what a CPU second of the server acknowledges and, with all it does afterwards, settles.
 */

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
import { floors, victoriaMetrics, victoriaMetricsImport } from "./subjects.ts"
import { makeCertificate } from "../../test/support/network/certificate.ts"
import { overTls } from "./tls-subject.ts"
import { createWorkload, type Workload } from "./workload.ts"

const minuteMs = 60_000
const latencySeconds = 15
/**
 * The first ones are excluded, as with other drivers of a constant rate: V8 compiles the code that
 * this pace makes hot, for 1 to 2 s, on the one processor that answers. They are printed apart.
 */
const warmUpSeconds = 3
/** Enough that a slow answer does not hold back the next request. */
const latencyConnections = 64
/** With 64, bodies of 1.1 MB exceed our queue, and we answer their clients to wait. */
export const bulkConnectionsMax = 16

/** The requests of one kind of ingest, and the names of its figures. */
export interface IngestPlan {
  readonly title: string
  readonly names: {
    readonly acknowledged: FigureName
    readonly settled: FigureName
    readonly rss: FigureName
  }
  /** Of the run at half of capacity. */
  readonly pacedNames?: {
    readonly capacity: FigureName
    readonly p50: FigureName
    readonly p99: FigureName
  }
  /** All requests, for one server. */
  corpus(server: Server): Corpus
  /** The first of them, that make each series, and for agents the shapes that are learned. */
  readonly warmRequests: number
  readonly driveSeconds: number
  readonly settleSeconds: number
  /** Later ones of the same series, to be sent at half of capacity. */
  later?(server: Server): Corpus
}

/** Agents at full speed. */
export function agentPlan(context: SectionContext): IngestPlan {
  const size = agentSizes[context.size]
  return {
    ...planOf("agent", workloadOf(context, size), size),
    names: { acknowledged: "agentAcknowledged", settled: "agentSettled", rss: "agentRss" },
  }
}

export function measureAgent(context: SectionContext): Promise<Figure[]> {
  const size = agentSizes[context.size]
  const workload = workloadOf(context, size)
  const startMs = workload.startMs + size.minutes * minuteMs
  const later = createWorkload({ ...workload, startMs })
  return measureIngest(context, {
    ...agentPlan(context),
    pacedNames: { capacity: "agentRequests", p50: "agentP50", p99: "agentP99" },
    later: (server) => createCorpus(later, size.request, server),
  })
}

/** Agents over TLS, on our server alone: the same requests over connections that stay open. */
export function measureTls(context: SectionContext): Promise<Figure[]> {
  const size = agentSizes[context.size]
  const workload = workloadOf(context, size)
  const startMs = workload.startMs + size.minutes * minuteMs
  const later = createWorkload({ ...workload, startMs })
  const subject = overTls(context.subject, makeCertificate())
  return measureIngest(
    { ...context, subject, peers: [] },
    {
      ...planOf("tls", workload, size),
      names: { acknowledged: "tlsAcknowledged", settled: "tlsSettled", rss: "tlsRss" },
      pacedNames: { capacity: "tlsRequests", p50: "tlsP50", p99: "tlsP99" },
      later: (server) => createCorpus(later, size.request, server),
    },
  )
}

export function bulkPlan(context: SectionContext): IngestPlan {
  const size = bulkSizes[context.size]
  return {
    ...planOf("bulk", workloadOf(context, size), size),
    names: { acknowledged: "bulkAcknowledged", settled: "bulkSettled", rss: "bulkRss" },
  }
}

export function measureBulk(context: SectionContext): Promise<Figure[]> {
  // Its best text first: that is what we are judged by.
  const peers = context.peers.flatMap((peer) => {
    return peer === victoriaMetrics ? [victoriaMetricsImport, peer] : [peer]
  })
  const connections = Math.min(context.connections, bulkConnectionsMax)
  return measureIngest({ ...context, peers, connections }, bulkPlan(context))
}

function workloadOf({ midnightMs }: SectionContext, { elements, minutes }: LoadSize): Workload {
  const startMs = midnightMs - dayMs
  return createWorkload({ elements, metrics: metricsPerElement, minutes, startMs })
}

function planOf(
  title: string,
  workload: Workload,
  size: LoadSize,
): Omit<IngestPlan, "names" | "later"> {
  const { driveSeconds, settleSeconds } = size
  const corpus = (server: Server): Corpus => createCorpus(workload, size.request, server)
  return { title, corpus, warmRequests: warmRequests(size), driveSeconds, settleSeconds }
}

/** The plan carried out on our server and each peer, one after the other. */
export async function measureIngest(context: SectionContext, plan: IngestPlan): Promise<Figure[]> {
  const figures: Figure[] = []
  const pace: Pace = { rate: null }
  for (const subject of [context.subject, ...context.peers]) {
    context.say(`${plan.title}: ${subject.name}`)
    const folder = join(context.scratch, `${plan.title}-${subject.name}`)
    const server = await startServer(subject, { folder, processors: "0" })
    try {
      figures.push(...(await measureServer({ context, plan, server, pace })))
    } finally {
      await server.stop()
    }
  }
  return figures
}

/** Half of our capacity, once it is known: the floor gets the same rate. */
interface Pace {
  rate: number | null
}

interface Measuring {
  readonly pace: Pace
  readonly context: SectionContext
  readonly plan: IngestPlan
  readonly server: Server
}

async function measureServer(measuring: Measuring): Promise<Figure[]> {
  const { context, plan, server } = measuring
  const { subject, pid } = server
  const corpus = plan.corpus(server)
  const warmCount = plan.warmRequests
  const beforeCpu = cpuSeconds(pid)
  const warm = await driveCorpus(measuring, sliceCorpus(corpus, 0, warmCount), 60)
  const warmCpu = cpuSeconds(pid)
  const rest = sliceCorpus(corpus, warmCount, corpus.requests.length)
  const main = await driveCorpus(measuring, rest, plan.driveSeconds)
  const mainCpu = cpuSeconds(pid)
  const isSettled = await settleServer(server, plan.settleSeconds)
  await subject.check?.(server.launch)
  const settledCpu = cpuSeconds(pid)
  const note = noteOf(main, isSettled)
  const of = { subject: subject.name, note }
  const settledSamples = warm.samples + main.samples
  const rss = rssBytes(pid) / 1024 ** 2
  const figures: Figure[] = [
    { name: plan.names.acknowledged, ...of, value: main.samples / (mainCpu - warmCpu) },
    { name: plan.names.settled, ...of, value: settledSamples / (settledCpu - beforeCpu) },
    { name: plan.names.rss, subject: subject.name, value: rss },
  ]
  const isPaced = subject === context.subject || floors.includes(subject)
  if (plan.later === undefined || !isPaced) return figures
  const later = plan.later(server)
  const settledPerCpu = settledSamples / (settledCpu - beforeCpu)
  return [...figures, ...(await measureLatency(measuring, later, settledPerCpu))]
}

/** Each series once; of agents twice, as their shapes are learned at the second sight. */
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
  const { port, ca } = server.launch.target
  return drive({ port, ca, requests, samples, connections, secondsMax })
}

export async function settleServer(server: Server, secondsMax: number): Promise<boolean> {
  const { subject, launch, pid } = server
  await subject.flush?.(launch)
  return settle(pid, { graceSeconds: subject.graceSeconds, secondsMax })
}

/**
 * Over more connections, so that the server and not the wait for the disk is saturated. Capacity is
 * a sustained rate: the requests that a second of its one processor settles. A burst of a second or
 * two is half as fast again, as it leaves the flush for later.
 */
async function measureLatency(
  measuring: Measuring,
  later: Corpus,
  settledPerCpu: number,
): Promise<Figure[]> {
  const { server, context, plan } = measuring
  const names = plan.pacedNames
  if (names === undefined) return []
  const { port, ca } = server.launch.target
  const to = { port, ca, connections: latencyConnections }
  const capacity = settledPerCpu / metricsPerElement
  const rate = (measuring.pace.rate ??= capacity / 2)
  context.say(`${plan.title}: ${server.subject.name} at ${Math.round(rate)} requests a second`)
  const seconds = { secondsMax: latencySeconds, warmUpSeconds }
  const paced = await drive({ ...to, ...later, rate, ...seconds })
  const name = server.subject.name
  const of = { subject: name, note: pacedNote(paced, rate) }
  return [
    { name: names.capacity, subject: name, value: capacity },
    { name: names.p50, ...of, value: paced.undisturbed.p50Ms },
    { name: names.p99, ...of, value: paced.undisturbed.p99Ms },
  ]
}

/** Time taken by the host would count as ours; so both are printed, and the difference. */
function pacedNote(paced: DriveFigures, rate: number): string {
  const { requests, undisturbed, stolenShare, p50Ms, p99Ms, warmUpP99Ms } = paced
  const percent = (100 * stolenShare).toFixed(1)
  return (
    `${undisturbed.requests} of ${requests} requests, ${Math.round(rate)} a second, while ` +
    `the host took nothing; it took ${percent} % in all, with which ${p50Ms.toFixed(1)} and ` +
    `${p99Ms.toFixed(1)} ms; p99 of the warm-up ${warmUpP99Ms.toFixed(1)} ms`
  )
}

export function noteOf(
  main: Pick<DriveFigures, "refused" | "firstRefusal">,
  isSettled: boolean,
): string {
  const notes: string[] = []
  if (main.refused > 0) notes.push(`${main.refused} refused: ${main.firstRefusal}`)
  if (!isSettled) notes.push("still busy when the wait ended")
  return notes.join("; ")
}
