/**
 * ExportStore: what an export reads of a store, partition by partition, in a process of its own:
 * next to the server that writes the store, or while none does. It changes nothing.
 *
 * All that was acknowledged before it was opened is read: flushed samples from snapshots, and the
 * unflushed ones from the WAL, which is read BEFORE the first snapshot. A sample may then be in
 * both, never in neither, and dedup counts it once (append-store.ts). Each read has a snapshot of
 * its own, since one that lasted for the whole export would keep the writer from reusing pages.
 */

import type { Catalogue, SeriesPartition } from "../catalogue/catalogue.ts"
import type { SeriesIndex } from "../model/ids.ts"
import type { BucketResolution, Resolution } from "../model/resolution.ts"
import type { Span } from "../model/span.ts"
import type { DocumentReader } from "./document-store.ts"
import type { SampleRecord } from "./query-store.ts"

/** Raw samples as the store holds them; longer than the range that is handed out. */
export interface RawColumns {
  readonly timesMs: Float64Array
  readonly values: Float64Array
  /** Index of the aggregate of each sample; -1 for a plain value. */
  readonly aggregates: Int32Array
  /** As in `SampleBatch`. */
  readonly aggregateMasks: Uint8Array
  readonly aggregateFields: Float64Array
}

/**
 * Receives the samples `[from, to)` of one series, in canonical order. The columns are scratch
 * memory: read during the call only.
 */
export type RawConsumer = (
  series: SeriesIndex,
  columns: RawColumns,
  from: number,
  to: number,
) => void

export type BucketRecordConsumer = (series: SeriesIndex, bucket: SampleRecord) => void

/** Series of one partition, and a piece of a span as `ExportStore.pieces` cuts it. */
export interface ExportPiece {
  readonly partition: SeriesPartition
  readonly isWanted: (series: SeriesIndex) => boolean
  readonly span: Span
}

export interface ExportStore extends DocumentReader {
  readonly catalogue: Catalogue

  /**
   * Cuts a span into pieces that are read one by one, oldest first, each small enough for memory.
   * What retention has dropped is left out.
   */
  pieces(span: Span, resolution: Resolution): Iterable<Span>

  /** Calls `consume` for each wanted series that has raw samples in the piece. */
  readRaw(piece: ExportPiece, consume: RawConsumer): void

  /** Calls `consume` for each bucket of the wanted series that begins in the piece. */
  readBuckets(piece: ExportPiece, resolution: BucketResolution, consume: BucketRecordConsumer): void

  close(): Promise<void>
}
