/** Reads of queries, below HTTP and without threads. */

import { test } from "node:test"
import type { QueryRequest } from "../../src/query/query.ts"
import { dayMs, hourMs } from "../../src/model/resolution.ts"
import { queryOf, requestOf } from "../query/fake-store.ts"
import { endMs, openFilledStore, todayMs, type Metric } from "./filled-store.ts"
import { countReads } from "./store-work.ts"
import { assertWork, Counts } from "./work-file.ts"

const windows = {
  "1 hour": { startMs: todayMs - 2 * hourMs, endMs: todayMs - hourMs },
  "1 day": { startMs: todayMs - dayMs, endMs: todayMs },
  "2 days": { startMs: todayMs - 2 * dayMs, endMs: todayMs },
  today: { startMs: todayMs, endMs },
} as const
type Window = keyof typeof windows

const textOf = (ms: number): string => new Date(ms).toISOString()

function spanOf(window: Window): { readonly startTime: string; readonly endTime: string } {
  const { startMs, endMs: untilMs } = windows[window]
  return { startTime: textOf(startMs), endTime: textOf(untilMs) }
}

const statisticsOf = (metric: Metric, rollup: string, window: Window, ids?: string[]) => {
  return requestOf("statistics", { fqn: metric, rollup, ...spanOf(window) }, ids)
}

const acrossOf = (statistic: string, rollup: string, window: Window) => {
  const { startTime, endTime } = spanOf(window)
  const items = [{ item: "often", literal: true, contains: true, queryType: "EXACT" }]
  const body = { metricFqns: { and: false, items }, startDate: startTime, endDate: endTime }
  return requestOf("acrossElements", { aggregation: "avg", statistic, rollup }, body)
}

const seriesOf = (field: string, window: Window) => {
  const metricFqns = { and: false, items: [{ item: "often", queryType: "EXACT" }] }
  const query = { id: "a", filter: { metricFqns }, fields: [field] }
  const body = { ...spanOf(window), rollup: "PT5M" }
  return requestOf("seriesQuery", {}, { ...body, queries: [query] })
}

function requests(): [string, QueryRequest][] {
  const all: [string, QueryRequest][] = []
  for (const metric of ["often", "rare", "gaps", "counter"] as const) {
    for (const rollup of ["ZERO", "PT5M", "PT1H", "PT24H"]) {
      for (const window of Object.keys(windows) as Window[]) {
        const name = `statistics of ${metric}, ${rollup}, ${window}`
        all.push([name, statisticsOf(metric, rollup, window)])
      }
    }
  }
  all.push([
    "statistics of one series, PT5M, 2 days",
    statisticsOf("often", "PT5M", "2 days", ["host-1"]),
  ])
  for (const statistic of ["actual", "avg", "min", "max", "sum", "cnt"]) {
    all.push([`across elements, ${statistic}, PT5M, 1 day`, acrossOf(statistic, "PT5M", "1 day")])
    all.push([`across elements, ${statistic}, PT5M, today`, acrossOf(statistic, "PT5M", "today")])
  }
  for (const field of ["actual", "avg", "min", "max", "cnt", "sum", "p95"]) {
    all.push([`series, ${field}, 1 day`, seriesOf(field, "1 day")])
  }
  for (const rollup of ["ZERO", "PT5M"]) {
    const of = { elementId: "host-1", metricId: "often", rollup }
    all.push([`samples, ${rollup}, 2 days`, requestOf("samples", { ...of, ...spanOf("2 days") })])
  }
  all.push(["status of all elements", requestOf("elementStatus", {}, {})])
  return all.map(([name, request]) => [name, { ...request, nowMs: endMs }])
}

test("queries read the records and columns that the file says, and no more", async (t) => {
  const store = await openFilledStore(t)
  const counts = new Counts()
  countReads(t, counts)
  const work: Record<string, string> = {}
  for (const [name, request] of requests()) {
    const query = queryOf(store)
    await query.answer(await query.plan(request), null)
    work[name] = counts.take()
  }
  assertWork("queries.json", work)
})
