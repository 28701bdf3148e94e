/** Read side of the embedded store: a catalogue replica and queries on snapshots. */

import type { QueryBudget } from "../../../base/query-budget.ts"
import { Catalogue, type SeriesPartition } from "../../../catalogue/catalogue.ts"
import type { IdRange, StoredDocument } from "../../../model/document.ts"
import type { BucketResolution, Resolution } from "../../../model/resolution.ts"
import type { Span } from "../../../model/span.ts"
import type { CellColumns } from "../../../rollup/cell.ts"
import { StatisticsWorkspace } from "../../../rollup/statistics.ts"
import type { UnflushedSamples } from "../../append-store.ts"
import type { StateRange, StoredState } from "../../cycle-store.ts"
import {
  wholeHistory,
  type BucketConsumer,
  type BucketHistory,
  type BucketValuesRequest,
  type ColumnQuantilesRequest,
  type CountedReads,
  type HistoryContents,
  type LastSeenRequest,
  type PartitionRequest,
  type QuantilesConsumer,
  type SampleRecord,
  type SeriesLocations,
  type SeriesReader,
  type SeriesStatistics,
  type StatisticsRequest,
  type StoreReads,
  type TotalsConsumer,
} from "../../query-store.ts"
import type { ReadStore } from "../../store.ts"
import { BandWorkspace, readCycleBands } from "../tiers/bands.ts"
import { BlockView } from "./block-view.ts"
import { ReaderWorkspace } from "./reader-workspace.ts"
import { BucketReader } from "./bucket-values.ts"
import { columnQuantiles } from "./column-quantiles.ts"
import { loadCatalogue, refreshCatalogue } from "../metadata/catalogue-table.ts"
import { loadOrClose } from "../disk/corruption-errors.ts"
import {
  CatalogueLocator,
  locationsOf,
  noSeries,
  StaticLocator,
  type SeriesLocator,
} from "../metadata/series-locator.ts"
import { listDocuments } from "../metadata/documents.ts"
import type { IncomingSamples } from "../merge/group-by-block.ts"
import { retainedSpan, readWatermarks } from "../disk/retention-watermarks.ts"
import { lastSeen, withUnflushed } from "./last-seen.ts"
import { clearCycleCells, HistoryReader, readCycleCells } from "./cycle-reader.ts"
import { partitionByBlock } from "./partition.ts"
import { UnflushedBlocks } from "./unflushed-blocks.ts"
import { bucketRecords, rawRecords } from "./series-samples.ts"
import { getState, isClosed, listStates } from "../metadata/states.ts"
import type { Table } from "../disk/table.ts"
import { openTables, type Tables } from "../disk/tables.ts"
import { rawStatistics } from "./raw-statistics.ts"

export class LmdbReadStore implements ReadStore, SeriesReader, CountedReads {
  catalogue = new Catalogue()
  private locator: SeriesLocator = new CatalogueLocator(() => this.catalogue)
  private readonly tables: Tables
  private readonly workspace: ReaderWorkspace
  private readonly buckets = new BucketReader()
  private readonly statisticsWorkspace = new StatisticsWorkspace()
  private readonly bands = new BandWorkspace()
  private readonly unflushedBySamples = new WeakMap<UnflushedSamples, UnflushedBlocks>()
  private sequence = 0
  private closed = false

  /** With `withCatalogue: false` there is no catalogue; call `useLocations` before each query. */
  constructor(options: {
    readonly folder: string
    readonly withCatalogue?: boolean
    readonly budget?: QueryBudget
  }) {
    this.tables = openTables(options.folder)
    this.workspace = new ReaderWorkspace(this.tables, () => this.locator, options.budget)
    if (options.withCatalogue === false) return
    loadOrClose(this.tables, () => {
      this.sequence = loadCatalogue(this.tables, this.catalogue)
    })
    this.tables.root.resetReadTxn()
  }

  get reads(): StoreReads {
    const { recentRaw, recentCells, recentBands, raw, cells, bands, hours, days } = this.tables
    const sum = (tables: readonly Table[]) =>
      tables.reduce((reads, table) => reads + table.reads, 0)
    return {
      rows: sum([recentRaw, recentCells, recentBands]),
      chunks: sum([raw, cells, bands, hours, days]),
    }
  }

  useLocations(locations: SeriesLocations | null): void {
    this.locator = locations === null ? noSeries : new StaticLocator(locations)
  }
  locationsOf(series: Int32Array): SeriesLocations {
    return locationsOf(this.catalogue, series)
  }
  partition(request: PartitionRequest): Int32Array[] {
    return partitionByBlock((series) => this.catalogue.partitionOf(series), request)
  }

  begin(): this {
    this.refresh()
    return this
  }

  refresh(): void {
    this.workspace.onSnapshot(() => this.applyChanges())
  }

