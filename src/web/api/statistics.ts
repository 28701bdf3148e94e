/** POST `/metrics/statistics`: percentiles of single series over a window (spec/statistics §4). */

import * as v from "valibot"
import { isoTimes, type TimeRange } from "../url/time-range.ts"
import type { ApiClient } from "./client.ts"
import { seriesKey } from "./series-answer.ts"

const statisticsSchema = v.object({
  median: v.number(),
  percentile5: v.number(),
  percentile25: v.number(),
  percentile75: v.number(),
  percentile95: v.number(),
})
export type SeriesStatistics = v.InferOutput<typeof statisticsSchema>

const statisticsAnswer = v.object({
  metrics: v.array(
    v.object({ elementId: v.string(), metricId: v.string(), statistics: statisticsSchema }),
  ),
})

export interface StatisticsRequest {
  readonly fqn: string
  readonly elementIds: readonly string[]
  readonly range: TimeRange
  readonly rollup: string
  /** Percentiles of ZERO from every raw sample. */
  readonly exact?: boolean
}

/** By element and metric, as `seriesKey` has them. Throws as the API client does. */
export async function seriesStatistics(
  api: ApiClient,
  { fqn, elementIds, range, rollup, exact }: StatisticsRequest,
  signal: AbortSignal,
): Promise<Map<string, SeriesStatistics>> {
  const query = { fqn, rollup, exact, ...isoTimes(range) }
  const { metrics } = await api.call({
    method: "POST",
    path: ["metrics", "statistics"],
    query,
    body: elementIds,
    schema: statisticsAnswer,
    signal,
  })
  return new Map(
    metrics.map(({ elementId, metricId, statistics }) => [
      seriesKey(elementId, metricId),
      statistics,
    ]),
  )
}
