/**
 * One kind of query: its name, its input, and the two halves of its work (query.ts says why there
 * are two).
 * A new kind is one file with a `defineQuery`, and one line in registry.ts.
 */

import type { UnflushedSamples } from "../../store/append-store.ts"
import type { Answer } from "../../store/query-store.ts"
import type { JsonText } from "../../wire/json.ts"
import type { Problems } from "../../wire/problems.ts"
import type { QueryContext } from "./query-context.ts"
import type { QueryPlanOf, WorkQueue } from "./query-plan.ts"
import type { QueryInput } from "./request.ts"
import type { TenantIndex } from "../../model/ids.ts"

/** A plan that is being answered. */
export interface PlannedQuery<Query> {
  readonly plan: QueryPlanOf<Query>
  readonly tenant: TenantIndex
  /** The writer's unflushed samples of `plan.series` in `plan.span`; null if there are none. */
  readonly unflushed: UnflushedSamples | null
  /** Scan workers that share a plan with a partitioning; null if this thread answers alone. */
  readonly queue: WorkQueue | null
}

/**
 * `Parsed` is the input as it was read. `Query` is what `plan` hands to `answer`, perhaps on
 * another thread: structured-clonable.
 *
 * `plan` and `answer` wait for the store only, and other queries of the thread may run meanwhile:
 * the memory that they work with is their own. A query of the embedded store waits for microtasks.
 */
export interface QueryDefinition<Kind extends string, Parsed, Query> {
  readonly kind: Kind
  /** Reads the input and adds all its problems; if it adds one, its result is not used. */
  parse(input: QueryInput, problems: Problems): Parsed | null
  /**
   * Resolves the series and elements that the input names. Throws `missing` if one thing that it
   * names does not exist, `invalid` if a named limit is exceeded.
   */
  plan(context: QueryContext, parsed: Parsed, input: QueryInput): Answer<QueryPlanOf<Query>>
  /** Prints the answer's JSON. Throws `invalid` if the answer would exceed a named limit. */
  answer(context: QueryContext, planned: PlannedQuery<Query>): Answer<JsonText>
}

export function defineQuery<const Kind extends string, Parsed, Query>(
  definition: QueryDefinition<Kind, Parsed, Query>,
): QueryDefinition<Kind, Parsed, Query> {
  return definition
}
