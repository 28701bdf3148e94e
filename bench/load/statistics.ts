/** Statistics: two weeks of one metric of many elements, asked with warm caches; and what they take on disk. */

import { setTimeout as wait } from "node:timers/promises"
import { join } from "node:path"
import { bodies } from "./bodies.ts"
import { Connection, getRequest, postRequest } from "./connection.ts"
import type { Figure, FigureName } from "./figures.ts"
import { settleServer } from "./ingest.ts"
import { diskBytes } from "./process.ts"
import { dayMs, type SectionContext, statisticsSizes } from "./section.ts"
import { type Server, startServer } from "./server.ts"
import { basicAuthorization } from "./subjects.ts"
import { createWorkload, cutWorkload, type Cut, type Workload } from "./workload.ts"

const minutesPerDay = 1440
const loadConnections = 4
/** 250 elements × 80 minutes: about 1.2 MB. */
const minutesPerRequest = 80
const warmRuns = 5

export async function measureStatistics(context: SectionContext): Promise<Figure[]> {
  const { elements, days, settleSeconds } = statisticsSizes[context.size]
  const startMs = context.midnightMs - days * dayMs
  const shape = { elements, metrics: 1, minutes: days * minutesPerDay, startMs }
  const workload = createWorkload(shape)
  const samples = elements * workload.minutes
  const folder = join(context.scratch, "statistics")
  const processors = context.cores > 1 ? "0,1" : "0"
  const server = await startServer(context.subject, { folder, processors })
  try {
    context.say(`statistics: loading ${samples} samples in time order`)
    const startedMs = performance.now()
    await loadInOrder(server, workload)
    const seconds = (performance.now() - startedMs) / 1000
    const isSettled = await settleServer(server, settleSeconds)
    context.say(`statistics: loaded in ${seconds.toFixed(1)} s`)
    const of = { subject: context.subject.name }
    const note = isSettled ? "" : "still busy when the wait ended"
    const disk = diskBytes(server.dataFolder) / samples
    const figures = await askAll(server, workload)
    return [...figures, { name: "disk", ...of, note, value: disk }]
  } finally {
    await server.stop()
  }
}

/** Builds the next requests while the server works on the last; time never runs back by more than one group. */
async function loadInOrder(server: Server, workload: Workload): Promise<void> {
  const { target } = server.launch
  const cuts = cutWorkload(workload, {
    elements: Math.ceil(workload.elements / loadConnections),
    minutes: minutesPerRequest,
  })
  const open = Array.from({ length: loadConnections }, () => Connection.open(target.port))
  const opened = await Promise.all(open)
  const build = (cut: Cut) => postRequest(target, bodies[server.subject.format](workload, cut))
  let sent: Promise<void> = Promise.resolve()
  for (let at = 0; at < cuts.length; at += loadConnections) {
    const requests = cuts.slice(at, at + loadConnections).map(build)
    await sent
    sent = sendGroup(opened, requests)
  }
  await sent
  for (const connection of opened) connection.close()
}

async function sendGroup(
  opened: readonly Connection[],
  requests: readonly Buffer[],
): Promise<void> {
  await Promise.all(requests.map((request, i) => sendPatiently(opened[i]!, request)))
}

/** A full queue is answered with 503 and means "later". */
async function sendPatiently(connection: Connection, request: Buffer): Promise<void> {
  for (;;) {
    const { status, body } = await connection.send(request)
    if (status === 202) return
    if (status !== 503 && status !== 429) throw new Error(`${status} ${body.slice(0, 300)}`)
    await wait(50)
  }
}

interface Question {
  readonly name: FigureName
  readonly rollup: "PT5M" | "ZERO"
  readonly days: number
  /** All where absent. */
  readonly elementIds?: readonly string[]
  readonly bucketMinutes: number
}

async function askAll(server: Server, workload: Workload): Promise<Figure[]> {
  const days = workload.minutes / minutesPerDay
  const pt5m = { rollup: "PT5M", bucketMinutes: 5 } as const
  const zero = { rollup: "ZERO", bucketMinutes: 1 } as const
  const connection = await Connection.open(server.launch.target.port)
  const asking: Asking = { server, workload, connection }
  const whole: Question = { name: "statisticsPt5m", ...pt5m, days }
  const { answer } = await ask(asking, whole)
  const elementIds = [answer.metrics[0]!.elementId]
  const questions: readonly Question[] = [
    whole,
    { name: "statisticsZero", ...zero, days },
    { name: "statisticsOne", ...pt5m, days, elementIds },
    { name: "statisticsDay", ...pt5m, days: 1 },
  ]
  const figures: Figure[] = []
  for (const question of questions) {
    figures.push(await measure(asking, question.name, () => ask(asking, question)))
  }
  figures.push(await measure(asking, "acrossDay", () => askAcross(asking)))
  connection.close()
  return figures
}

