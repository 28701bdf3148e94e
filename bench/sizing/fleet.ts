/** A fleet of agents at a steady rate, and the queries of the people who watch it. */

import { setTimeout as wait } from "node:timers/promises"
import { Connection, getRequest, postRequest } from "../load/connection.ts"
import type { Server } from "../load/server.ts"
import { basicAuthorization } from "../load/subjects.ts"

export const metricsPerElement = 50

const connections = 16
/** Elements of one post of the first round. */
const elementsPerFirstPost = 10
const askEveryMs = 5_000

export interface FleetOptions {
  readonly series: number
  /** Each post has one element, with a sample of each metric. */
  readonly samplesPerSecond: number
  readonly minutes: number
}

export interface FleetFigures {
  readonly posts: number
  readonly refused: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly queries: number
  readonly queriesRefused: number
  readonly queryMaxMs: number
}

/** Makes all elements and metrics, as fast as they are taken. Throws if one is refused. */
export async function introduce(server: Server, { series }: FleetOptions): Promise<void> {
  const elements = Math.ceil(series / metricsPerElement)
  const open = Array.from({ length: 4 }, () => Connection.open(server.launch.target.port))
  let next = 0
  await Promise.all(
    (await Promise.all(open)).map(async (connection) => {
      while (next < elements) {
        const from = next
        next += elementsPerFirstPost
        const many = Array.from({ length: Math.min(elementsPerFirstPost, elements - from) })
        const body = many.map((_, i) => elementOf(from + i, true))
        const { status, body: text } = await connection.send(request(server, body))
        if (status !== 202) throw new Error(`${status} ${text.slice(0, 300)}`)
      }
      connection.close()
    }),
  )
}

/** Posts at the rate for the whole time, and asks every five seconds. Resolves at the end. */
export async function run(server: Server, options: FleetOptions): Promise<FleetFigures> {
  const asked = ask(server, options)
  const posted = await post(server, options)
  return { ...posted, ...(await asked.stop()) }
}

async function post(server: Server, { series, samplesPerSecond, minutes }: FleetOptions) {
  const elements = Math.ceil(series / metricsPerElement)
  const rate = samplesPerSecond / metricsPerElement
  const count = Math.floor(rate * minutes * 60)
  const startedMs = performance.now()
  const times = new Float64Array(count)
  let next = 0
  let refused = 0
  const send = async (): Promise<void> => {
    const connection = await Connection.open(server.launch.target.port)
    while (next < count) {
      const index = next++
      const dueMs = startedMs + (index * 1000) / rate
      await wait(Math.max(0, dueMs - performance.now()))
      const { status } = await connection.send(request(server, [elementOf(index % elements)]))
      times[index] = performance.now() - dueMs
      if (status !== 202) refused++
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, send))
  const sorted = times.sort()
  const at = (part: number) => sorted[Math.min(count - 1, Math.floor(part * count))]!
  return { posts: count, refused, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted[count - 1]! }
}

function request({ launch }: Server, elements: readonly object[]): Buffer {
  const headers = { ...launch.target.headers, "X-Service-Api-Options": "INJECT_TIMESTAMP" }
  return postRequest({ ...launch.target, headers }, JSON.stringify(elements))
}

/** Values drift in hundredths, as those of most agents do. */
function elementOf(element: number, isNew = false): object {
  const metrics = Array.from({ length: metricsPerElement }, (_, i) => ({
    id: `group-${i % 5}.metric-${i}`,
    unit: "percent",
  }))
  const samples = metrics.map(({ id }) => ({
    metricId: id,
    val: Math.round(Math.random() * 10_000) / 100,
  }))
  const about = { id: `host-${element}`, type: "SERVER", samples }
  return isNew ? { ...about, metrics, tags: [{ name: "site", value: `s${element % 20}` }] } : about
}

/** One query after the other, of four kinds: an element, a search, a chart, a sum. */
function ask(server: Server, { series }: FleetOptions) {
  const elements = Math.ceil(series / metricsPerElement)
  const { port } = server.launch.target
  const headers = { Authorization: basicAuthorization, "Content-Type": "application/json" }
  const get = (path: string) => getRequest({ port, path, headers })
  const post = (path: string, body: object) =>
    postRequest({ port, path, headers }, JSON.stringify(body))
  const named = (item: string) => ({ and: false, items: [{ item, literal: true }] })
  const hourMs = 3_600_000
  const queries = [
    (i: number) => {
      const elementNames = named(`host-${(i * 7) % elements}`)
      return post("/elements/search/elementQuery", { elementNames })
    },
    () => get("/metrics/statistics?fqn=group-0.metric-0&rollup=PT5M&duration=PT1H"),
    () => get("/elements/ids"),
    () =>
      post("/metrics/crosselementagg?aggregation=avg&statistic=actual&rollup=PT5M", {
        metricFqns: named("group-1.metric-1"),
        startDate: new Date(Date.now() - hourMs).toISOString(),
        endDate: new Date().toISOString(),
      }),
  ]
  const figures = { queries: 0, queriesRefused: 0, queryMaxMs: 0 }
  const over = new AbortController()
  const asking = (async () => {
    for (let i = 0; !over.signal.aborted; i++) {
      const connection = await Connection.open(port)
      const startedMs = performance.now()
      const { status, body } = await connection.send(queries[i % queries.length]!(i))
      figures.queries++
      if (status !== 200 && status !== 503) throw new Error(`${status} ${body.slice(0, 300)}`)
      if (status === 503) figures.queriesRefused++
      const ms = performance.now() - startedMs
      figures.queryMaxMs = Math.max(figures.queryMaxMs, ms)
      connection.close()
      await wait(askEveryMs, undefined, { signal: over.signal }).catch(() => undefined)
    }
  })()
  return {
    stop: async () => {
      over.abort()
      await asking
      return figures
    },
  }
}
