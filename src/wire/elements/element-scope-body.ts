/**
 * The body of `/metrics/statistics/aggregate`: a scope of elements, bare or wrapped in
 * `elementScope`, as the documented name of the parameter (`elementScopeWrapper`) suggests.
 */

import * as v from "valibot"
import { objectValue, readWith, textValue } from "../body.ts"
import type { Problems } from "../problems.ts"
import { shown } from "../problems.ts"
import { refuseUnknownNames } from "../unknown-names.ts"

/** One text or several; none if absent. */
const texts = v.pipe(
  v.nullish(v.union([textValue, v.array(textValue)], "a text or an array of texts"), []),
  v.transform((value) => (Array.isArray(value) ? value : [value]).filter((text) => text !== "")),
)
const pairs = v.nullish(v.array(objectValue({ name: textValue, value: v.nullish(textValue) })), [])

const scope = {
  ids: texts,
  nameContains: texts,
  nameExcludes: texts,
  fqnIncludes: texts,
  fqnExcludes: texts,
  types: texts,
  tags: pairs,
  attributes: pairs,
  startTime: v.nullish(textValue, ""),
  endTime: v.nullish(textValue, ""),
}
const scopeBody = objectValue(scope)

/** The posted body; every part is optional, and an element must pass all given parts. */
export const elementScopeBody = objectValue({ ...scope, elementScope: v.nullish(scopeBody) })
const anyScopeBody = objectValue({
  ...scope,
  elementScope: v.nullish(scopeBody),
  elementScopeWrapper: v.nullish(scopeBody),
})

export type ElementScope = v.InferOutput<typeof scopeBody>

/** null if invalid; each reason is added to `problems`. No body selects all elements. */
export function readElementScope(raw: unknown, problems: Problems): ElementScope | null {
  const given = raw ?? {}
  if (typeof given !== "object" || Array.isArray(given)) {
    problems.add(`body: expected a JSON object, got ${shown(given)}`)
    return null
  }
  refuseUnknownNames(anyScopeBody, given, { path: "", problems })
  const { elementScope, elementScopeWrapper } = given as Record<string, unknown>
  const inner = elementScope ?? elementScopeWrapper
  if (inner === undefined || inner === null) {
    return readWith(scopeBody, given, { path: "", problems })
  }
  return readWith(scopeBody, inner, { path: "elementScope", problems })
}
