/**
 * POST `/series/query`: values that charts, tables and widgets draw (spec/series §1). Many queries
 * share one window; each finds series by a filter or by name, keeps the first of an order, and puts
 * their values into columns. A query that cannot be answered is an error of its own.
 */

import { invalid } from "../../base/errors.ts"
import { seriesOrderMsMax, seriesReadMsMax } from "../../base/limits/series.ts"
import { shown } from "../../wire/problems.ts"
import { printSeriesCsv, type CsvQuery } from "../../wire/series/series-csv.ts"
import { readSeriesQueryBody } from "../../wire/series/series-query-body.ts"
import { printSeriesAnswer, type SeriesQueryResult } from "../../wire/series/series-query-result.ts"
import { defineQuery } from "../core/define-query.ts"
import { IndexSet } from "../core/index-set.ts"
import type { QueryContext } from "../core/query-context.ts"
import { answerSeriesQuery, newSharedRead, type SharedRead } from "./series-answer.ts"
import {
  orErrors,
  planSeriesQuery,
  readRetention,
  unflushedSpanOf,
  type PlannedSeriesQuery,
} from "./series-plan.ts"
import { readSeriesWindow } from "./series-window.ts"

export const seriesQuery = defineQuery({
  kind: "seriesQuery",
  /** The parameter `format`, which routes set, is `csv` or absent. */
  parse({ params, body: json, nowMs }, problems) {
    const body = readSeriesQueryBody(json, problems)
    if (body === null) return null
    const { width, resolution, queries } = body
    const span = readSeriesWindow(body, nowMs, problems)
    const isCsv = params["format"]?.[0] === "csv"
    return { span, width, resolution, queries, nowMs, isCsv }
  },
  async plan(context, { queries: read, resolution, ...rest }, { tenant }) {
    const queries: PlannedSeriesQuery[] = []
    const retainedFromMs = await readRetention(context)
    const input = { ...rest, resolution, tenant, retainedFromMs }
    for (const one of read) queries.push(await planSeriesQuery(context, one, input))
    const series = seriesOf(context, queries)
    return { series, span: unflushedSpanOf(queries), query: { ...rest, queries } }
  },
  async answer(context, { plan: { query }, unflushed }) {
    const { span, width, nowMs, queries } = query
    const startedMs = context.elapsedMs()
    const isPast = (ms: number) => context.elapsedMs() - startedMs > ms
    const isOver = () => isPast(seriesReadMsMax)
    const isOrderOver = () => isPast(seriesOrderMsMax)
    const rawFromMs = await context.store.retainedFromMs("ZERO")
    const asked = { window: span, width, unflushed, rawFromMs, isOver, isOrderOver }
    const shared = newSharedRead(asked)
    const results: SeriesQueryResult[] = []
    for (const one of queries) results.push(await resultOf(context, one, shared))
    if (query.isCsv) return printSeriesCsv(results.map(withoutErrors))
    return printSeriesAnswer({ span, nowMs, queries: results })
  },
})

/** CSV has no place for an error. Throws `invalid` with those of a query. */
function withoutErrors({ id, result, errors }: SeriesQueryResult): CsvQuery {
  if (result !== undefined) return { id, result }
  throw invalid((errors ?? []).map((error) => `queries: ${shown(id)}: ${error}`))
}

/** Series of all queries, each once. */
function seriesOf({ store }: QueryContext, queries: readonly PlannedSeriesQuery[]): Int32Array {
  const all = new IndexSet(store.catalogue.seriesCount)
  for (const query of queries) {
    if (query.errors === undefined) for (const one of query.series) all.add(one)
  }
  return all.toArray()
}

async function resultOf(
  context: QueryContext,
  planned: PlannedSeriesQuery,
  shared: SharedRead,
): Promise<SeriesQueryResult> {
  const { id } = planned
  if (planned.errors !== undefined) return { id, errors: planned.errors }
  return orErrors(id, async () => {
    return { id, result: await answerSeriesQuery(context, planned, shared) }
  })
}
