/**
 * QueryStore: what queries read of a store, on any thread, each with a catalogue replica.
 *
 *   SyncQuerySource     synchronous reads: the embedded store
 *   QuerySource         the same reads, by promises if the store is in other processes
 *   PartitionedSource   what scan workers need besides; only the embedded store has it
 */

import type { Catalogue } from "../catalogue/catalogue.ts"
import type { SeriesIndex } from "../model/ids.ts"
import type { BucketResolution, Resolution } from "../model/resolution.ts"
import type { Span } from "../model/span.ts"
import type { Statistics } from "../model/statistics.ts"
import type { Observations } from "../rollup/weighted-values.ts"
import type { UnflushedSamples } from "./append-store.ts"
import type { DocumentReader } from "./document-store.ts"

/** Statistics of one population a series. */
export interface StatisticsRequest {
  /** Distinct series. */
  readonly series: Int32Array
  readonly span: Span
  /** Selects the population: bucket actuals, or raw samples for ZERO (spec/statistics §2). */
  readonly resolution: Resolution
  /** Whether each answer contains its values and their times. */
  readonly withValues: boolean
  /** For ZERO: whether each answer contains its observations. All raw samples are then read. */
  readonly withObservations?: boolean
  /** For ZERO: percentiles from every raw sample, however many. */
  readonly exact: boolean
}

export interface SeriesStatistics {
  readonly series: SeriesIndex
  readonly statistics: Statistics
  /** The population in time order, if requested. */
  readonly values?: Float64Array
  readonly timesMs?: Float64Array
  /** Of ZERO, if requested; in time order, as `timesMs`. */
  readonly observations?: Observations
}

/** Bands as they are reported: mean and deviation as stored, the ends at 4 deviations of it. */
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
/** Only PT5M has bands. */
export type RecordField = (typeof recordFields)[number]

/** The value that is read of a bucket: its actual, or a statistic of its observations. */
export const bucketFields = ["actual", "avg", "min", "max", "cnt", "sum"] as const
export type BucketField = (typeof bucketFields)[number]

/** One number a bucket of each series, to be combined across series. */
export interface BucketValuesRequest {
  /** Distinct series. */
  readonly series: Int32Array
  readonly span: Span
  readonly resolution: BucketResolution
  readonly field: BucketField
}

/**
 * Receives the buckets of one series that have the field, in time order. The columns are scratch
 * memory: read during the call only.
 */
export type BucketConsumer = (
  series: SeriesIndex,
  timesMs: Float64Array,
  values: Float64Array,
) => void

/** Of the actuals of the buckets of one series, at least one; a zero may have either sign. */
export interface BucketTotals {
  readonly count: number
  /** As it is added up: for an order, not for an answer. */
  readonly sum: number
  readonly min: number
  readonly max: number
  readonly first: number
  readonly last: number
}

/** Receives the totals of one series: scratch memory, read during the call only. */
export type TotalsConsumer = (series: SeriesIndex, totals: BucketTotals) => void

/** Columns of equal width, whose percentiles are read. */
export interface ColumnQuantilesRequest {
  /** Distinct series. */
  readonly series: Int32Array
  readonly startMs: number
  readonly stepMs: number
  readonly count: number
  /** Fractions of 1, ascending. */
  readonly fractions: Float64Array
}

/** Receives the percentiles of one column of a series: scratch memory, read during the call. */
export type QuantilesConsumer = (
  series: SeriesIndex,
  column: number,
  quantiles: Float64Array,
) => void

/** Values of one history, series times cycles: 34 MB, and twice that for the bands. */
export const historyValuesMax = 4 * 1024 * 1024

/**
 * Series over some cycles: series `i` of the request has its value of cycle `fromCycle + c` at
 * `i · cycles + c`, and its band from `(i · cycles + c) · bandFieldCount` on (cycle-store.ts); NaN
 * if there is none.
 */
export interface BucketHistory {
  readonly cycles: number
  readonly actuals: Float64Array
  /** Empty if they were not requested. */
  readonly bands: Float32Array
}

export interface HistoryContents {
  readonly withBands: boolean
  /** If false, a cycle whose value filled a gap has none. */
  readonly withGapFills: boolean
}
/** The default: bands and gap fills. */
export const wholeHistory: HistoryContents = { withBands: true, withGapFills: true }

export interface LastSeenRequest {
  /** Distinct series; the answer is in their order. */
  readonly series: Int32Array
  readonly span: Span
  readonly onlyWhether: boolean
}

