/** Names of metrics, with the number of elements that have each. */

import * as v from "valibot"
import type { FilterGroups } from "../url/filter-groups.ts"
import type { ApiClient } from "./client.ts"

const answer = v.object({
  aggregations: v.array(v.object({ fieldValue: v.string(), count: v.number() })),
})

export interface MetricName {
  readonly fqn: string
  /** Elements that have it. */
  readonly elements: number
}

/** Names that pass the filter, those of most elements first. Throws as the API client does. */
export async function metricNames(
  api: ApiClient,
  filter: FilterGroups,
  signal: AbortSignal,
): Promise<MetricName[]> {
  const path = ["metrics", "search", "metricAgg", "fqn"]
  const body = { ...filter, sort: { field: "count", order: "desc" } }
  const { aggregations } = await api.call({ method: "POST", path, body, schema: answer, signal })
  return aggregations.map(({ fieldValue, count }) => ({ fqn: fieldValue, elements: count }))
}
