/**
 * The metrics of a summary: those that a package marks with the tag `utilization`, then the ones
 * that move most for their size.
 */

import type { ApiClient } from "../../api/client.ts"
import { querySeries } from "../../api/series.ts"
import type { SeriesQuery } from "../../api/series-answer.ts"
import { exactly } from "../../url/filter-groups.ts"
import { isoTimes, type TimeRange } from "../../url/time-range.ts"
import { mostActive } from "./activity.ts"

/** Charts of a summary: a window of 1,280 pixels shows them without scrolling. */
export const summaryCharts = 12
/** Metrics that are compared; the server's limit of lines. */
const comparedMax = 1_000

/** Names, at most `summaryCharts`. Throws as the API client does. */
export async function summaryMetrics(
  api: ApiClient,
  { elementId, range }: { readonly elementId: string; readonly range: TimeRange },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const elementIds = exactly([elementId])
  const query = (id: string, filter: SeriesQuery["filter"]): SeriesQuery => ({
    id,
    filter: { elementIds, ...filter },
    fields: ["actual"],
    by: "series",
    aggregation: "avg",
    order: { by: "max", direction: "desc" },
    limit: comparedMax,
    summaryOnly: true,
  })
  const metricTags = { and: true, items: [{ key: "utilization" }] }
  const queries = [query("marked", { metricTags }), query("all", {})]
  const answer = await querySeries(api, { ...isoTimes(range), width: 1, queries }, signal)
  const lines = answer.queries.map((one) => (one.status === "ok" ? one.series : []))
  return mostActive(lines).slice(0, summaryCharts)
}