export interface PartitionRequest extends Pick<
  StatisticsRequest,
  "series" | "span" | "resolution" | "withValues"
> {
  /** Estimated work of one partition, in milliseconds. */
  readonly partitionMs: number
}

/** Where a store has some series: opaque, made and read by the store; structured-clonable. */
export interface SeriesLocations {
  readonly series: Int32Array
}

/** A result: itself from an embedded store, a promise from a store in other processes. */
export type Answer<T> = T | Promise<T>

/**
 * `unflushed` of each read comes from the writer, which was asked before the source's snapshot was
 * taken (append-store.ts); null if there are none.
 */
export interface SyncQuerySource extends DocumentReader {
  /** A replica that knows the names of the source's snapshot, or more; numbers never change. */
  readonly catalogue: Catalogue

  /** In order of `request.series`; series without a value in the span are left out. */
  statistics(request: StatisticsRequest, unflushed: UnflushedSamples | null): SeriesStatistics[]

  /**
   * All buckets or raw samples in `span` of each of these series, oldest first; a bucket counts by
   * its start.
   */
  samples(
    series: Int32Array,
    request: { span: Span; resolution: Resolution },
    unflushed: UnflushedSamples | null,
  ): SampleRecord[][]

  /** Calls `consume` once for each series with buckets that begin in the span, in any order. */
  bucketValues(
    request: BucketValuesRequest,
    unflushed: UnflushedSamples | null,
    consume: BucketConsumer,
  ): void

  /** Calls `consume` once for each series with actuals that begin in the span, in any order. */
  bucketTotals(
    request: Omit<BucketValuesRequest, "field">,
    unflushed: UnflushedSamples | null,
    consume: TotalsConsumer,
  ): void

  /**
   * Percentiles of the observations of each column of which retention has dropped raw samples, from
   * the digests of its hours and days, within their error, and from what raw samples it still has.
   * Columns of which neither is kept, and all others, are left out.
   */
  columnQuantiles(
    request: ColumnQuantilesRequest,
    unflushed: UnflushedSamples | null,
    consume: QuantilesConsumer,
  ): void

  /**
   * Actuals and bands of distinct series over the cycles `[fromCycle, toCycle)`, from flushed
   * samples only; at most `historyValuesMax` values.
   */
  bucketHistory(
    series: Int32Array,
    fromCycle: number,
    toCycle: number,
    contents?: HistoryContents,
  ): BucketHistory

  /**
   * When each of these series last had data in `span`: the start of its newest cycle with any, NaN
   * if it had none. Cycles that `span` touches count as a whole. Of a day whose PT5M values are
   * gone the start of its finest bucket counts. `onlyWhether`: any number instead, which is faster.
   */
  lastSeen(request: LastSeenRequest, unflushed: UnflushedSamples | null): Float64Array

  /** Start of what retention has kept of a resolution, epoch milliseconds; 0 if it dropped none. */
  retainedFromMs(resolution: Resolution): number
}

/** The reads of `SyncQuerySource`, each of which may be answered by a promise. */
export type QuerySource = {
  readonly [Name in keyof SyncQuerySource]: SyncQuerySource[Name] extends (
    ...given: infer Given
  ) => infer Result
    ? (...given: Given) => Answer<Result>
    : SyncQuerySource[Name]
}

/** Values that one thread has read of the store so far. */
export interface StoreReads {
  /** Records of later flushes, one of a block and cycle each. */
  readonly rows: number
  /** Compressed records of whole days and windows, one of a block each. */
  readonly chunks: number
}

export interface CountedReads {
  readonly reads: StoreReads
}

export interface QueryStore {
  /**
   * A view for one query, which holds all that was acknowledged before this call. The embedded
   * reader refreshes and returns itself.
   */
  begin(): Answer<QuerySource>

  close(): Promise<void>
}

/** A source whose series several threads of this process can read, each with a snapshot. */
export interface PartitionedSource extends Pick<SyncQuerySource, "statistics"> {
  /**
   * The series in partitions, which several threads can read, each with its own snapshot, without
   * a value lost or doubled. Fewer than two if one thread should read all.
   */
  partition(request: PartitionRequest): readonly Int32Array[]

  /** Locations by which a thread without a catalogue reads these series. */
  locationsOf(series: Int32Array): SeriesLocations
}

/** Reads of a thread without a catalogue, for a query of another thread. */
export interface SeriesReader extends Pick<SyncQuerySource, "statistics"> {
  /** Sets the locations of the series of the following requests; null releases them. */
  useLocations(locations: SeriesLocations | null): void

  close(): Promise<void>
}
