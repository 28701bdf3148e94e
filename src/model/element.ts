/**
 * Elements and metrics as the catalogue stores them: normalised, with a value for every required
 * field.
 */

import type { MetricSettings } from "./metric-settings.ts"
import type { SparseStrategy } from "./sparse-strategy.ts"

export { sparseStrategies, type SparseStrategy } from "./sparse-strategy.ts"

export interface NameValue {
  readonly name: string
  readonly value: string
}

/** The known facts about an element besides its id. */
export interface ElementInfo {
  /** Display name; the id if the collector sent none. */
  readonly name: string
  /** `"unknown"` if the collector sent none (spec/ingest §4). */
  readonly type: string
  readonly location: string | null
  /** Sorted by name; names are unique. */
  readonly tags: readonly NameValue[]
  readonly attributes: readonly NameValue[]
  /** Cleaned element ids, sorted, unique; the targets need not exist. */
  readonly relations: readonly string[]
  /** When the element was first posted, epoch milliseconds. */
  readonly createdMs: number
  /**
   * Tags set by users, in the form of `tags`; absent if there are none. Posts do not change them.
   */
  readonly serviceTags?: readonly NameValue[]
  /** When a user deleted the element; absent if it exists, or has been posted again since. */
  readonly deletedMs?: number
}

/**
 * The facts about an element in one post: `undefined` keeps what is known, and lists are merged by
 * name, so that two collectors can describe one element without removing each other's tags.
 */
export interface ElementPatch {
  readonly name?: string
  readonly type?: string
  readonly location?: string
  readonly tags?: readonly NameValue[]
  readonly attributes?: readonly NameValue[]
  readonly relations?: readonly string[]
}

/** The known facts about a metric of one element besides its id. */
export interface MetricDefinition {
  readonly name: string | null
  /** As sent; any string is a unit, empty if none was sent. */
  readonly unit: string
  /** As sent; effective-settings.ts has the types with an effect. */
  readonly type: string
  readonly sparseDataStrategy: SparseStrategy
  readonly tags: readonly NameValue[]
  /** Tags set by users; absent if there are none. Posts do not change them. */
  readonly serviceTags?: readonly NameValue[]
  /** Settings of analytic configurations; absent if there are none. Posts do not change them. */
  readonly settings?: MetricSettings
}

/** The facts about a metric in one post; `undefined` keeps what is known. */
export interface MetricPatch {
  readonly name?: string
  readonly unit?: string
  readonly type?: string
  readonly sparseDataStrategy?: SparseStrategy
  readonly tags?: readonly NameValue[]
}

export const defaultDefinition: MetricDefinition = {
  name: null,
  unit: "",
  type: "",
  sparseDataStrategy: "None",
  tags: [],
}
