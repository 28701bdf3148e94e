/** The metrics that a post declares, and what its checks need of them all. */

import type { MetricPatch, NameValue } from "../../model/element.ts"

/** Posts with the same section of metrics share one object, so its sums are made once. */
export class PostedMetrics {
  /** By cleaned id. */
  readonly patches: ReadonlyMap<string, MetricPatch>
  /** UTF-16 units of all texts, ids included. */
  readonly textLength: number
  readonly hasTags: boolean

  constructor(patches: ReadonlyMap<string, MetricPatch>) {
    let length = 0
    let hasTags = false
    for (const [fqn, { name, unit, type, tags }] of patches) {
      length += fqn.length + lengthOf(name) + lengthOf(unit) + lengthOf(type) + pairsLength(tags)
      hasTags ||= tags !== undefined
    }
    this.patches = patches
    this.textLength = length
    this.hasTags = hasTags
  }
}

export const noPostedMetrics = new PostedMetrics(new Map())

/** UTF-16 units of an optional text. */
export function lengthOf(text: string | undefined): number {
  return text?.length ?? 0
}

/** UTF-16 units of names and values. */
export function pairsLength(pairs: readonly NameValue[] | undefined): number {
  let length = 0
  for (const { name, value } of pairs ?? []) length += name.length + value.length
  return length
}
