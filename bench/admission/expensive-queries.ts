/** Ingest, closings and an ordinary user, in quiet and next to ten hostile users. */

import { setTimeout as wait } from "node:timers/promises"
import type { Server } from "../load/server.ts"
import {
  Asker,
  askAgain,
  figure,
  ingestRequest,
  newUsers,
  postMany,
  quantile,
  row,
  start,
  steadyPosts,
  type Size,
} from "./harness.ts"

const metricsPerElement = 50
const expensiveUsers = 10
/** Simulated: a cycle takes half a minute, a closing in it is as long as ever. */
const speed = 10
const rate = 200
const namesPerPost = 5_000

interface Measured {
  readonly posts: readonly number[]
  readonly closings: readonly number[]
  readonly answers: readonly number[]
}

export async function expensiveQueriesPart(folder: string, size: Size): Promise<string[][]> {
  const clock = `${new Date().toISOString()},x${speed}`
  // Elements that only hold names are skipped by closings.
  const server = await start(folder, { TIDEGAUGE_CLOCK: clock, TIDEGAUGE_INACTIVE_AFTER: "PT10M" })
  await postNames(server, size.names)
  const requests = elementRequests(server, size.elements)
  const users = await newUsers(server, expensiveUsers)
  await measure(server, requests, size.seconds / 2)
  const quiet = await measure(server, requests, size.seconds)
  const statuses = new Map<number, number>()
  const attack = attackWith(server, users, statuses)
  // Until each attacker has asked: the first queries of ten new users look like any other.
  await wait(5_000)
  const beside = await measure(server, requests, size.seconds)
  await attack.stop()
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ")
  console.log(
    `${size.elements * metricsPerElement} metrics close, ${size.names} more names; answers to ` +
      `hostile users: ${counts}; put back ${await figure(server, "queries_preempted_total")}`,
  )
  await server.stop()
  return [
    row("ingest, p50", quantile(quiet.posts, 0.5), quantile(beside.posts, 0.5), ""),
    row("ingest, p99", quantile(quiet.posts, 0.99), quantile(beside.posts, 0.99), "≤ 2 ×"),
    row("closing, mean", mean(quiet.closings), mean(beside.closings), "≤ 2 ×"),
    row("ordinary question, p50", quantile(quiet.answers, 0.5), quantile(beside.answers, 0.5), ""),
    row(
      "ordinary question, p95",
      quantile(quiet.answers, 0.95),
      quantile(beside.answers, 0.95),
      "≤ 1 s",
    ),
    row(
      "ordinary question, longest",
      quantile(quiet.answers, 1),
      quantile(beside.answers, 1),
      "≤ 1 s",
    ),
  ]
}

async function measure(
  server: Server,
  requests: readonly Buffer[],
  seconds: number,
): Promise<Measured> {
  const asker = new Asker(server)
  const window = "metrics/statistics?fqn=metric.7&duration=PT1H"
  const elements = Array.from({ length: 100 }, (_, i) => `element-${i}`)
  const asking = askAgain(() => asker.post(`/${window}`, elements), 500)
  const [countBefore, sumBefore] = await closingFigures(server)
  let next = 0
  const posts = await steadyPosts(server, () => requests[next++ % requests.length]!, {
    rate,
    seconds,
  })
  const [count, sum] = await closingFigures(server)
  const answers = await asking.stop()
  asker.close()
  const closings = [((sum - sumBefore) * 1000) / (count - countBefore)]
  return { posts, closings, answers }
}

function closingFigures(server: Server): Promise<[number, number]> {
  return Promise.all([figure(server, "cycle_seconds_count"), figure(server, "cycle_seconds_sum")])
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

async function postNames(server: Server, names: number): Promise<void> {
  for (let from = 0; from < names; from += namesPerPost) {
    const samples = Array.from({ length: Math.min(namesPerPost, names - from) }, (_, i) => ({
      metricId: `service.${(from + i).toString(36)}.element.mean.${(from + i) % 97}`,
      timestamp: Date.now(),
      val: i,
    }))
    await postMany(server, [{ id: `names-${from / namesPerPost}`, type: "SERVER", samples }])
  }
}

function elementRequests(server: Server, elements: number): Buffer[] {
  const headers = { "X-Service-Api-Options": "INJECT_TIMESTAMP" }
  const { launch } = server
  const stamped = {
    ...server,
    launch: {
      ...launch,
      target: { ...launch.target, headers: { ...launch.target.headers, ...headers } },
    },
  }
  return Array.from({ length: elements }, (_, element) => {
    const samples = Array.from({ length: metricsPerElement }, (__, i) => ({
      metricId: `metric.${i}`,
      val: (element * 7 + i * 13) % 1000,
    }))
    return ingestRequest(stamped, [{ id: `element-${element}`, type: "SERVER", samples }])
  })
}

/** The attack that was found: 64 expressions, 5 kB, which nothing passes. */
function attackWith(server: Server, users: readonly string[], statuses: Map<number, number>) {
  const items = Array.from({ length: 64 }, (_, i) => ({
    item: `(.?[a-z].{0,30}[0-9]?.{0,25}e.{0,20}m.{0,${13 + (i % 8)}}n.*){1,2}[Q-Z1${i >> 3}]$`,
    queryType: "REGEX",
  }))
  const body = { metricFqns: { and: false, items } }
  let isOver = false
  const attacks = users.map(async (authorization) => {
    while (!isOver) {
      const asker = new Asker(server, authorization)
      try {
        const { status } = await asker.post("/metrics/search/metricQuery", body)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      } finally {
        asker.close()
      }
    }
  })
  const stop = async (): Promise<void> => {
    isOver = true
    await Promise.all(attacks)
  }
  return { stop }
}
