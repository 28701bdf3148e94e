/** Asks for the main metric of each type. The first elements of a type speak for all of it. */

import type { ApiClient } from "../../../api/client.ts"
import { querySeries } from "../../../api/series.ts"
import type { SeriesQuery } from "../../../api/series-answer.ts"
import { exactly } from "../../../url/filter-groups.ts"
import { isoTimes, type TimeRange } from "../../../url/time-range.ts"
import { mainMetric } from "./main-metric.ts"
import type { TypeSample } from "./tile-groups.ts"

/** Three queries a type; the server takes 64. Tiles of further types have no value. */
const typesMax = 21
/** Metrics that are compared; the server's limit of lines. */
const comparedMax = 1_000

/** Names of metrics by type; types whose elements have no values have none. Throws as the API client does. */
export async function mainMetrics(
  api: ApiClient,
  { samples, range }: { readonly samples: readonly TypeSample[]; readonly range: TimeRange },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const asked = samples.slice(0, typesMax)
  const queries = asked.flatMap(queriesOf)
  if (queries.length === 0) return new Map()
  const answer = await querySeries(api, { ...isoTimes(range), width: 1, queries }, signal)
  const lines = answer.queries.map((one) => (one.status === "ok" ? one.series : []))
  const found = asked.flatMap(({ type }, i): [string, string][] => {
    const [marked = [], counted = [], averaged = []] = lines.slice(3 * i, 3 * i + 3)
    const name = mainMetric({ marked, counted, averaged })
    return name === null ? [] : [[type, name]]
  })
  return new Map(found)
}

function queriesOf({ fqns }: TypeSample, i: number): SeriesQuery[] {
  const elementFqns = exactly(fqns)
  const all = {
    filter: { elementFqns },
    fields: ["actual"],
    by: "metric",
    aggregation: "avg",
    order: { by: "max", direction: "desc" },
    limit: comparedMax,
    summaryOnly: true,
  } as const
  const metricTags = { and: true, items: [{ key: "utilization" }] }
  return [
    { ...all, id: `marked ${i}`, filter: { elementFqns, metricTags } },
    { ...all, id: `counted ${i}`, aggregation: "cnt" },
    { ...all, id: `averaged ${i}` },
  ]
}
