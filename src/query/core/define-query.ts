/**
 * One kind of query: its name, and the two halves of its work (query.ts says why there are two).
 * A new kind is one file with a `defineQuery`, and one line in registry.ts.
 */

import type { UnflushedSamples } from "../../store/append-store.ts"
import type { Answer } from "../../store/query-store.ts"
import type { JsonText } from "../../wire/json.ts"
import type { QueryContext } from "./query-context.ts"
import type { QueryPlanOf, WorkQueue } from "./query-plan.ts"
import type { QueryInput } from "./request.ts"

/** A plan that is being answered. */
export interface PlannedQuery<Query> {
  readonly plan: QueryPlanOf<Query>
  readonly tenant: number
  /** The writer's unflushed samples of `plan.series` in `plan.span`; null if there are none. */
  readonly unflushed: UnflushedSamples | null
  /** Scan workers that share a plan with a partitioning; null if this thread answers alone. */
  readonly queue: WorkQueue | null
}

/**
 * `Query` is what `plan` hands to `answer`, perhaps on another thread: structured-clonable. Both
 * wait for the store only: a query that reads nothing of it, or reads the embedded store, is never
 * suspended. Other queries of a thread run meanwhile, so what a query works with is its own.
 */
export interface QueryDefinition<Kind extends string, Query> {
  readonly kind: Kind
  /**
   * Reads the input and resolves the series and elements it names. Throws `invalid` with all
   * problems of the input, or `missing` if one thing that it names does not exist.
   */
  plan(context: QueryContext, input: QueryInput): Answer<QueryPlanOf<Query>>
  /** Prints the answer's JSON. Throws `invalid` if the answer would exceed a named limit. */
  answer(context: QueryContext, planned: PlannedQuery<Query>): Answer<JsonText>
}

export function defineQuery<const Kind extends string, Query>(
  definition: QueryDefinition<Kind, Query>,
): QueryDefinition<Kind, Query> {
  return definition
}
