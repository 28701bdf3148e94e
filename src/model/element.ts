/** Elements and metrics as the catalogue keeps them: normalised, every optional field settled. */

import type { MetricSettings } from "./metric-settings.ts"
import type { SparseStrategy } from "./sparse-strategy.ts"

export { sparseStrategies, type SparseStrategy } from "./sparse-strategy.ts"

export interface NameValue {
  readonly name: string
  readonly value: string
}

/** What is known of an element beside its id. */
export interface ElementInfo {
  /** Display name; the id where the collector gave none. */
  readonly name: string
  /** `"unknown"` where the collector gave none (spec/ingest §4). */
  readonly type: string
  readonly location: string | null
  /** Sorted by name; names are unique. */
  readonly tags: readonly NameValue[]
  readonly attributes: readonly NameValue[]
  /** Cleaned element ids, sorted, unique; the targets need not exist. */
  readonly relations: readonly string[]
  /** When the service first heard of it, epoch milliseconds. */
  readonly createdMs: number
  /** Tags that people set, as `tags`; absent where there are none. Posts leave them alone. */
  readonly serviceTags?: readonly NameValue[]
  /** When somebody deleted it; absent where nobody has, or it has been posted again since. */
  readonly deletedMs?: number
}

/**
 * One post's say about an element: `undefined` leaves what is known, lists are merged by name, so
 * that two collectors may describe one element without wiping each other's tags.
 */
export interface ElementPatch {
  readonly name?: string
  readonly type?: string
  readonly location?: string
  readonly tags?: readonly NameValue[]
  readonly attributes?: readonly NameValue[]
  readonly relations?: readonly string[]
}

/** What is known of a metric of one element beside its id. */
export interface MetricDefinition {
  readonly name: string | null
  /** As sent; any string is a unit, empty where none was sent. */
  readonly unit: string
  /** As sent; only COUNTER has an effect. */
  readonly type: string
  readonly sparseDataStrategy: SparseStrategy
  readonly tags: readonly NameValue[]
  /** Tags that people set; absent where there are none. Posts leave them alone. */
  readonly serviceTags?: readonly NameValue[]
  /** What analytic configurations say; absent where none says anything. Posts leave it alone. */
  readonly settings?: MetricSettings
}

/** One post's say about a metric; `undefined` leaves what is known. */
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