  private applyChanges(): void {
    const sequence = refreshCatalogue(this.tables, this.catalogue, this.sequence)
    if (sequence >= 0) {
      this.sequence = sequence
      return
    }
    this.catalogue = new Catalogue()
    this.sequence = loadCatalogue(this.tables, this.catalogue)
  }

  statistics(
    question: StatisticsRequest,
    open: UnflushedSamples | null = null,
  ): SeriesStatistics[] {
    return this.workspace.onSnapshot(() => {
      const byBlock = this.slotsByBlock(question.series)
      const unflushedBlocks = this.openBlocks(open)
      const answers = new Map<number, SeriesStatistics>()
      for (const [block, slots] of byBlock) {
        const view = this.view(block, unflushedBlocks.of(block))
        for (const answer of this.blockStatistics(view, slots, question)) {
          answers.set(answer.series, answer)
        }
      }
      return inOrderOf(question.series, answers)
    })
  }

  samples(
    series: Int32Array,
    question: { readonly span: Span; readonly resolution: Resolution },
    open: UnflushedSamples | null = null,
  ): SampleRecord[][] {
    return this.workspace.onSnapshot(() => {
      const { resolution } = question
      const span = this.retainedSpan(question.span, resolution)
      return Array.from(series, (one) => this.samplesOf(one, { span, resolution }, open))
    })
  }

  private samplesOf(
    series: number,
    { span, resolution }: { readonly span: Span; readonly resolution: Resolution },
    open: UnflushedSamples | null,
  ): SampleRecord[] {
    if (!this.catalogue.isKnownSeries(series)) return []
    const block = this.catalogue.partitionOf(series)
    const slot = this.catalogue.indexInPartition(series)
    const view = this.view(block, this.openBlocks(open).of(block))
    if (resolution === "ZERO") return rawRecords(view, slot, span)
    const { settings } = this.catalogue.seriesDefinition(series)
    const { bands } = this
    return bucketRecords(view, { slot, span, resolution, settings, bands })
  }

  bucketValues(
    question: BucketValuesRequest,
    open: UnflushedSamples | null,
    take: BucketConsumer,
  ): void {
    this.workspace.onSnapshot(() => {
      const { resolution, field } = question
      const span = this.retainedSpan(question.span, resolution)
      if (span.startMs >= span.endMs) return
      const openBlocks = this.openBlocks(open)
      for (const [block, slots] of this.slotsByBlock(question.series)) {
        const view = this.view(block, openBlocks.of(block))
        const members = this.locator.blockSeries(block)
        const asked = { slots, span, resolution, field, withTimes: true }
        this.buckets.read(view, asked, (slot, found) => {
          found.materialize()
          const { values, timesMs, count } = found
          take(members[slot]!, timesMs.subarray(0, count), values.subarray(0, count))
        })
      }
    })
  }

  bucketTotals(
    { series, resolution, ...question }: Omit<BucketValuesRequest, "field">,
    open: UnflushedSamples | null,
    take: TotalsConsumer,
  ): void {
    this.workspace.onSnapshot(() => {
      const span = this.retainedSpan(question.span, resolution)
      if (span.startMs >= span.endMs) return
      const openBlocks = this.openBlocks(open)
      for (const [block, slots] of this.slotsByBlock(series)) {
        const view = this.view(block, openBlocks.of(block))
        const members = this.locator.blockSeries(block)
        const asked = { slots, span, resolution, field: "actual", withTimes: false } as const
        this.buckets.read(view, asked, (slot, found) => take(members[slot]!, found.totals()))
      }
    })
  }

  columnQuantiles(
    question: ColumnQuantilesRequest,
    open: UnflushedSamples | null,
    take: QuantilesConsumer,
  ): void {
    this.workspace.onSnapshot(() => {
      const watermarks = readWatermarks(this.tables)
      const unflushedBlocks = this.openBlocks(open)
      for (const [block, slots] of this.slotsByBlock(question.series)) {
        const members = this.locator.blockSeries(block)
        const view = this.view(block, unflushedBlocks.of(block))
        columnQuantiles(view, { slots, watermarks, ...question }, (slot, column, quantiles) =>
          take(members[slot]!, column, quantiles),
        )
      }
    })
  }

  lastSeen(question: LastSeenRequest, open: UnflushedSamples | null = null): Float64Array {
    return this.workspace.onSnapshot(() => {
      const seenMs = lastSeen(this.workspace, this.catalogue, question)
      return withUnflushed(seenMs, question, open)
    })
  }

  retainedFromMs(resolution: Resolution): number {
    const beginning = { startMs: 0, endMs: 0 }
    return this.workspace.onSnapshot(() => this.retainedSpan(beginning, resolution).startMs)
  }

  listDocuments(kind: string, range: IdRange = {}): StoredDocument[] {
    return this.workspace.onSnapshot(() => listDocuments(this.tables, kind, range))
  }

