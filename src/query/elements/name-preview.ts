/** POST `/elements/name/preview`: the name that a template would give to an element. */

import { ServiceError } from "../../base/errors.ts"
import { readNamePreviewBody } from "../../wire/elements/name-preview-body.ts"
import { renderTemplate } from "../../wire/elements/name-template.ts"
import { shown } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { withoutSamples } from "../core/query-plan.ts"

export const namePreview = defineQuery({
  kind: "namePreview",
  parse: (input, problems) => readNamePreviewBody(input.body ?? {}, problems),
  plan(context, { elementId, template }, { tenant }) {
    const element = context.ids.findElement(tenant, elementId)
    if (element < 0) throw new ServiceError("missing", `Cannot find element ${shown(elementId)}`)
    return withoutSamples({ element, template })
  },
  answer({ store: { catalogue }, ids, tenantUuid }, { plan }) {
    const { element, template } = plan.query
    const info = catalogue.elementInfo(element)
    const { tags, serviceTags = [], attributes, name, type, location } = info
    const preview = renderTemplate(template, {
      // A tag set by a user wins over a posted one of that name.
      tags: [...serviceTags, ...tags],
      attributes,
      meta: {
        fqn: catalogue.elementFqn(element),
        location: location ?? "",
        type,
        id: ids.elementId(element),
        tenantId: tenantUuid(catalogue.elementTenant(element)),
        originalName: name,
      },
    })
    return JSON.stringify({ preview })
  },
})
