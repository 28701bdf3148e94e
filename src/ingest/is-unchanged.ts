/** Whether a post says anything that is not known yet. Steady agents say nothing new in most posts. */

import { mergedType } from "../catalogue/merge.ts"
import type {
  ElementInfo,
  ElementPatch,
  MetricDefinition,
  MetricPatch,
  NameValue,
} from "../model/element.ts"

/** True where merging `say` would leave `info` as it is (catalogue/merge.ts), told without merging. */
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

/** True where merging `say` would leave `definition` as it is. */
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
 * False at the latest where one name is said with two values: only one of them can be known. The
 * catalogue then finds that the merge changes nothing, which costs time and is never wrong.
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
