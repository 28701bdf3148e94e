/** Queries of statistics over HTTP, each answer checked for its number of series and values. */

import { Connection, getRequest, postRequest } from "./connection.ts"
import type { FigureName } from "./figures.ts"
import { dayMs } from "./section.ts"
import type { Server } from "./server.ts"
import { basicAuthorization } from "./subjects.ts"
import type { Workload } from "./workload.ts"

export const minutesPerDay = 1440

export interface LoadQuery {
  readonly name: FigureName
  ask(asking: Asking): Promise<{ readonly ms: number }>
}

interface StatisticsQuery {
  readonly name: FigureName
  readonly rollup: "PT5M" | "ZERO"
  readonly days: number
  /** All by default. */
  readonly elementIds?: readonly string[]
  readonly bucketMinutes: number
}

const pt5m = { rollup: "PT5M", bucketMinutes: 5 } as const
const zero = { rollup: "ZERO", bucketMinutes: 1 } as const

/** One day of five-minute buckets of all elements. */
export const queryDay: LoadQuery = statistics({ name: "statisticsDay", ...pt5m, days: 1 })

/** All that the bench asks of a store; asks it for its elements first. */
export async function queriesOf(asking: Asking): Promise<readonly LoadQuery[]> {
  const days = asking.workload.minutes / minutesPerDay
  const whole: StatisticsQuery = { name: "statisticsPt5m", ...pt5m, days }
  const { answer } = await queryStatistics(asking, whole)
  const elementIds = [answer.metrics[0]!.elementId]
  return [
    statistics(whole),
    statistics({ name: "statisticsZero", ...zero, days }),
    statistics({ name: "statisticsOne", ...pt5m, days, elementIds }),
    queryDay,
    { name: "acrossDay", ask: queryGroups },
  ]
}

/** Opens a connection for the work, and closes it. */
export async function asking<T>(
  server: Server,
  workload: Workload,
  work: (asking: Asking) => Promise<T>,
): Promise<T> {
  const connection = await Connection.open(server.launch.target.port)
  try {
    return await work({ server, workload, connection })
  } finally {
    connection.close()
  }
}

/** Has the password checked, which takes long by intent; it is remembered for a while. */
export async function logIn({ server, connection }: Asking): Promise<void> {
  const { port } = server.launch.target
  const headers = { Authorization: basicAuthorization }
  const { status, body } = await connection.send(
    getRequest({ port, path: "/users/current", headers }),
  )
  if (status !== 200) throw new Error(`${status} ${body.slice(0, 300)}`)
}

function statistics(question: StatisticsQuery): LoadQuery {
  return { name: question.name, ask: (asked) => queryStatistics(asked, question) }
}

export interface Asking {
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
async function queryStatistics(
  { server, workload, connection }: Asking,
  question: StatisticsQuery,
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

/** One value a bucket over all elements; throws unless all buckets and all series are in. */
async function queryGroups({
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
