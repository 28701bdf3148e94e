/** The element of an account that appeared last, for the stream of what arrives (spec/status §2). */

import { defineQuery } from "../core/define-query.ts"
import { withoutSamples } from "../core/query-plan.ts"

/** Of the JSON of the answer; null without an element. */
export type NewestElementAnswer = {
  readonly id: string
  readonly fqn: string
  readonly name: string
  readonly type: string
} | null

export const newestElement = defineQuery({
  kind: "newestElement",
  parse: () => ({}),
  plan: (_, query) => withoutSamples(query),
  answer({ store, ids, budget }, { tenant }) {
    const { catalogue } = store
    for (let element = catalogue.elementCount - 1; element >= 0; element--) {
      budget.step()
      if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue
      const { name, type } = catalogue.elementInfo(element)
      const answer: NewestElementAnswer = {
        id: ids.elementId(element),
        fqn: catalogue.elementFqn(element),
        name,
        type,
      }
      return JSON.stringify(answer)
    }
    return "null"
  },
})
