/**
 * The closing of a cycle as the store sees it: what is read for a batch of elements, and what the
 * batch adds.
 *
 *   CycleBatch   gap fills      cells without a sample
 *                computed       values of computed metrics
 *                actual kinds   how the actuals of this cycle are derived, as of the closing
 *                bands          what was expected of each series
 *                states         what analytics keep between cycles, opaque to the store
 *                documents      events, incidents, notifications
 *                marker         this batch of this cycle is closed
 *
 * A batch is a value. An evaluation reads a `CycleSource` and changes nothing, and a commit stores
 * all of it or nothing: a batch that is committed again adds nothing. So a closing that is
 * interrupted at any moment is repeated with the same result.
 */

import type { SeriesPartition } from "../catalogue/catalogue.ts"
import type { ElementIndex } from "../model/ids.ts"
import type { DocumentChange } from "../model/document.ts"
import type { MetricPatch } from "../model/element.ts"
import type { CellColumns } from "../rollup/cell.ts"
import type { DocumentReader } from "./document-store.ts"
import type { Answer, SyncQuerySource } from "./query-store.ts"

/** Numbers of the band that belong to one series and cycle, in this order. */
export const bandFields = [
  "baselineMean",
  "baselineStddev",
  "contextualMean",
  "contextualStddev",
] as const
/** How many they are. */
export const bandFieldCount = bandFields.length

/** Bytes of UTF-8 of a batch's name, and of an analytic state's key with its kind. */
export const closingKeyBytesMax = 512

/** The results of closing one batch of one cycle. All columns are read during the call only. */
export interface CycleBatch {
  /** The cycle that closes: floor(epoch ms / 300,000). */
  readonly cycle: number
  /** Name of the batch; at most `closingKeyBytesMax` bytes. */
  readonly name: string
  /**
   * A gap fill is stored only if the cell has no observation. A sample that arrives later replaces
   * it.
   */
  readonly gapFills: { readonly series: Int32Array; readonly actuals: Float64Array }
  readonly computed: ComputedColumns
  /**
   * Actual kinds (rollup/cell.ts) that cells of this cycle record from now on. The actual of a cell
   * with observations is derived again if the kind can be applied to it alone; a gap fill keeps the
   * kind for samples that arrive later. Absent cells are skipped.
   */
  readonly actualKinds: { readonly series: Int32Array; readonly kinds: Uint8Array }
  readonly bands: BandColumns
  readonly states: readonly StateChange[]
  readonly documents: readonly DocumentChange[]
  /** The series by which the states of elements have rows; absent if there are no such states. */
  readonly rows?: ElementRowColumns
}

/** Elements, how many series each has, and their series one after the other. */
export interface ElementRowColumns {
  readonly elements: Int32Array
  readonly counts: Int32Array
  readonly series: Int32Array
}

/** States of elements that have a row for each series, in the order of `CycleSource.seriesOf`. */
export interface RowStates {
  /** Their kinds; the keys begin with the element, u32 big-endian. */
  readonly kinds: readonly string[]
  /** The state without these rows, ascending; null if it has to be learned again. */
  readonly withoutRows: (
    kind: string,
    bytes: Uint8Array,
    rows: readonly number[],
  ) => Uint8Array | null
}

/**
 * Values of computed metrics, finite. The series of a metric that is new to its element is created
 * in the same transaction. The observations of a cell win.
 */
export interface ComputedColumns {
  readonly elements: Int32Array
  /** Cleaned metric FQNs. */
  readonly fqns: readonly string[]
  readonly actuals: Float64Array
  /** Definition of a metric whose series is new; `undefined` for the default. */
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

/** A state of one analytic; null removes it. */
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
  /** At most this many, the first ones; all if absent. */
  readonly limit?: number
}

/**
 * The reads of a batch's evaluation: flushed samples only, on any thread. They are synchronous,
 * because an evaluation takes 0.4 µs a metric and reads one cell, one band and one state of each. A
 * store in other processes loads the cycle's cells and states of a batch's elements first, and
 * serves the evaluation from memory.
 */
export interface CycleSource
  extends
    DocumentReader,
    Pick<SyncQuerySource, "catalogue" | "statistics" | "samples" | "bucketHistory"> {
  /**
   * The cells of one cycle of a partition by index (`Catalogue.indexInPartition`) into the first
   * `partitionSeriesMax` of `out`; false, and all empty, if there are none. Counters have the
   * increase that they have now. A compacted day costs some milliseconds a cycle.
   */
  cycleCells(partition: SeriesPartition, cycle: number, out: CellColumns): boolean

  /**
   * The bands of one cycle of a partition, `bandFieldCount` a series, likewise; false, and all NaN,
   * if there are none.
   */
  cycleBands(partition: SeriesPartition, cycle: number, out: Float32Array): boolean

  /**
   * Series of an element, in an order that no later closing changes: the states of an element are
   * arrays with an entry a series in this order, and a series that is new follows those before it.
   * When a series is forgotten, these states lose its entry (`RowStates`). A view that the caller
   * must not change.
   */
  seriesOf(element: ElementIndex): Int32Array
  /** An analytic's state, or undefined; a copy. */
  state(kind: string, key: Uint8Array): Uint8Array | undefined

  /** The states of a kind in order of their keys; copies. */
  states(kind: string, range?: StateRange): StoredState[]

  /** True if this batch of this cycle was closed; markers are kept as long as raw samples. */
  isClosed(cycle: number, batch: string): boolean
}

/**
 * Stores closed batches. The embedded store does so in one transaction. A store that keeps samples
 * and documents apart can do so, too: it stores the columns and states of the batch first, under a
 * version that no reader looks at, and then commits one transaction of the documents' database,
 * which checks that no other process has closed the batch, stores `documents` and the marker, and
 * makes the version visible. If it ends in between, the next attempt stores a later version.
 */
export interface CycleCommitter {
  /**
   * Stores a batch, synced. Answers false, and stores nothing, if it is closed, or if a series or
   * element of it was forgotten since its evaluation: the next evaluation tells. The samples of the
   * cycle should be flushed (`MaintenanceOptions.flushUpToMs`): those flushed later are late, and
   * correct their cells. Throws `storage` as `AppendStore.append` does.
   */
  commitCycle(batch: CycleBatch): Answer<boolean>

  /**
   * Removes marks of closed batches of this cycle and of later ones, synced, newest first, so that
   * they can be closed again. Answers whether some are left for another call.
   */
  reopenCycles(fromCycle: number): Answer<boolean>
}

/** The committer of the embedded store, on the thread that owns it. */
export interface SyncCycleCommitter extends CycleCommitter {
  /** Stores a batch in one transaction, before it returns. */
  commitCycle(batch: CycleBatch): boolean
  reopenCycles(fromCycle: number): boolean
}
