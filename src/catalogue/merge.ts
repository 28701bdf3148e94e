/** Merges a post into the known facts about an element or metric. Pure. */

import type {
  ElementInfo,
  ElementPatch,
  MetricDefinition,
  MetricPatch,
  NameValue,
} from "../model/element.ts"
import { isCounterType } from "../model/effective-settings.ts"
import type { MetricSettings } from "../model/metric-settings.ts"

/** The info of an element after its first post. */
export function newInfo(fqn: string, patch: ElementPatch, nowMs: number): ElementInfo {
  return {
    name: patch.name || fqn,
    type: patch.type || "unknown",
    location: patch.location ?? null,
    tags: mergeByName(noPairs, patch.tags),
    attributes: mergeByName(noPairs, patch.attributes),
    relations: mergeTexts(noTexts, patch.relations),
    createdMs: nowMs,
  }
}

/** Shared by all elements without any. */
const noPairs: readonly NameValue[] = []
const noTexts: readonly string[] = []

/**
 * Absent fields keep their value, lists are merged by name. A post restores a deleted element.
 *
 * @example
 * const tag = (name: string, value: string) => ({ name, value })
 * const first = newInfo("web-1", { tags: [tag("env", "test"), tag("zone", "a")] }, 0)
 * const second = mergeInfo(first, { type: "SERVER", tags: [tag("env", "prod")] })
 * assert.deepEqual([second.name, second.type], ["web-1", "SERVER"])
 * assert.deepEqual(second.tags, [tag("env", "prod"), tag("zone", "a")])
 */
export function mergeInfo(info: ElementInfo, patch: ElementPatch): ElementInfo {
  return {
    name: patch.name || info.name,
    type: patch.type || info.type,
    location: patch.location ?? info.location,
    tags: mergeByName(info.tags, patch.tags),
    attributes: mergeByName(info.attributes, patch.attributes),
    relations: mergeTexts(info.relations, patch.relations),
    createdMs: info.createdMs,
    ...(info.serviceTags === undefined ? {} : { serviceTags: info.serviceTags }),
  }
}

/** True if a post changed nothing. */
export function isSameInfo(left: ElementInfo, right: ElementInfo): boolean {
  return (
    left.name === right.name &&
    left.type === right.type &&
    left.location === right.location &&
    left.deletedMs === right.deletedMs &&
    samePairs(left.tags, right.tags) &&
    samePairs(left.attributes, right.attributes) &&
    left.relations.length === right.relations.length &&
    left.relations.every((relation, i) => relation === right.relations[i])
  )
}

/** Absent fields keep their value, tags are merged by name. */
export function mergeDefinition(before: MetricDefinition, patch: MetricPatch): MetricDefinition {
  return {
    name: patch.name ?? before.name,
    unit: patch.unit ?? before.unit,
    type: mergedType(before.type, patch.type),
    sparseDataStrategy: patch.sparseDataStrategy ?? before.sparseDataStrategy,
    tags: mergeByName(before.tags, patch.tags),
    ...(before.serviceTags === undefined ? {} : { serviceTags: before.serviceTags }),
    ...(before.settings === undefined ? {} : { settings: before.settings }),
  }
}

/**
 * The type of a metric of type `before` after a post of type `posted`. A counter stays a counter:
 * agents that do not know types post GAUGE or nothing for each metric, and the increase of a cycle
 * would become its average from one post to the next (spec/ingest §5).
 */
export function mergedType(before: string, posted: string | undefined): string {
  if (posted === undefined) return before
  return isCounterType(before) && !isCounterType(posted) ? before : posted
}

/** Returns the definition with `settings` in place of its own. */
export function withSettings(
  definition: MetricDefinition,
  settings: MetricSettings | undefined,
): MetricDefinition {
  if (definition.settings === settings) return definition
  const { settings: _before, ...rest } = definition
  return settings === undefined ? rest : { ...rest, settings }
}

/**
 * Returns the union of both, sorted by name; `posted` wins for names in both. Posted pairs are
 * inserted into the known ones one by one: a body that posts one tag at a time for one element, two
 * thousand times, took 400 ms for 100 kB when each post sorted all 256 again.
 */
export function mergeByName(
  known: readonly NameValue[],
  posted: readonly NameValue[] | undefined,
): readonly NameValue[] {
  if (posted === undefined || posted.length === 0) return known
  if (known.length === 0) return sortedByName(posted)
  const merged = [...known]
  for (const { name, value } of posted) {
    const same = merged.findIndex((pair) => pair.name === name)
    if (same >= 0) merged[same] = { name, value }
    else insertBefore(merged, { name, value }, (pair) => pair.name > name)
  }
  return merged
}

function sortedByName(posted: readonly NameValue[]): readonly NameValue[] {
  const byName = new Map(posted.map((pair) => [pair.name, pair.value]))
  return [...byName].map(([name, value]) => ({ name, value })).sort(byNameAscending)
}

function mergeTexts(
  known: readonly string[],
  posted: readonly string[] | undefined,
): readonly string[] {
  if (posted === undefined || posted.length === 0) return known
  if (known.length === 0) return [...new Set(posted)].sort()
  const merged = [...known]
  for (const text of posted) {
    if (!merged.includes(text)) insertBefore(merged, text, (one) => one > text)
  }
  return merged
}

/** Inserts `item` before the first entry of the sorted `list` that comes after it. */
function insertBefore<T>(list: T[], item: T, comesAfter: (one: T) => boolean): void {
  const at = list.findIndex(comesAfter)
  list.splice(at < 0 ? list.length : at, 0, item)
}

function byNameAscending(left: NameValue, right: NameValue): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0
}

function samePairs(left: readonly NameValue[], right: readonly NameValue[]): boolean {
  return (
    left === right ||
    (left.length === right.length &&
      left.every((pair, i) => pair.name === right[i]!.name && pair.value === right[i]!.value))
  )
}
