/** GET `…/tags` of an element or of one of its metrics: tags set by users, and posted tags. */

import { userTagFields } from "../../wire/legacy-names.ts"
import { metricServiceTags, tagMap } from "../../wire/metric-document.ts"
import { defineQuery } from "../core/define-query.ts"
import { withoutSamples } from "../core/query-plan.ts"
import { resolvePath } from "../core/resolve-path.ts"

export const tags = defineQuery({
  kind: "tags",
  parse: (input) => input,
  plan: (context, input) => withoutSamples(resolvePath(context, input)),
  answer({ store: { catalogue }, legacyNames }, { plan }) {
    const { element, series } = plan.query
    const info = catalogue.elementInfo(element)
    const definition = series < 0 ? null : catalogue.seriesDefinition(series)
    const userTags =
      definition === null ? tagMap(info.serviceTags ?? []) : metricServiceTags(definition)
    const sourceTags = tagMap((definition ?? info).tags)
    return JSON.stringify({ ...userTagFields(userTags, legacyNames), sourceTags })
  },
})
