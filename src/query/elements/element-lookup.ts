/** Details of elements by FQN, for events. Our own handlers send it and have validated its body. */

import type { NameValue } from "../../model/element.ts"
import type { EventElement } from "../../model/records/event.ts"
import { defineQuery } from "../core/define-query.ts"
import { withoutSamples } from "../core/query-plan.ts"
import { effectiveTags } from "../filter/columns.ts"

/** The body of the request. */
export interface ElementLookupBody {
  readonly elementFqns: readonly string[]
}

/** Details by FQN; unknown elements are left out. */
export type ElementLookupAnswer = Readonly<Record<string, ElementSummary>>

export interface ElementSummary extends EventElement {
  readonly id: string
  readonly attributes: readonly NameValue[]
  /** Tags set by users; `tags` holds them too. */
  readonly serviceTags: readonly NameValue[]
}

export const elementLookup = defineQuery({
  kind: "elementLookup",
  parse: ({ body }) => body as ElementLookupBody,
  plan: (_, body) => withoutSamples(body),
  answer(context, { plan, tenant }) {
    const { catalogue } = context.store
    const summaries = new Map<string, ElementSummary>()
    for (const fqn of plan.query.elementFqns) {
      context.budget.step()
      const element = context.ids.findElement(tenant, fqn)
      if (element < 0 || catalogue.isDeleted(element)) continue
      const info = catalogue.elementInfo(element)
      const { name, type, location, attributes, serviceTags = [] } = info
      const id = context.ids.elementId(element)
      const tags = effectiveTags(info)
      summaries.set(fqn, { id, name, type, location, tags, attributes, serviceTags })
    }
    return JSON.stringify(Object.fromEntries(summaries))
  },
})
