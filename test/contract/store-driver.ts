/**
 * StoreDriver: a store as the service uses it, which any implementation of the interfaces in
 * src/store can offer. Everything is asynchronous, series have the numbers of the implementation,
 * and nothing of it is of one process: the contract's laws of the service use a driver alone.
 *
 * `EmbeddedDriver` is that of a writer and a reader of one process.
 */

import assert from "node:assert/strict"
import type { Catalogue } from "../../src/catalogue/catalogue.ts"
import type { DocumentStore } from "../../src/model/document.ts"
import { cycleMs, dayMs } from "../../src/model/resolution.ts"
import type { Resolution } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import type { UnflushedSamples } from "../../src/store/append-store.ts"
import type { CycleBatch, CycleSource } from "../../src/store/cycle-store.ts"
import type { MaintenanceOptions } from "../../src/store/maintenance-store.ts"
import type {
  BucketConsumer,
  BucketValuesRequest,
  TotalsConsumer,
  LastSeenRequest,
  SampleRecord,
  SeriesStatistics,
  StatisticsRequest,
} from "../../src/store/query-store.ts"
import type { ReadStore, WriteStore } from "../../src/store/store.ts"
import type { RetentionMs } from "../support/reference-store/memory-retention.ts"
import { append } from "../support/ingest/samples.ts"
import type { SampleRequest } from "../support/ingest/samples.ts"

/** One step of background work; a store without such steps ignores it. */
export type MaintenanceStep = Pick<MaintenanceOptions, "nowMs" | "budgetMs" | "idle">

export interface StoreDriver {
  /** Stores a group of requests; each is acknowledged when it resolves. */
  append(...requests: SampleRequest[]): Promise<void>
  /** Changes the catalogue of the writing side, and stores what changed. */
  edit(change: (catalogue: Catalogue) => void): Promise<void>
  readonly documents: DocumentStore
  countDocuments(prefix: string): Promise<number>

  /** The reads of queries: everything acknowledged before the call. */
  statistics(request: StatisticsRequest): Promise<SeriesStatistics[]>
  samples(
    series: Int32Array,
    request: { readonly span: Span; readonly resolution: Resolution },
  ): Promise<SampleRecord[][]>
  bucketValues(request: BucketValuesRequest, consume: BucketConsumer): Promise<void>
  bucketTotals(request: Omit<BucketValuesRequest, "field">, consume: TotalsConsumer): Promise<void>
  lastSeen(request: LastSeenRequest): Promise<Float64Array>
  /** The catalogue of the reading side, likewise. */
  catalogue(): Promise<Catalogue>

  /** Brings everything appended so far to where a closing reads it. */
  flush(nowMs: number): Promise<void>
  /** The reads of a closing. */
  cycleSource(): Promise<CycleSource>
  commitCycle(batch: CycleBatch): Promise<boolean>
  /** Removes the marks of closed batches of this cycle and of later ones. */
  reopenCycles(fromCycle: number): Promise<void>

  /** One step of background work. */
  maintain(step: MaintenanceStep): Promise<void>
  /** Background work at `nowMs` until nothing is due. */
  maintainFully(nowMs: number): Promise<void>
  /** Closes and opens again from what is kept. */
  reopen(): Promise<void>
  /** Closes, and forgets all that was kept. */
  close(): Promise<void>
}

export interface OpenOptions {
  readonly retentionMs: RetentionMs
}

/** Opens an empty store of its own for each call. */
export type OpenDriver = (options: OpenOptions) => Promise<StoreDriver>

/** An embedded implementation, opened for one story. */
export interface OpenedStore {
  readonly writer: WriteStore
  readonly reader: ReadStore
  /**
   * Closes and opens again from what is kept; an implementation that keeps nothing returns itself.
   */
  reopen(): Promise<OpenedStore>
  /** Closes writer and reader, and forgets all that was kept. */
  close(): Promise<void>
  /** Background work at `nowMs` until nothing is due (`maintainFully` below fits most). */
  maintainFully(nowMs: number): void
}

/** Opens an empty store of its own for each call. */
export type OpenStore = (options: OpenOptions) => Promise<OpenedStore>

/** One maintenance step after the other until no more is due. */
export function maintainFully(writer: WriteStore, nowMs: number): void {
  const stepsMax = 100_000
  for (let step = 0; step < stepsMax; step++) {
    if (!writer.maintain({ nowMs, budgetMs: 1_000, idle: true }).moreDue) return
  }
  assert.fail(`Expected maintain() to come to an end within ${stepsMax} steps`)
}

/** Later than every sample of a story. */
const afterStoriesMs = Date.UTC(2027, 0)

export class EmbeddedDriver implements StoreDriver {
  /** The halves that are open now. */
  opened: OpenedStore
  readonly documents: DocumentStore = {
    get: async (kind, id) => this.opened.writer.getDocument(kind, id),
    put: async (kind, id, document) => this.opened.writer.putDocuments([{ kind, id, document }]),
    putAll: async (changes) => this.opened.writer.putDocuments(changes),
    list: async (kind, range) => this.opened.writer.listDocuments(kind, range),
  }

