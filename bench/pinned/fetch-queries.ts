/** Queries as an ordinary client sends them: by `fetch`, which accepts compressed answers. */

import { minutesPerDay } from "../load/queries.ts"
import { dayMs } from "../load/section.ts"
import type { Server } from "../load/server.ts"
import { basicAuthorization } from "../load/subjects.ts"
import type { Workload } from "../load/workload.ts"

interface FetchQuery {
  readonly name: string
  readonly ask: () => Promise<void>
}

const hourMs = 3_600_000

/** In the order in which they are asked. */
export function fetchQueriesOf(server: Server, workload: Workload): readonly FetchQuery[] {
  const base = `http://127.0.0.1:${server.launch.target.port}`
  const endMs = workload.timeMs(workload.minutes)
  const { fqn } = workload.metricList[0]!
  const statistics = (spanMs: number) => {
    const [startTime, endTime] = [endMs - spanMs, endMs].map(textOf) as [string, string]
    const query = new URLSearchParams({ fqn, rollup: "PT5M", startTime, endTime })
    return () => fetchAll(new URL(`/metrics/statistics?${query}`, base))
  }
  const across = () => {
    const items = [{ item: fqn, literal: true, contains: true, queryType: "EXACT" }]
    const span = { startDate: textOf(endMs - dayMs), endDate: textOf(endMs) }
    const body = JSON.stringify({ metricFqns: { and: false, items }, ...span })
    const path = "/metrics/crosselementagg?aggregation=avg&statistic=avg&rollup=PT5M"
    return fetchAll(new URL(path, base), body)
  }
  const whole = statistics((workload.minutes / minutesPerDay) * dayMs)
  return [
    { name: "all days", ask: whole },
    { name: "an hour", ask: statistics(hourMs) },
    { name: "a day", ask: statistics(dayMs) },
    { name: "averages of a day across elements", ask: across },
  ]
}

const textOf = (ms: number): string => new Date(ms).toISOString()

async function fetchAll(url: URL, body?: string): Promise<void> {
  const headers = { Authorization: basicAuthorization, "Content-Type": "application/json" }
  const posted = body === undefined ? {} : { method: "POST", body }
  const answer = await fetch(url, { headers, ...posted })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url.pathname}: ${answer.status} ${text}`)
}
