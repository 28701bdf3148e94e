/** Names of metrics: by a part of the name, by a filter of elements, and as a tree of dotted names. */

import * as v from "valibot"
import { addedLast } from "../format/metric-name.ts"
import type { FilterGroups } from "../url/filter-groups.ts"
import type { ApiClient } from "./client.ts"

export interface MetricName {
  readonly fqn: string
  /** Elements that have it. */
  readonly elements: number
}

export interface MetricNames {
  readonly names: readonly MetricName[]
  /** Names that there are; a lower bound of very many. */
  readonly total: number
}

/** The most that a search answers. */
const foundMax = 50

const foundAnswer = v.object({
  metrics: v.object({
    total: v.number(),
    items: v.array(v.object({ id: v.string(), elements: v.optional(v.number(), 0) })),
  }),
})

/** Names with a text in them, the best first (spec/search §1). Throws as the API client does. */
export async function findMetricNames(
  api: ApiClient,
  typed: string,
  signal: AbortSignal,
): Promise<MetricNames> {
  const query = { q: typed, kinds: "metrics", limit: foundMax }
  const { metrics } = await api.call({ path: ["search"], query, schema: foundAnswer, signal })
  const names = metrics.items.map(({ id, elements }) => ({ fqn: id, elements }))
  return { names: addedLast(names), total: metrics.total }
}

const countsAnswer = v.object({
  aggregations: v.array(v.object({ fieldValue: v.string(), count: v.number() })),
})

/** Names that pass the filter, those of most elements first. Throws as the API client does. */
export async function filteredMetricNames(
  api: ApiClient,
  filter: FilterGroups,
  signal: AbortSignal,
): Promise<MetricNames> {
  const path = ["metrics", "search", "metricAgg", "fqn"]
  const body = { ...filter, sort: { field: "count", order: "desc" } }
  const call = { method: "POST", path, body, schema: countsAnswer, signal } as const
  const { aggregations } = await api.call(call)
  const names = aggregations.map(({ fieldValue, count }) => ({ fqn: fieldValue, elements: count }))
  return { names: addedLast(names), total: names.length }
}

const treeSchema = v.object({
  nodes: v.array(
    v.object({
      segment: v.string(),
      fqn: v.string(),
      isLeaf: v.boolean(),
      children: v.number(),
      metrics: v.number(),
      elements: v.number(),
    }),
  ),
  truncated: v.boolean(),
})
export type MetricTree = v.InferOutput<typeof treeSchema>

/** One level of the names below a prefix (spec/search §2). Throws as the API client does. */
export function metricTree(
  api: ApiClient,
  prefix: string,
  signal: AbortSignal,
): Promise<MetricTree> {
  const query = prefix === "" ? {} : { prefix }
  return api.call({ path: ["metrics", "tree"], query, schema: treeSchema, signal })
}
