/** Whether a post changes what is known. Most posts of steady agents do not. */

import { mergedType } from "../catalogue/merge.ts"
import type {
  ElementInfo,
  ElementPatch,
  MetricDefinition,
  MetricPatch,
  NameValue,
} from "../model/element.ts"

/**
 * True if merging `patch` would leave `info` as it is (catalogue/merge.ts), found without merging.
 */
export function isInfoUnchanged(info: ElementInfo, patch: ElementPatch): boolean {
  return (
    info.deletedMs === undefined &&
    (!patch.name || patch.name === info.name) &&
    (!patch.type || patch.type === info.type) &&
    (patch.location === undefined || patch.location === info.location) &&
    containsPairs(info.tags, patch.tags) &&
    containsPairs(info.attributes, patch.attributes) &&
    (patch.relations === undefined || patch.relations.every((fqn) => info.relations.includes(fqn)))
  )
}

/** True if merging `patch` would leave `definition` as it is. */
export function isDefinitionUnchanged(definition: MetricDefinition, patch: MetricPatch): boolean {
  return (
    (patch.name === undefined || patch.name === definition.name) &&
    (patch.unit === undefined || patch.unit === definition.unit) &&
    mergedType(definition.type, patch.type) === definition.type &&
    (patch.sparseDataStrategy === undefined ||
      patch.sparseDataStrategy === definition.sparseDataStrategy) &&
    containsPairs(definition.tags, patch.tags)
  )
}

/**
 * False if `posted` has a name twice with different values, as only one of them can be known. The
 * catalogue then merges and finds no change: slower, and still correct.
 */
function containsPairs(
  known: readonly NameValue[],
  said: readonly NameValue[] | undefined,
): boolean {
  if (said === undefined) return true
  return said.every(({ name, value }) =>
    known.some((pair) => pair.name === name && pair.value === value),
  )
}
