/** POST `/elements/name/preview`: how an element would be called by a template. */

import { ServiceError } from "../../base/errors.ts"
import { assert } from "../../base/assert.ts"
import type { JsonText } from "../../wire/json.ts"
import { readNamePreviewBody } from "../../wire/elements/name-preview-body.ts"
import { renderTemplate, type TemplatePart } from "../../wire/elements/name-template.ts"
import { Problems, shown } from "../../wire/problems.ts"
import type { QueryRequest } from "../core/request.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { withoutSamples } from "../core/query-context.ts"

export interface NamePreviewQuery {
  readonly kind: "namePreview"
  readonly element: number
  readonly template: readonly TemplatePart[]
}

/** Throws `missing` where there is no such element. */
export function planNamePreview(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<NamePreviewQuery> {
  const problems = new Problems()
  const body = readNamePreviewBody(request.body ?? {}, problems)
  problems.throwIfAny()
  assert(body !== null, "Expected a body without problems to be read")
  const element = reader.ids.findElement(request.tenant, body.elementId)
  if (element < 0) throw new ServiceError("missing", `Cannot find element ${shown(body.elementId)}`)
  return withoutSamples({ kind: "namePreview", element, template: body.template })
}

export function answerNamePreview(
  { store, ids, tenantUuid }: QueryContext,
  { element, template }: NamePreviewQuery,
): JsonText {
  const { catalogue } = store
  const {
    tags,
    serviceTags = [],
    attributes,
    name,
    type,
    location,
  } = catalogue.elementInfo(element)
  const preview = renderTemplate(template, {
    // What a person set wins over what was posted under that name.
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
}
