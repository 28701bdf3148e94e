/** Whether a post says anything that is not known yet. Steady agents say nothing new in most posts. */

import { typeAfter } from "../catalogue/merge.ts"
import type {
  ElementInfo,
  ElementPatch,
  MetricDefinition,
  MetricPatch,
  NameValue,
} from "../model/element.ts"

/** True where merging `say` would leave `info` as it is (catalogue/merge.ts), told without merging. */
export function infoHolds(info: ElementInfo, say: ElementPatch): boolean {
  return (
    info.deletedMs === undefined &&
    (!say.name || say.name === info.name) &&
    (!say.type || say.type === info.type) &&
    (say.location === undefined || say.location === info.location) &&
    pairsHold(info.tags, say.tags) &&
    pairsHold(info.attributes, say.attributes) &&
    (say.relations === undefined || say.relations.every((fqn) => info.relations.includes(fqn)))
  )
}

/** True where merging `say` would leave `definition` as it is. */
export function definitionHolds(definition: MetricDefinition, say: MetricPatch): boolean {
  return (
    (say.name === undefined || say.name === definition.name) &&
    (say.unit === undefined || say.unit === definition.unit) &&
    typeAfter(definition.type, say.type) === definition.type &&
    (say.sparseDataStrategy === undefined ||
      say.sparseDataStrategy === definition.sparseDataStrategy) &&
    pairsHold(definition.tags, say.tags)
  )
}

/**
 * False at the latest where one name is said with two values: only one of them can be known. The
 * catalogue then finds that the merge changes nothing, which costs time and is never wrong.
 */
function pairsHold(known: readonly NameValue[], said: readonly NameValue[] | undefined): boolean {
  if (said === undefined) return true
  return said.every(({ name, value }) =>
    known.some((pair) => pair.name === name && pair.value === value),
  )
}