  cycleCells(block: SeriesPartition, cycle: number, out: CellColumns): boolean {
    return this.workspace.onSnapshot(() => {
      if (this.catalogue.partitionSeries(block).length === 0) return clearCycleCells(out)
      return readCycleCells(this.view(block, null), cycle, out)
    })
  }

  cycleBands(block: SeriesPartition, cycle: number, out: Float32Array): boolean {
    return this.workspace.onSnapshot(() =>
      readCycleBands(this.tables, { cycle, block }, out, this.bands),
    )
  }

  bucketHistory(
    series: Int32Array,
    fromCycle: number,
    toCycle: number,
    contents: HistoryContents = wholeHistory,
  ): BucketHistory {
    return this.workspace.onSnapshot(() => {
      const request = { series, fromCycle, toCycle, ...contents }
      const history = new HistoryReader(this.tables, this.bands, request)
      for (const [block, slots] of this.slotsByBlock(series)) {
        const members = this.locator.blockSeries(block)
        history.read(this.view(block, null), slots, members, this.buckets)
      }
      return history.result
    })
  }

  seriesOf(element: number): Int32Array {
    return this.catalogue.elementSeries(element)
  }
  state(kind: string, key: Uint8Array): Uint8Array | undefined {
    return this.workspace.onSnapshot(() => getState(this.tables, kind, key))
  }
  states(kind: string, range: StateRange = {}): StoredState[] {
    return this.workspace.onSnapshot(() => listStates(this.tables, kind, range))
  }
  isClosed(cycle: number, part: string): boolean {
    return this.workspace.onSnapshot(() => isClosed(this.tables, cycle, part))
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    await this.tables.root.close()
  }

  private blockStatistics(
    view: BlockView,
    slots: readonly number[],
    question: StatisticsRequest,
  ): SeriesStatistics[] {
    const { resolution, exact, withValues, withObservations = false } = question
    const span = this.retainedSpan(question.span, resolution)
    if (span.startMs >= span.endMs) return []
    const members = this.locator.blockSeries(view.block)
    if (resolution !== "ZERO") {
      return this.bucketStatistics(view, slots, { ...question, span, resolution })
    }
    const asked = { slots, span, exact, withValues, withObservations }
    return rawStatistics(view, asked).map(({ slot, ...rest }) => ({
      series: members[slot]!,
      ...rest,
    }))
  }

  private bucketStatistics(
    view: BlockView,
    slots: readonly number[],
    question: StatisticsRequest & { readonly resolution: BucketResolution },
  ): SeriesStatistics[] {
    const { span, resolution, withValues } = question
    const asked = { slots, span, resolution, field: "actual", withTimes: withValues } as const
    const members = this.locator.blockSeries(view.block)
    const answers: SeriesStatistics[] = []
    this.buckets.read(view, asked, (slot, actuals) => {
      const statistics = actuals.statistics(this.statisticsWorkspace)
      const series = members[slot]!
      if (!withValues) answers.push({ series, statistics })
      else {
        actuals.materialize()
        const { values, timesMs, count } = actuals
        const copies = { values: values.slice(0, count), timesMs: timesMs.slice(0, count) }
        answers.push({ series, statistics, ...copies })
      }
    })
    return answers
  }

  private view(block: number, open: IncomingSamples | null): BlockView {
    const slots = this.locator.blockSeries(block).length
    return new BlockView(this.workspace, { block, slots }, open)
  }

  /** The partitions of one query share the same unflushed samples. */
  private openBlocks(open: UnflushedSamples | null): UnflushedBlocks {
    if (open === null) return new UnflushedBlocks(null, this.locator)
    const known = this.unflushedBySamples.get(open) ?? new UnflushedBlocks(open, this.locator)
    this.unflushedBySamples.set(open, known)
    return known
  }

  /** Returns the slots of the series by block, ascending. */
  private slotsByBlock(series: Int32Array): Map<number, number[]> {
    const byBlock = new Map<number, number[]>()
    for (const one of series) {
      if (!this.locator.hasSeries(one)) continue
      const block = this.locator.seriesBlock(one)
      const slots = byBlock.get(block)
      if (slots === undefined) byBlock.set(block, [this.locator.seriesSlot(one)])
      else slots.push(this.locator.seriesSlot(one))
    }
    for (const slots of byBlock.values()) slots.sort((left, right) => left - right)
    return byBlock
  }

  private retainedSpan(span: Span, resolution: Resolution): Span {
    return retainedSpan(span, readWatermarks(this.tables), resolution)
  }
}

/** Those of the series that have an answer. */
function inOrderOf<Item>(series: Int32Array, answers: ReadonlyMap<number, Item>): Item[] {
  const ordered: Item[] = []
  for (const one of series) {
    const answer = answers.get(one)
    if (answer !== undefined) ordered.push(answer)
  }
  return ordered
}
