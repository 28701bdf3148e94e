/**
 * Store: the questions that the rooms above ask of what is kept.
 *
 * One thread writes (`WriteStore`); any number of threads read (`ReadStore`), each with a catalogue
 * replica of its own. Samples that were appended but not yet flushed are in the writer's memory: a
 * reader receives them as `UnflushedSamples`, requested from the writer BEFORE the reader takes its
 * snapshot. A sample may then be in both, never in neither; the multiset union of samples
 * (spec/samples §1) makes a sample that is in both count once.
 */

import type { Catalogue } from "../catalogue/catalogue.ts"
import type { SampleLimitViolation, SampleLimits } from "../model/sample-limits.ts"
import type { DocumentChange, IdRange, StoredDocument } from "../model/document.ts"
import type { BucketResolution, Resolution } from "../model/resolution.ts"
import type { SampleColumns } from "../model/sample-columns.ts"
import type { Span } from "../model/span.ts"
import type { Statistics } from "../model/statistics.ts"
import type { CellColumns } from "../rollup/cell.ts"
import type { Observations } from "../rollup/weighted-values.ts"
import type { BucketHistory, CycleBatch, StateRange, StoredState } from "./cycle-batch.ts"
import type { SeriesLocations } from "./series-location.ts"

export * from "./cycle-batch.ts"
export * from "./late-notes.ts"
export * from "./series-location.ts"

export interface StoreOptions {
  /** Folder of the store; made where it is missing. */
  readonly folder: string
  /** How long values of each resolution are kept, in milliseconds; whole days go at a time. */
  readonly retentionMs: Readonly<Record<Resolution, number>>
  /** How long after its end a cycle counts as closed. */
  readonly cycleGraceMs: number
  /** Monotonic milliseconds, for budgets only. */
  readonly elapsedMs: () => number
  /** Told what a person running the server should know, such as a cut inbox. */
  readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void
  /** For tests of faults; a server leaves it out. */
  readonly faults?: FaultHooks
}

/** Where tests of faults reach in. */
export interface FaultHooks {
  /**
   * Told the name of each moment before and after something is made durable, such as `fold.commit`
   * and `fold.committed`. What it throws is taken for the disk's refusal.
   */
  readonly onPoint?: (name: string) => void
  /** How much background work collects before it commits: with 0 it commits every step. */
  readonly commitBytes?: number
  /** Size of a journal's segment. */
  readonly segmentBytes?: number
  readonly sampleLimits?: SampleLimits
}

/**
 * A group of requests that is stored whole: the samples, and what they changed in the catalogue.
 */
export interface AppendBatch {
  /** Read during the call only. */
  readonly columns: SampleColumns
}

/** What one step of background work did. */
export interface MaintenanceResult {
  /** True where another step would find something to do at once. */
  readonly moreDue: boolean
  /** Samples that are durable in the inbox and not yet folded. */
  readonly unflushedSamples: number
  /** As that of the store. */
  readonly hasUnflushedSeries: boolean
  /**
   * True where all samples before the moment's `flushUpToMs` that had been appended when this bound
   * was first named are in buckets; also where the moment names none. Samples that come after that
   * are late: they do not hold up a closing.
   */
  readonly isFlushed: boolean
  /** Samples, blocks and days that this step folded, sealed and dropped. */
  readonly flushed: number
  readonly compacted: number
  readonly dropped: number
}

/** What `WriteStore.maintain` may assume about the world. */
export interface MaintenanceOptions {
  readonly nowMs: number
  /** How long one step may take; a step overruns by one block at most. */
  readonly budgetMs: number
  /** True when no ingest has come for a while: closed cycles are then folded at once. */
  readonly idle: boolean
  /** Samples before this instant are folded at once, without waiting for company. */
  readonly flushUpToMs?: number
  /**
   * Days that end after this instant are not sealed yet: cycles of theirs are still to be closed,
   * and a sealed day would have to be opened again for each.
   */
  readonly closedUpToMs?: number
}

/** Unfolded samples of some series, in order of arrival. */
export interface UnflushedSamples {
  readonly series: Int32Array
  readonly timesMs: Float64Array
  readonly values: Float64Array
  /** Tells requests apart, since samples of one request form a bag. */
  readonly requests: Int32Array
  /** Index into the aggregate columns, or -1 for a plain value. */
  readonly aggregates: Int32Array
  readonly aggregateMasks: Uint8Array
  /** Six fields an entry (model/sample-columns.ts). */
  readonly aggregateFields: Float64Array
}

export interface WriteStore {
  /** True once the disk refused a write: what is stored is known only to whoever opens it anew. */
  readonly isBroken: boolean

  /** The one catalogue that changes; only the thread that owns this store may touch it. */
  readonly catalogue: Catalogue