async function measure(
  asking: Asking,
  name: FigureName,
  ask: () => Promise<{ readonly ms: number }>,
): Promise<Figure> {
  const cold = await ask()
  const warm: number[] = []
  for (let run = 0; run < warmRuns; run++) warm.push((await ask()).ms)
  const value = warm.toSorted((a, b) => a - b)[warmRuns >> 1]!
  const subject = asking.server.subject.name
  return { name, subject, value, note: `first ${cold.ms.toFixed(0)} ms` }
}

interface Asking {
  readonly server: Server
  readonly workload: Workload
  readonly connection: Connection
}

interface StatisticsAnswer {
  readonly metrics: readonly {
    readonly elementId: string
    readonly statistics: { readonly count: number }
  }[]
}

/** Throws unless the answer holds every series and every value of the window. */
async function ask(
  { server, workload, connection }: Asking,
  question: Question,
): Promise<{ readonly ms: number; readonly answer: StatisticsAnswer }> {
  const endMs = workload.timeMs(workload.minutes)
  const query = new URLSearchParams({
    fqn: workload.metricList[0]!.fqn,
    rollup: question.rollup,
    startTime: new Date(endMs - question.days * dayMs).toISOString(),
    endTime: new Date(endMs).toISOString(),
  })
  const { elementIds } = question
  const { port } = server.launch.target
  const headers = { Authorization: basicAuthorization, "Content-Type": "application/json" }
  const target = { port, path: `/metrics/statistics?${query}`, headers }
  const posted = elementIds && postRequest(target, JSON.stringify(elementIds))
  const startedMs = performance.now()
  const { status, body: text } = await connection.send(posted ?? getRequest(target))
  const ms = performance.now() - startedMs
  if (status !== 200) throw new Error(`${question.name}: ${status} ${text.slice(0, 300)}`)
  const answer = JSON.parse(text) as StatisticsAnswer
  const series = elementIds?.length ?? workload.elements
  const count = (question.days * minutesPerDay) / question.bucketMinutes
  const whole = answer.metrics.every((metric) => metric.statistics.count === count)
  if (answer.metrics.length !== series || !whole) {
    throw new Error(
      `${question.name}: expected ${series} series of ${count}: ${text.slice(0, 300)}`,
    )
  }
  return { ms, answer }
}

/** One value a bucket over all elements; throws unless every bucket of the day and every series is in. */
async function askAcross({
  server,
  workload,
  connection,
}: Asking): Promise<{ readonly ms: number }> {
  const endMs = workload.timeMs(workload.minutes)
  const item = { item: workload.metricList[0]!.fqn, literal: true, contains: true }
  const body = {
    metricFqns: { and: false, items: [{ ...item, queryType: "EXACT" }] },
    startDate: new Date(endMs - dayMs).toISOString(),
    endDate: new Date(endMs).toISOString(),
  }
  const { port } = server.launch.target
  const headers = { Authorization: basicAuthorization, "Content-Type": "application/json" }
  const path = "/metrics/crosselementagg?aggregation=avg&statistic=actual&rollup=PT5M"
  const request = postRequest({ port, path, headers }, JSON.stringify(body))
  const startedMs = performance.now()
  const { status, body: text } = await connection.send(request)
  const ms = performance.now() - startedMs
  if (status !== 200) throw new Error(`acrossDay: ${status} ${text.slice(0, 300)}`)
  const { aggregatedMetrics, data } = JSON.parse(text) as AcrossAnswer
  const buckets = minutesPerDay / 5
  if (aggregatedMetrics !== workload.elements || data.result.data.length !== buckets) {
    throw new Error(`acrossDay: expected ${workload.elements} series, ${buckets} buckets`)
  }
  return { ms }
}

interface AcrossAnswer {
  readonly aggregatedMetrics: number
  readonly data: { readonly result: { readonly data: readonly unknown[] } }
}
