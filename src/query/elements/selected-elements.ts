/**
 * The FQNs of elements that are given by ids or by a filter, for changes of many. Our own handlers
 * send it and have validated its body.
 */

import { invalid } from "../../base/errors.ts"
import { bulkElementsMax } from "../../base/limits/search.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import { defineQuery } from "../core/define-query.ts"
import type { QueryContext } from "../core/query-context.ts"
import { matchedElements, planElementSearch } from "../filter/activity-filter.ts"
import type { TenantIndex } from "../../model/ids.ts"

/** The body of the request: ids or FQNs, or null for the elements that pass the filter. */
export interface SelectedElementsBody {
  readonly ids: readonly string[] | null
  readonly filter: Filter
}

export interface SelectedElementsAnswer {
  /** Each once. */
  readonly fqns: readonly string[]
  /** Those of `ids` without an element. */
  readonly unknown: readonly string[]
}

export const selectedElements = defineQuery({
  kind: "selectedElements",
  parse: ({ body }) => body as SelectedElementsBody,
  async plan(context, { ids, filter }, { tenant }) {
    const plan = await planElementSearch(context, tenant, { filter, span: null })
    return { ...plan, query: { ...plan.query, ids } }
  },
  async answer(context, planned) {
    const { ids } = planned.plan.query
    const { catalogue } = context.store
    if (ids !== null) return JSON.stringify(named(context, planned.tenant, ids))
    const found = await matchedElements(context, planned)
    if (found.size > bulkElementsMax) {
      throw invalid(
        `filter: ${found.size} elements pass, more than ${bulkElementsMax}: narrow the filter`,
      )
    }
    const fqns = Array.from(found.toArray(), (element) => catalogue.elementFqn(element))
    const answer: SelectedElementsAnswer = { fqns, unknown: [] }
    return JSON.stringify(answer)
  },
})

function named(
  { ids, store }: QueryContext,
  tenant: TenantIndex,
  wanted: readonly string[],
): SelectedElementsAnswer {
  const fqns = new Set<string>()
  const unknown = new Set<string>()
  for (const id of wanted) {
    const element = ids.findElement(tenant, id)
    if (element < 0) unknown.add(id)
    else fqns.add(store.catalogue.elementFqn(element))
  }
  return { fqns: [...fqns], unknown: [...unknown] }
}