  constructor(opened: OpenedStore) {
    this.opened = opened
  }

  async append(...requests: SampleRequest[]): Promise<void> {
    append(this.opened.writer, ...requests)
  }

  async edit(change: (catalogue: Catalogue) => void): Promise<void> {
    const { writer } = this.opened
    change(writer.catalogue)
    // Only what an append took along outlives the writer.
    append(writer)
  }

  async countDocuments(prefix: string): Promise<number> {
    return this.opened.writer.countDocuments(prefix)
  }

  async statistics(request: StatisticsRequest): Promise<SeriesStatistics[]> {
    return askStatistics(this.opened, request)
  }

  async samples(
    series: Int32Array,
    request: { readonly span: Span; readonly resolution: Resolution },
  ): Promise<SampleRecord[][]> {
    return askSamples(this.opened, series, request)
  }

  async bucketValues(request: BucketValuesRequest, consume: BucketConsumer): Promise<void> {
    const unflushed = this.unflushed(request.series, unflushedSpan(request.span))
    this.refreshed().bucketValues(request, unflushed, consume)
  }

  async bucketTotals(
    request: Omit<BucketValuesRequest, "field">,
    consume: TotalsConsumer,
  ): Promise<void> {
    const unflushed = this.unflushed(request.series, unflushedSpan(request.span))
    this.refreshed().bucketTotals(request, unflushed, consume)
  }

  async lastSeen(request: LastSeenRequest): Promise<Float64Array> {
    const { series, span, onlyWhether } = request
    // To the cycle: of a wider span the first sample might lie outside.
    const cycles = {
      startMs: Math.floor(span.startMs / cycleMs) * cycleMs,
      endMs: Math.ceil(span.endMs / cycleMs) * cycleMs,
    }
    const asked = onlyWhether ? cycles : unflushedSpan(span)
    const unflushed = this.unflushed(series, asked, onlyWhether)
    return this.refreshed().lastSeen(request, unflushed)
  }

  async catalogue(): Promise<Catalogue> {
    return this.refreshed().catalogue
  }

  async flush(nowMs: number): Promise<void> {
    const { writer } = this.opened
    const step = { nowMs, budgetMs: 1_000, idle: false }
    // Set again, since samples that came later are to be flushed as well.
    writer.maintain({ ...step, flushUpToMs: -Infinity })
    while (!writer.maintain({ ...step, flushUpToMs: afterStoriesMs }).isFlushed);
  }

  async cycleSource(): Promise<CycleSource> {
    const { reader } = this.opened
    reader.refresh()
    return reader
  }

  async commitCycle(batch: CycleBatch): Promise<boolean> {
    return this.opened.writer.commitCycle(batch)
  }

  async reopenCycles(fromCycle: number): Promise<void> {
    while (this.opened.writer.reopenCycles(fromCycle));
  }

  async maintain(step: MaintenanceStep): Promise<void> {
    this.opened.writer.maintain(step)
  }

  async maintainFully(nowMs: number): Promise<void> {
    this.opened.maintainFully(nowMs)
  }

  async reopen(): Promise<void> {
    this.opened = await this.opened.reopen()
  }

  close(): Promise<void> {
    return this.opened.close()
  }

  /** Unflushed samples are requested before the reader's snapshot. */
  private unflushed(series: Int32Array, span: Span, onlyNewest?: boolean): UnflushedSamples {
    return this.opened.writer.unflushedSamples(series, span, onlyNewest)
  }

  private refreshed(): ReadStore {
    refresh(this.opened)
    return this.opened.reader
  }
}

/** As a query asks: the writer first, then the reader (append-store.ts). */
export function askStatistics(
  { writer, reader }: Halves,
  request: StatisticsRequest,
): SeriesStatistics[] {
  const unflushed = writer.unflushedSamples(request.series, unflushedSpan(request.span))
  refresh({ writer, reader })
  return reader.statistics(request, unflushed)
}

/** Likewise, the records of some series. */
export function askSamples(
  { writer, reader }: Halves,
  series: Int32Array,
  request: { readonly span: Span; readonly resolution: Resolution },
): SampleRecord[][] {
  const unflushed = writer.unflushedSamples(series, unflushedSpan(request.span))
  refresh({ writer, reader })
  return reader.samples(series, request, unflushed)
}

type Halves = Pick<OpenedStore, "writer" | "reader">

/** Brings the reader to what was appended, as a query does. */
export function refresh({ writer, reader }: Halves): void {
  writer.flushIndex()
  reader.refresh()
}

/**
 * The span whose open samples a query needs: whole days, since a bucket counts by its start but
 * holds samples up to its end, and a day is the widest bucket.
 */
export function unflushedSpan(span: Span): Span {
  return {
    startMs: Math.floor(span.startMs / dayMs) * dayMs,
    endMs: Math.ceil(span.endMs / dayMs) * dayMs,
  }
}
