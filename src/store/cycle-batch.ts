/**
 * The closing of a cycle as the store sees it: what a part of it adds, and what is read for it.
 *
 *   closed part ─► facts        fillings, computed metrics: cells that no sample stands behind
 *                  definitions  how the actual of a cell is made, as of the closing
 *                  bands        what was expected of each series
 *                  states       what analytics remember, opaque to the store
 *                  documents    events, incidents, messages to send
 *                  marker       this part of this cycle is closed
 *
 * All of it in one transaction: a part that is closed once more adds nothing.
 */

import type { DocumentChange } from "../model/document.ts"
import type { MetricPatch } from "../model/element.ts"

/** Numbers of the band that belong to one series and cycle, in this order. */
export const bandFields = [
  "baselineMean",
  "baselineStddev",
  "contextualMean",
  "contextualStddev",
] as const
export type BandField = (typeof bandFields)[number]
/** How many they are. */
export const bandFieldCount = bandFields.length

/** Most cycles of one history: six hours, which is more than any analytic looks back. */
export const historyCyclesMax = 72

/** Bytes of UTF-8 of a part's name, and of an analytic state's key with its kind. */
export const closingKeyBytesMax = 512

/** What the closing of one part of one cycle stores. All columns are read during the call only. */
export interface CycleBatch {
  /** The cycle that closes: floor(epoch ms / 300,000). */
  readonly cycle: number
  /** Name of the part, such as "tenant:firstElement"; at most `closingKeyBytesMax` bytes. */
  readonly name: string
  /**
   * Sparse fillings: a filling is taken where the cell has no observation, else it is passed by. A
   * sample that comes later takes its place.
   */
  readonly gapFills: { readonly series: Int32Array; readonly actuals: Float64Array }
  readonly computed: ComputedColumns
  /**
   * Definition codes (rollup/cell.ts) that cells of this cycle record from now on. The actual of a
   * cell with observations is made anew where the code can be applied to it alone; a filling
   * remembers the code for samples that come later. Absent cells are passed by.
   */
  readonly actualKinds: { readonly series: Int32Array; readonly kinds: Uint8Array }
  readonly bands: BandColumns
  readonly states: readonly StateChange[]
  readonly documents: readonly DocumentChange[]
}

/**
 * Values of computed metrics, finite. Where a metric is new to the element, its series is made in
 * the catalogue, in the same transaction. Where a cell has observations, they win.
 */
export interface ComputedColumns {
  readonly elements: Int32Array
  /** Cleaned metric FQNs. */
  readonly fqns: readonly string[]
  readonly actuals: Float64Array
  /** What to say of the metric where its series is new; `undefined` says nothing. */
  readonly definitions?: readonly (MetricPatch | undefined)[]
}

/**
 * Bands: `bandFieldCount` numbers a series, in the order of `bandFields`, NaN if there is none.
 * Stored as f32. Values rounded to a multiple of a power of two, such as the one below a 64th of
 * the deviation, save most of the space: compacted bands take 0.5 to 1.5 bytes a number then, up to
 * 3 otherwise.
 */
export interface BandColumns {
  readonly series: Int32Array
  readonly values: Float32Array
}

/** One analytic's memory of one thing; null removes it. */
export interface StateChange {
  /** Short, without NUL. */
  readonly kind: string
  /** Any bytes; states of a kind are ordered by them. */
  readonly key: Uint8Array | readonly number[]
  readonly bytes: Uint8Array | null
}

export interface StoredState {
  readonly key: Uint8Array
  readonly bytes: Uint8Array
}

/** Keys in `[from, to)`, compared byte by byte; an absent bound is open. */
export interface StateRange {
  readonly from?: Uint8Array
  readonly to?: Uint8Array
  /** At most so many, the first ones; all where absent. */
  readonly limit?: number
}

/**
 * A few series over some cycles: series `i` of the question has its value of cycle `fromCycle + c`
 * at `i · cycles + c`, and its band from `(i · cycles + c) · bandFieldCount` on. NaN where there is
 * none.
 */
export interface BucketHistory {
  readonly cycles: number
  readonly actuals: Float64Array
  readonly bands: Float32Array
}

/** A part of a cycle that adds nothing but its marker; spread it and say what there is. */
export const emptyCycleBatch = {
  gapFills: { series: new Int32Array(0), actuals: new Float64Array(0) },
  computed: { elements: new Int32Array(0), fqns: [], actuals: new Float64Array(0) },
  actualKinds: { series: new Int32Array(0), kinds: new Uint8Array(0) },
  bands: { series: new Int32Array(0), values: new Float32Array(0) },
  states: [],
  documents: [],
} as const satisfies Omit<CycleBatch, "cycle" | "name">
