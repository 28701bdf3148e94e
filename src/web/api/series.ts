/** POST `/series/query`: values for charts and tables. */

import { isoTimes, type TimeRange } from "../url/time-range.ts"
import { ApiError, type ApiClient } from "./client.ts"
import {
  seriesAnswer,
  type SeriesAnswer,
  type SeriesField,
  type SeriesLine,
  type SeriesRequest,
  type SeriesResult,
} from "./series-answer.ts"

/** Throws as the API client does; a query that fails alone is a result of its own. */
export function querySeries(
  api: ApiClient,
  body: SeriesRequest,
  signal: AbortSignal,
): Promise<SeriesAnswer> {
  return api.call({ method: "POST", path: ["series", "query"], body, schema: seriesAnswer, signal })
}

export interface NamedSeriesRequest {
  /** Ids or FQNs, at most 1,000; those that do not exist are left out of the answer. */
  readonly series: readonly { readonly elementId: string; readonly metricId: string }[]
  readonly range: TimeRange
  /** Columns wanted. */
  readonly width: number
  readonly fields?: readonly SeriesField[]
}

/** Lines of single series, in their order. Throws as the API client does. */
export async function queryNamedSeries(
  api: ApiClient,
  request: NamedSeriesRequest,
  signal: AbortSignal,
): Promise<readonly SeriesLine[]> {
  return (await queryNamedColumns(api, request, signal))?.series ?? []
}

/** The same with the times of their values; null if no series is asked for. */
export async function queryNamedColumns(
  api: ApiClient,
  { series, range, width, fields = ["actual"] }: NamedSeriesRequest,
  signal: AbortSignal,
): Promise<SeriesResult | null> {
  const body = { ...isoTimes(range), width, queries: [{ id: "A", series, fields }] }
  const path = ["series", "query"]
  const answer = await api.call({ method: "POST", path, body, schema: seriesAnswer, signal })
  const [result] = answer.queries
  if (result === undefined) return null
  if (result.status === "error") throw new ApiError(400, result.errors, null)
  return result
}
