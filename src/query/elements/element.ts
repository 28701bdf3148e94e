/** Elements as documents, and GET `/elements/{id}`: everything that is known of one. */

import { uuidV3 } from "../../base/uuid.ts"
import type { ElementProcessing, ElementSubject } from "../../wire/elements/element-document.ts"
import { elementDocument, elementFieldNames } from "../../wire/elements/element-document.ts"
import type { JsonText } from "../../wire/json.ts"
import type { QueryRequest } from "../core/request.ts"
import { metricSubject } from "../metrics/metric-subject.ts"
import { resolveElement } from "./resolve-path.ts"
import { ElementChecks } from "../filter/element-checks.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { withoutSamples } from "../core/query-context.ts"

export interface ElementQuery {
  readonly kind: "element"
  readonly element: number
}

/** Throws `missing` where there is no such element. */
export function planElement(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<ElementQuery> {
  return withoutSamples({ kind: "element", element: resolveElement(reader, request) })
}

export function answerElement(reader: QueryContext, { element }: ElementQuery): JsonText {
  const document = elementDocument(
    elementSubject(reader, element),
    elementFieldNames,
    reader.legacyNames,
  )
  return JSON.stringify({ element: document })
}

/** What lists share between their elements. */
export interface ElementSubjectOptions {
  readonly processing?: Omit<ElementProcessing, "relationId">
  readonly checks?: ElementChecks
}

/** An element as documents show it; with `processing` as lists do. */
export function elementSubject(
  reader: QueryContext,
  element: number,
  { processing, checks }: ElementSubjectOptions = {},
): ElementSubject {
  const { catalogue } = reader.store
  const id = reader.ids.elementId(element)
  // The NUL tells relations from attributes of the same name.
  const relationId = (fqn: string) => uuidV3(id, `relation\0${fqn}`)
  return {
    id,
    tenantId: reader.tenantUuid(catalogue.elementTenant(element)),
    fqn: catalogue.elementFqn(element),
    info: catalogue.elementInfo(element),
    // Made when it is read: whoever excludes the metrics of 10,000 elements need not make them.
    get metrics() {
      return Array.from(catalogue.elementSeries(element), (one) => metricSubject(reader, one))
    },
    get checkNames() {
      const known = checks ?? new ElementChecks(reader, catalogue.elementTenant(element))
      return known.of(catalogue.elementFqn(element)).map(({ name }) => name)
    },
    attributeId: (name) => uuidV3(id, name),
    ...(processing === undefined ? {} : { processing: { ...processing, relationId } }),
  }
}
