/**
 * AppendStore: what the shard's thread writes samples and series through.
 *
 * Appended samples that are not flushed are in the writer's memory. A reader receives them as
 * `UnflushedSamples`, requested from the writer BEFORE the reader takes its snapshot: a sample may
 * then be in both, never in neither, and the multiset union of requests (spec/samples §1) counts a
 * sample that is in both once.
 *
 * Every member is synchronous, because the embedded store commits a group of requests between two
 * of them. A store in other processes has no AppendStore: its shard answers the same `ShardTask`s
 * (engine/shard-protocol.ts) by promises.
 */

import type { Catalogue } from "../catalogue/catalogue.ts"
import type { SampleBatch } from "../model/sample-batch.ts"
import type { SampleLimitViolation } from "../model/sample-limits.ts"
import type { Span } from "../model/span.ts"

/** Several requests that are stored as a whole: samples, and what they changed in the catalogue. */
export interface AppendBatch {
  /** Read during the call only. */
  readonly columns: SampleBatch
}

/**
 * Unflushed samples of some series. Requests are renumbered, but stay apart: within one, equal
 * samples count several times.
 */
export type UnflushedSamples = SampleBatch

export interface AppendStore {
  /** The one catalogue that changes; only the thread that owns this store may use it. */
  readonly catalogue: Catalogue

  /** True once the disk refused a write: what is stored is known when the store is reopened. */
  readonly isBroken: boolean

  /**
   * Stores a group of requests and every catalogue change since the last append, all or nothing. On
   * return all of it is on disk, synced; readers see new series only after `flushIndex`. Throws
   * `storage` if the disk refused: nothing of it is acknowledged, the store is broken, and the
   * catalogue has series that are stored nowhere.
   */
  append(batch: AppendBatch): void

  /**
   * Checks the samples of one request, those from index `from` on, against the sample limit and
   * counts them. Returns the first one over the limit, or null if all may be appended. The limit
   * bounds memory when one partition receives an excessive number of samples. Negative series are
   * provisional.
   */
  checkSampleLimit(columns: SampleBatch, from: number): SampleLimitViolation | null

  /** True if series were appended that a reader may not see yet. */
  readonly hasUnflushedSeries: boolean

  /**
   * Makes all appended series visible to every reader that refreshes. `maintain` does so within
   * seconds, too. Throws `storage` as `append` does; what was appended stays.
   */
  flushIndex(): void

  /**
   * A copy of the unflushed samples of these distinct series in `span`. `onlyNewest`: of each
   * series its newest observation, perhaps with older ones, for a caller that asks when data came.
   */
  unflushedSamples(series: Int32Array, span: Span, onlyNewest?: boolean): UnflushedSamples

  readonly unflushedSampleCount: number
}
