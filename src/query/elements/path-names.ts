/** The FQNs of the element and metric in a path, by which the writer knows them. */

import { defineQuery } from "../core/define-query.ts"
import { withoutSamples } from "../core/query-plan.ts"
import { resolvePath } from "../core/resolve-path.ts"

export interface PathNames {
  readonly element: string
  /** Null if the path names no metric. */
  readonly metric: string | null
}

export const pathNames = defineQuery({
  kind: "names",
  parse: (input) => input,
  plan: (context, input) => withoutSamples(resolvePath(context, input)),
  answer({ store: { catalogue } }, { plan }) {
    const { element, series } = plan.query
    const names: PathNames = {
      element: catalogue.elementFqn(element),
      metric: series < 0 ? null : catalogue.name(catalogue.seriesName(series)).fqn,
    }
    return JSON.stringify(names)
  },
})
