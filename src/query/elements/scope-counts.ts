/**
 * Counts the elements in the scopes of policies, or finds the policies that watch one element. Our
 * own handlers send it and have validated its body.
 */

import { ServiceError } from "../../base/errors.ts"
import type { PolicyScope } from "../../model/records/policy.ts"
import { ScopeMatcher, type ScopeSubject } from "../../policy/scope.ts"
import { shown } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import type { QueryContext } from "../core/query-context.ts"
import { withoutSamples } from "../core/query-plan.ts"
import { effectiveTags } from "../filter/columns.ts"
import type { ElementIndex, TenantIndex } from "../../model/ids.ts"

/** The body of the request: scopes by policy id. */
export interface ScopeCountsBody {
  readonly scopes: Readonly<Record<string, PolicyScope>>
}

/** `elements`: their number by policy id; 1 or 0 if the request names one element. */
export interface ScopeCountsAnswer {
  readonly elements: Readonly<Record<string, number>>
}

export const scopeCounts = defineQuery({
  kind: "scopes",
  parse: ({ body }) => body as ScopeCountsBody,
  plan({ store, ids }, { scopes }, { tenant, params }) {
    const id = params["elementId"]?.[0]
    if (id === undefined) return withoutSamples<ScopeCountsQuery>({ element: null, scopes })
    const element = ids.findElement(tenant, id)
    if (element < 0 || store.catalogue.isDeleted(element)) {
      throw new ServiceError("missing", `Cannot find element ${shown(id)}`)
    }
    return withoutSamples<ScopeCountsQuery>({ element, scopes })
  },
  answer(context, { plan, tenant }) {
    const { element, scopes } = plan.query
    const matchers = Object.entries(scopes).map(
      ([id, scope]) => [id, new ScopeMatcher(scope)] as const,
    )
    const counts = new Map(matchers.map(([id]) => [id, 0]))
    const subjects = element === null ? allSubjects(context, tenant) : [subjectOf(context, element)]
    for (const subject of subjects) {
      for (const [id, matcher] of matchers) {
        context.budget.check()
        if (matcher.matches(subject)) counts.set(id, counts.get(id)! + 1)
      }
    }
    const answer: ScopeCountsAnswer = { elements: Object.fromEntries(counts) }
    return JSON.stringify(answer)
  },
})

interface ScopeCountsQuery extends ScopeCountsBody {
  /** Null counts all elements. */
  readonly element: ElementIndex | null
}

function* allSubjects(context: QueryContext, tenant: TenantIndex): Iterable<ScopeSubject> {
  const { catalogue } = context.store
  for (let element = 0; element < catalogue.elementCount; element++) {
    if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue
    yield subjectOf(context, element)
  }
}

function subjectOf({ store: { catalogue } }: QueryContext, element: ElementIndex): ScopeSubject {
  const info = catalogue.elementInfo(element)
  const { name, type, attributes } = info
  return { fqn: catalogue.elementFqn(element), name, type, attributes, tags: effectiveTags(info) }
}