  /**
   * Stores a group of requests and every catalogue change since the last append, all or nothing.
   * On return all of it is on disk, synced; readers may see new names only after `publish`. Throws
   * `storage` when the disk refused; then none of it is acknowledged, the store is broken, and the
   * catalogue has names that are stored nowhere: it is to be opened anew.
   */
  append(batch: AppendBatch): void

  /**
   * Asked before a request is taken whose samples are those from `from` on: the first one that its
   * series may not have any more, as so many came into its block that memory could not bear the
   * rest; null where all may be appended, which counts them. Negative series are new ones.
   */
  checkSampleLimit(columns: SampleColumns, from: number): SampleLimitViolation | null

  /** True where names were appended that a reader may not see yet. */
  readonly hasUnflushedSeries: boolean

  /**
   * After it every reader that refreshes sees all names that were appended; nothing is done where
   * it does so already. `maintain` publishes within seconds, too. Throws `storage` as `append`
   * does; what was appended stays.
   */
  flushIndex(): void

  /** One step of folding, sealing, compaction and retention, within the moment's budget. */
  maintain(moment: MaintenanceOptions): MaintenanceResult

  /**
   * Unfolded samples of these series in `span`. A copy that the caller owns. `onlyFirst`: at most
   * one a series, for those who ask whether there are any.
   */
  unflushedSamples(series: Int32Array, span: Span, onlyFirst?: boolean): UnflushedSamples

  /** How many samples wait to be folded. */
  readonly unflushedSampleCount: number

  /** Bytes that those samples take in the journal, and as much again in memory. */
  readonly unflushedBytes: number

  /**
   * Stores what the closing of one part of a cycle brings, in one transaction, synced; false, and
   * nothing is stored, where this part of this cycle is closed already. The cycle's samples should
   * be folded (`MaintenanceOptions.foldUpToMs`): those that are folded later are late, and correct
   * their cells. Throws `storage` as `append` does.
   */
  commitCycle(part: CycleBatch): boolean

  /** Stores or removes small documents, all of them or none, synced. */
  putDocuments(changes: readonly DocumentChange[]): void
  getDocument(kind: string, id: string): unknown
  /** The documents of a kind with their ids, in order of id. */
  listDocuments(kind: string, range?: IdRange): StoredDocument[]

  /** How many documents have a kind that begins with `prefix`; reads their keys only. */
  countDocuments(prefix: string): number

  /**
   * Bytes that the folded samples of a tenant, and all that is computed from them, take in the
   * store's tables; 0 while they are being counted, as after an update or a repair.
   */
  tenantBytes(tenant: number): number

  /** Figures for the metrics page; cheap enough for every scrape. */
  figures(): StoreFigures

  /** Folds nothing more and closes; everything appended is on disk already. */
  close(): Promise<void>
}

/** A background job that failed and has not run to its end since. */
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
  /** Frames that were damaged, and so left out, when the store was opened. */
  readonly corruptRecords: number
  readonly storeBytes: number
  /** As `prefetchBytes`, by tenant; empty while they are being counted. */
  readonly tenantBytes: readonly number[]
  /** Days of blocks that hold recent records and are not sealed. */
  readonly uncompactedDays: number
  /** The job with the most failures in a row, or null. */
  readonly failingJob: FailingJob | null
}

/** Statistics of one population a series. */
export interface StatisticsRequest {
  /** Distinct series. */
  readonly series: Int32Array
  readonly span: Span
  /** Names the population: bucket actuals, or raw samples for ZERO (spec/statistics §2). */
  readonly resolution: Resolution
  /** Whether each answer shall carry its values and their times. */
  readonly withValues: boolean
  /** For ZERO: whether each answer shall carry its observations. All raw samples are then read. */
  readonly withObservations?: boolean
  /** For ZERO: percentiles from every raw sample, however many. */
  readonly exact: boolean
}

export interface SeriesStatistics {
  readonly series: number
  readonly statistics: Statistics
  /** The population in time order, where asked for. */
  readonly values?: Float64Array
  readonly timesMs?: Float64Array
  /** Where asked for, of ZERO. */
  readonly observations?: Observations
}

/** Bands as they are told: mean and deviation as stored, the ends at 4 deviations of it. */
export const bandRecordFields = [
  "baselineMean",
  "baselineStddev",
  "baselineUpper",
  "baselineLower",
  "contextualMean",
  "contextualStddev",
  "contextualUpper",
  "contextualLower",
] as const

/** One bucket or raw sample as `/samples` serves it. */
export interface SampleRecord {
  readonly timeMs: number
  /** `actual, avg, min, max, cnt, sum` for a bucket; what was sent, for a raw sample. */
  readonly fields: Readonly<Partial<Record<RecordField, number>>>
}
export const recordFields = [
  "actual",
  "val",
  "avg",
  "min",
  "max",
  "cnt",
  "sum",
  "sparseValue",
  ...bandRecordFields,
] as const
/** Bands are of PT5M alone. */
export type RecordField = (typeof recordFields)[number]

