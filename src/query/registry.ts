/** Every kind of query. The types of requests and plans follow from this list. */

import { assert } from "../base/assert.ts"
import { Problems } from "../wire/problems.ts"
import { elementQuery } from "./elements/element.ts"
import { elementCounts } from "./elements/element-counts.ts"
import { elementIds } from "./elements/element-ids.ts"
import { elementList } from "./elements/element-list.ts"
import { elementLookup } from "./elements/element-lookup.ts"
import { elementMetrics } from "./elements/element-metrics.ts"
import { elementSearch } from "./elements/element-search.ts"
import { newestElement } from "./elements/newest-element.ts"
import { namePreview } from "./elements/name-preview.ts"
import { pathNames } from "./elements/path-names.ts"
import { relationships } from "./elements/relationships.ts"
import { scopeCounts } from "./elements/scope-counts.ts"
import { elementStatus } from "./elements/element-status.ts"
import { selectedElements } from "./elements/selected-elements.ts"
import { tags } from "./elements/tags.ts"
import { metricCounts } from "./metrics/metric-counts.ts"
import { metricList } from "./metrics/metric-list.ts"
import { metricNames } from "./metrics/metric-names.ts"
import { metricSearch } from "./metrics/metric-search.ts"
import { metricTree } from "./metrics/metric-tree.ts"
import { searchNames } from "./search/search-names.ts"
import { searchValues } from "./search/search-values.ts"
import { policyReplay } from "./policies/policy-replay.ts"
import { aggregateStatistics } from "./statistics/aggregate-statistics.ts"
import { crossElement } from "./statistics/cross-element.ts"
import { samples } from "./statistics/samples.ts"
import { statistics } from "./statistics/statistics.ts"
import { rawPoints } from "./series/raw-points.ts"
import { seriesQuery } from "./series/series-query.ts"
import type { QueryDefinition } from "./core/define-query.ts"
import type { QueryContext } from "./core/query-context.ts"
import type { QueryPlanOf } from "./core/query-plan.ts"
import type { QueryInput } from "./core/request.ts"
import type { TenantIndex } from "../model/ids.ts"

const definitions = [
  statistics,
  aggregateStatistics,
  crossElement,
  samples,
  seriesQuery,
  rawPoints,
  metricSearch,
  metricCounts,
  metricList,
  metricNames,
  metricTree,
  searchNames,
  searchValues,
  elementSearch,
  elementCounts,
  elementList,
  elementIds,
  elementStatus,
  selectedElements,
  elementQuery,
  elementMetrics,
  elementLookup,
  relationships,
  tags,
  pathNames,
  namePreview,
  newestElement,
  scopeCounts,
  policyReplay,
] as const

type Definition = (typeof definitions)[number]
type AnyDefinition = QueryDefinition<QueryKind, unknown, unknown>
export type QueryKind = Definition["kind"]

export interface QueryRequest extends QueryInput {
  readonly kind: QueryKind
}

/** Narrowed by its `kind`. Structured-clonable: another thread than the planning one may answer. */
export type QueryPlan = PlanBy<Definition>

/** Of the request that was planned. */
interface PlanOrigin {
  readonly tenant: TenantIndex
  readonly nowMs: number
}

type PlanBy<D> =
  D extends QueryDefinition<infer Kind, infer _, infer Query>
    ? QueryPlanOf<Query> & PlanOrigin & { readonly kind: Kind }
    : never

export const queryKinds: readonly QueryKind[] = definitions.map(({ kind }) => kind)

const byKind: ReadonlyMap<QueryKind, AnyDefinition> = new Map(
  definitions.map((definition) => [definition.kind, definition]),
)

/** The plan of a request. Throws `invalid` with all problems of its input, or as `plan` does. */
export async function planOf(context: QueryContext, request: QueryRequest): Promise<QueryPlan> {
  const { kind, tenant, nowMs } = request
  const definition = definitionOf(kind)
  const problems = new Problems()
  const parsed = definition.parse(request, problems)
  problems.throwIfAny()
  assert(parsed !== null, "Expected input without problems to be read")
  const plan = await definition.plan(context, parsed, request)
  // `plan` is of the query that belongs to `kind`, which the type of the look-up cannot express.
  return { ...plan, kind, tenant, nowMs } as QueryPlan
}

export function definitionOf(kind: QueryKind): AnyDefinition {
  return byKind.get(kind)!
}
