/** GET `/elements/{id}`: everything that is known of one element and its metrics. */

import { ServiceError } from "../base/errors.ts"
import { uuidV3 } from "../base/uuid.ts"
import { elementDocument } from "../wire/element-document.ts"
import { encodeJson } from "../wire/json.ts"
import type { AskRequest } from "./ask.ts"
import { metricSubject } from "./metric-query.ts"
import { Parameters } from "./parameters.ts"
import { Problems, shown } from "../wire/problems.ts"
import type { Planned, Reader } from "./reader.ts"
import { withoutSamples } from "./reader.ts"

export interface ElementQuestion {
  readonly kind: "element"
  readonly element: number
}

/** Throws `missing` where there is no such element. */
export function planElement(reader: Reader, request: AskRequest): Planned<ElementQuestion> {
  const problems = new Problems()
  const id = new Parameters(request.params, problems).one("elementId") ?? ""
  problems.throwIfAny()
  const element = reader.identity.findElement(request.tenant, id)
  if (element < 0) throw new ServiceError("missing", `Cannot find element ${shown(id)}`)
  return withoutSamples({ kind: "element", element })
}

export function answerElement(reader: Reader, { element }: ElementQuestion): Uint8Array {
  const { catalogue } = reader.store
  const id = reader.identity.elementId(element)
  const document = elementDocument({
    id,
    tenantId: reader.tenantUuid(catalogue.elementTenant(element)),
    fqn: catalogue.elementFqn(element),
    info: catalogue.elementInfo(element),
    metrics: Array.from(catalogue.elementSeries(element), (series) =>
      metricSubject(reader, series),
    ),
    attributeId: (name) => uuidV3(id, name),
  })
  return encodeJson(JSON.stringify({ element: document }))
}