/** What of a bucket is asked for: its actual, or something of the observations in it. */
export const bucketFields = ["actual", "avg", "min", "max", "cnt", "sum"] as const
export type BucketField = (typeof bucketFields)[number]

/** One number a bucket of each series, for those who combine them across series. */
export interface BucketValuesRequest {
  /** Distinct series. */
  readonly series: Int32Array
  readonly span: Span
  readonly resolution: BucketResolution
  readonly field: BucketField
}

/**
 * Takes the buckets of one series that have the field, in time order. The columns are scratch
 * memory: read during the call only.
 */
export type BucketConsumer = (series: number, timesMs: Float64Array, values: Float64Array) => void

export interface ReadStore {
  /** A replica as of the last `refresh`. */
  readonly catalogue: Catalogue

  /** Takes in what was stored since the last call; questions after it see all of that. */
  refresh(): void

  /**
   * Answers in order of `question.series`; series without a value in the span are left out.
   * `open` comes from the writer, asked before this call (see the head of this file).
   */
  statistics(question: StatisticsRequest, open: UnflushedSamples | null): SeriesStatistics[]

  /**
   * All buckets or raw samples of one series in `span`, oldest first; a bucket counts by its start.
   */
  samples(
    series: number,
    question: { span: Span; resolution: Resolution },
    open: UnflushedSamples | null,
  ): SampleRecord[]

  /** Calls `take` once for each series that has such buckets beginning in the span, in any order. */
  bucketValues(
    question: BucketValuesRequest,
    open: UnflushedSamples | null,
    take: BucketConsumer,
  ): void

  /**
   * When each of these series last had data in `span`: the start of its newest cycle with any, NaN
   * where it had none. Cycles that `span` touches count whole. Of a day whose PT5M values are gone
   * the start of its finest bucket counts. `onlyWhether`: any number instead, which is faster.
   */
  lastSeen(question: LastSeenRequest, open: UnflushedSamples | null): Float64Array

  /** The documents of a kind with their ids, in order of id. */
  listDocuments(kind: string, range?: IdRange): StoredDocument[]

  /**
   * The cells of one cycle of a block by slot, recent or sealed, into the first 256 of `out`;
   * false, and all empty, where there are none. Counters have the increase that they have now.
   * Sees what is folded only. A sealed day costs some milliseconds a cycle.
   */
  cycleCells(block: number, cycle: number, out: CellColumns): boolean

  /**
   * The bands of one cycle of a block, `bandFieldCount` a slot, into the first 1,024 of `out`;
   * false, and all NaN, where there are none.
   */
  cycleBands(block: number, cycle: number, out: Float32Array): boolean

  /**
   * Actuals and bands of a few distinct series over the cycles `[fromCycle, toCycle)`, at most
   * `historyCyclesMax`. Sees what is folded only.
   */
  bucketHistory(series: Int32Array, fromCycle: number, toCycle: number): BucketHistory

  /** An analytic's state, or undefined; a copy. */
  state(kind: string, key: Uint8Array): Uint8Array | undefined
  /** The states of a kind in order of their keys; copies. */
  states(kind: string, range?: StateRange): StoredState[]

  /** True where this part of this cycle was closed; markers are kept as long as raw samples. */
  isClosed(cycle: number, part: string): boolean

  close(): Promise<void>
}

/** What a thread that has no catalogue reads of a store, for a question of another thread. */
export interface SeriesReader extends Pick<ReadStore, "statistics" | "close"> {
  /** Says where the series of the questions after it stand. */
  useLocations(places: SeriesLocations): void
}

export interface LastSeenRequest {
  /** Distinct series; the answer is in their order. */
  readonly series: Int32Array
  readonly span: Span
  readonly onlyWhether: boolean
}

/** What `backup` wrote, or `restore` put in place. */
export interface BackupReport {
  readonly bytes: number
}

/** What `repair` did, and what is wrong with the store still. */
export interface RepairReport {
  /** One sentence each; empty where nothing was to be done. */
  readonly done: readonly string[]
  /** What could not be brought back, one sentence each. */
  readonly lost: readonly string[]
  readonly problems: readonly string[]
  /** Folder of what was set aside, or null. */
  readonly quarantineFolder: string | null
}

/** What `verify` found: every rollup recomputed from what it is a function of (spec/samples §2). */
export interface VerifyReport {
  /** Values compared, byte by byte. */
  readonly compared: number
  /** One sentence a difference or damage, naming the key; empty when all is well. */
  readonly problems: readonly string[]
}
