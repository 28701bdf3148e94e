/** MaintenanceStore: background work of the embedded store, its figures and its end. */

import type { TenantIndex } from "../model/ids.ts"
import type { WalFigures } from "../model/wal-figures.ts"

/** Inputs and permissions of `MaintenanceStore.maintain`. */
export interface MaintenanceOptions {
  readonly nowMs: number
  /** How long one step may take; a step overruns by one partition at most. */
  readonly budgetMs: number
  /** True if no ingest has come for a while: closed cycles are then flushed without delay. */
  readonly idle: boolean
  /** Samples before this instant are flushed now, however few they are. */
  readonly flushUpToMs?: number
  /**
   * Days that end after this instant are not compacted yet: cycles of theirs are still to be
   * closed, and each would open the compacted day again.
   */
  readonly closedUpToMs?: number
  /** True if nothing is dropped for its age, as during an import: its days are not whole yet. */
  readonly keepsAll?: boolean
}

/** The outcome of one step of background work. */
export interface MaintenanceResult {
  /** True if another step would find something to do now. */
  readonly moreDue: boolean
  readonly unflushedSamples: number
  /** As `AppendStore.hasUnflushedSeries`. */
  readonly hasUnflushedSeries: boolean
  /**
   * True if all samples before `flushUpToMs` that had been appended when this bound was first
   * passed are in buckets, or if no bound was passed. Samples that arrive later are late: they do
   * not delay a closing.
   */
  readonly isFlushed: boolean
  /** Samples flushed, days of partitions compacted and days dropped by this step. */
  readonly flushed: number
  readonly compacted: number
  readonly dropped: number
}

/** A background job that failed and has not succeeded since. */
export interface FailingJob {
  readonly job: string
  /** Failures in a row, at least 1. */
  readonly failures: number
  /** Of the newest failure, as one sentence. */
  readonly reason: string
}

export interface StoreFigures {
  readonly seriesCount: number
  readonly elementCount: number
  readonly unflushedSamples: number
  readonly memtableBytes: number
  /** Batch records that were damaged, and therefore left out, when the store was opened. */
  readonly corruptRecords: number
  readonly wal: WalFigures
  readonly storeBytes: number
  /** As `MaintenanceStore.tenantBytes`, by tenant; empty while they are being counted. */
  readonly tenantBytes: readonly number[]
  /** Days of partitions that have recent rows and are not compacted. */
  readonly uncompactedDays: number
  /** The job with the most failures in a row, or null. */
  readonly failingJob: FailingJob | null
}

export interface MaintenanceStore {
  /** One step of flush, index flush, compaction and retention, within its budget. */
  maintain(options: MaintenanceOptions): MaintenanceResult

  /** Whether something may be deleted for its age: not while the clock may have jumped ahead. */
  trustsClock(nowMs: number): boolean

  /** Bytes that the unflushed samples take in the WAL, and as much again in memory. */
  readonly unflushedBytes: number

  /**
   * Bytes that the flushed samples of a tenant, and all that is computed from them, take in the
   * store's tables; 0 while they are being counted, as after an update or a repair.
   */
  tenantBytes(tenant: TenantIndex): number

  /** Figures for the metrics page; cheap enough for every scrape. */
  figures(): StoreFigures

  /** Closes without a flush: everything appended is on disk already. */
  close(): Promise<void>
}
