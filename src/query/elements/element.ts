/** Elements as documents, and GET `/elements/{id}`: the whole document of one. */

import { assert } from "../../base/assert.ts"
import { uuidV3 } from "../../base/uuid.ts"
import type {
  ElementProcessing,
  ElementSubject,
  EventCount,
} from "../../wire/elements/element-document.ts"
import {
  elementDocument,
  elementFieldNames,
  type ElementField,
} from "../../wire/elements/element-document.ts"
import { defineQuery } from "../core/define-query.ts"
import type { QueryContext } from "../core/query-context.ts"
import { withoutSamples } from "../core/query-plan.ts"
import { readElementChecks, type ElementChecks } from "../filter/element-checks.ts"
import { metricSubject } from "../metrics/metric-subject.ts"
import { resolveElement } from "../core/resolve-path.ts"
import type { ElementIndex } from "../../model/ids.ts"

export const elementQuery = defineQuery({
  kind: "element",
  parse: (input) => input,
  plan: (context, input) => withoutSamples({ element: resolveElement(context, input) }),
  async answer(context, { plan, tenant }) {
    const checks = await readElementChecks(context, tenant)
    const subject = elementSubject(context, plan.query.element, { checks })
    const document = elementDocument(subject, elementFieldNames, context.legacyNames)
    return JSON.stringify({ element: document })
  },
})

interface ElementSubjectOptions {
  /** Processing status, which lists of elements show. */
  readonly processing?: Omit<ElementProcessing, "relationId">
  /** Of the tenant; null if no field of `fieldsWithChecks` is read of the subject. */
  readonly checks: ElementChecks | null
}

/** The events of an element that has none, or of which none are asked for. */
export const withoutEvents: EventCount = { total: 0, topCategory: null }

/** Fields whose value depends on `checkNames`. */
export const fieldsWithChecks: readonly ElementField[] = ["serviceTags", "netuitiveTags"]

/** The content of an element's document. */
export function elementSubject(
  context: QueryContext,
  element: ElementIndex,
  { processing, checks }: ElementSubjectOptions,
): ElementSubject {
  const { catalogue } = context.store
  const id = context.ids.elementId(element)
  // The NUL separates relations from attributes of the same name.
  const relationId = (fqn: string) => uuidV3(id, `relation\0${fqn}`)
  return {
    id,
    tenantId: context.tenantUuid(catalogue.elementTenant(element)),
    fqn: catalogue.elementFqn(element),
    info: catalogue.elementInfo(element),
    // Computed on access: a request that excludes the metrics of 10,000 elements never builds them.
    get metrics() {
      return Array.from(catalogue.elementSeries(element), (one) => metricSubject(context, one))
    },
    get checkNames() {
      assert(checks !== null, "Expected the checks of elements to be read before they are shown")
      return checks.of(catalogue.elementFqn(element)).map(({ name }) => name)
    },
    attributeId: (name) => uuidV3(id, name),
    ...(processing === undefined ? {} : { processing: { ...processing, relationId } }),
  }
}
