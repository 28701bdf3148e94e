/**
 * MemoryStore: the reference implementation of the store interfaces, and the oracle of the contract
 * suite. It keeps a multiset of raw samples a series and computes every bucket from scratch, which
 * makes it right by being simple; nothing is persistent, and nothing in it is fast.
 *
 *   append ──► MemorySeries (one a series) ──► cells ──► samples, statistics
 *                    ▲ maintain: freezes the cells of days whose finer values go, then drops those
 */

import { totalsOfValues } from "./bucket-totals.ts"
import type { SyncQuerySource } from "../../../src/store/query-store.ts"
import { partitionSeriesMax } from "../../../src/base/limits.ts"
import { Catalogue, type SeriesPartition } from "../../../src/catalogue/catalogue.ts"
import { bucketWidthMs, cycleMs, dayMs, resolutions } from "../../../src/model/resolution.ts"
import type { BucketResolution, Resolution } from "../../../src/model/resolution.ts"
import type { DocumentChange, IdRange, StoredDocument } from "../../../src/model/document.ts"
import { SampleBatchBuilder } from "../../../src/model/sample-batch.ts"
import type { Span } from "../../../src/model/span.ts"
import {
  clearCells,
  copyCell,
  flagComputed,
  flagGapFill,
  hasActual,
  isPresent,
} from "../../../src/rollup/cell.ts"
import type { CellColumns } from "../../../src/rollup/cell.ts"
import { actualKindOf } from "../../../src/rollup/actual-kind.ts"
import { bandRecord } from "../../../src/store/band-fields.ts"
import { bandFieldCount } from "../../../src/store/cycle-store.ts"
import {
  isFilledFromPast,
  lateNoteBytes,
  lateNoteKey,
  lateNoteKind,
} from "../../../src/store/late-notes.ts"
import type { CycleBatch, StateRange, StoredState } from "../../../src/store/cycle-store.ts"
import { MemoryClosing } from "./memory-closing.ts"
import { retentionWatermark, retentionMsDefault } from "./memory-retention.ts"
import type { RetentionMs } from "./memory-retention.ts"
import { fieldOfCell, recordOfCell, recordOfSample, type PlacedCell } from "./memory-records.ts"
import { requestsOf } from "./memory-requests.ts"
import { MemorySeries } from "./memory-series.ts"
import type { RawSample } from "./memory-series.ts"
import { membersOfSamples, observationsOf, statisticsOfMembers } from "./memory-statistics.ts"
import type { Member } from "./memory-statistics.ts"
import type { AppendBatch, UnflushedSamples } from "../../../src/store/append-store.ts"
import type {
  MaintenanceResult,
  MaintenanceOptions,
  StoreFigures,
} from "../../../src/store/maintenance-store.ts"
import type {
  BucketConsumer,
  BucketHistory,
  BucketValuesRequest,
  HistoryContents,
  LastSeenRequest,
  PartitionRequest,
  SampleRecord,
  SeriesLocations,
  SeriesStatistics,
  StatisticsRequest,
} from "../../../src/store/query-store.ts"
import { wholeHistory } from "../../../src/store/query-store.ts"
import type { ReadStore, WriteStore } from "../../../src/store/store.ts"

export interface MemoryStoreOptions {
  /** Default: spec/retention §1. */
  readonly retentionMs?: RetentionMs
  /** How long after its end a cycle counts as closed. Default: a minute (spec/time §4). */
  readonly cycleGraceMs?: number
}

export class MemoryStore implements WriteStore, ReadStore {
  /** Shared by writer and reader: this store has one thread. */
  readonly catalogue = new Catalogue()
  readonly isBroken = false
  /** Every answer has all samples, so none is ever unflushed. */
  readonly unflushedSampleCount = 0
  readonly unflushedBytes = 0
  hasUnflushedSeries = false

  private readonly retentionMs: RetentionMs
  private readonly cycleGraceMs: number
  private readonly memorySeries: MemorySeries[] = []
  private readonly closing = new MemoryClosing()
  private appendCount = 0
  private readonly documents = new Map<string, Map<string, string>>()
  private readonly watermarkMs: Record<Resolution, number> = {
    ZERO: -Infinity,
    PT5M: -Infinity,
    PT1H: -Infinity,
    PT24H: -Infinity,
  }

  constructor(options: MemoryStoreOptions = {}) {
    this.retentionMs = options.retentionMs ?? retentionMsDefault
    this.cycleGraceMs = options.cycleGraceMs ?? 60_000
  }

  append({ columns }: AppendBatch): void {
    for (const request of requestsOf(columns)) {
      for (const [series, bag] of request) {
        this.contentOf(series).addRequest(bag)
        this.noteLate(series, bag)
      }
    }
    this.appendCount++
    this.catalogue.markStored()
  }

  /** Notes the series if samples of the request belong to closed cycles (late.ts). */
  private noteLate(series: number, bag: readonly RawSample[]): void {
    if (!isFilledFromPast(this.catalogue.seriesDefinition(series))) return
    const late = bag.filter(({ timeMs }) => Math.floor(timeMs / cycleMs) <= this.closing.newest)
    const element = this.catalogue.seriesElement(series)
    for (const day of new Set(late.map(({ timeMs }) => Math.floor(timeMs / dayMs)))) {
      const key = lateNoteKey({ element, series, flush: this.appendCount, day })
      this.closing.putState({ kind: lateNoteKind, key, bytes: lateNoteBytes })
    }
  }

  /** Nothing to do: readers share the catalogue. */
  flushIndex(): void {}

  /** All that it holds is in memory, for tests. */
  checkSampleLimit(): null {
    return null
  }

  maintain({ nowMs }: MaintenanceOptions): MaintenanceResult {
    for (const resolution of resolutions) {
      const horizonMs = retentionWatermark(nowMs, this.retentionMs[resolution])
      this.watermarkMs[resolution] = Math.max(this.watermarkMs[resolution], horizonMs)
    }
    let dropped = 0
    for (const bag of this.memorySeries.filter((each) => each !== undefined)) {
      bag.close(nowMs - this.cycleGraceMs)
      bag.freeze("PT5M", this.watermarkMs.ZERO)
      bag.freeze("PT1H", this.watermarkMs.PT5M)
      bag.freeze("PT24H", this.watermarkMs.PT1H)
      for (const resolution of resolutions)
        dropped += bag.drop(resolution, this.watermarkMs[resolution])
    }
    this.closing.drop(this.watermarkMs.ZERO, this.watermarkMs.PT5M)
    const nothing = { hasUnflushedSeries: false, unflushedSamples: 0, flushed: 0, compacted: 0 }
    return { moreDue: false, isFlushed: true, ...nothing, dropped }
  }

  /** Its clock is that of the test. */
  trustsClock(): boolean {
    return true
  }

  commitCycle(part: CycleBatch): boolean {
    const { cycle, gapFills, computed, actualKinds } = part
    if (this.closing.isClosed(cycle, part.name)) return false
    const startMs = cycle * cycleMs
    const { catalogue } = this
    gapFills.series.forEach((series, i) => {
      this.contentOf(series).addSynthetic(startMs, {
        actual: gapFills.actuals[i]!,
        flags: flagGapFill,
      })
    })
    computed.elements.forEach((element, i) => {
      const fqn = computed.fqns[i]!
      const name = catalogue.findName(catalogue.elementTenant(element), fqn)
      const known = name < 0 ? -1 : catalogue.findSeries(element, name)
      const say = computed.definitions?.[i]
      const series = known < 0 ? catalogue.upsertSeries(element, fqn, say) : known
      this.contentOf(series).addSynthetic(startMs, {
        actual: computed.actuals[i]!,
        flags: flagComputed,
      })
    })
    actualKinds.series.forEach((series, i) => {
      this.contentOf(series).define(startMs, actualKinds.kinds[i]!)
    })
    this.closing.putBands(cycle, part.bands)
    for (const change of part.states) this.closing.putState(change)
    this.putDocuments(part.documents)
    this.closing.close(cycle, part.name)
    catalogue.markStored()
    return true
  }

  reopenCycles(fromCycle: number): boolean {
    this.closing.reopen(fromCycle)
    return false
  }

  isClosed(cycle: number, part: string): boolean {
    return this.closing.isClosed(cycle, part)
  }
  seriesOf(element: number): Int32Array {
    return this.catalogue.elementSeries(element)
  }
  state(kind: string, key: Uint8Array): Uint8Array | undefined {
    return this.closing.state(kind, key)
  }
  states(kind: string, range: StateRange = {}): StoredState[] {
    return this.closing.states(kind, range)
  }

  /** One thread reads all. */
  partition({ series }: PartitionRequest): Int32Array[] {
    return [series]
  }
  locationsOf(series: Int32Array): SeriesLocations {
    return { series }
  }

  cycleCells(partition: SeriesPartition, cycle: number, out: CellColumns): boolean {
    clearCells(out, 0, partitionSeriesMax)
    const startMs = cycle * cycleMs
    const span = { startMs, endMs: startMs + 1 }
    this.catalogue.partitionSeries(partition).forEach((series, index) => {
      const [placed] = this.cellsIn(series, { resolution: "PT5M", span })
      if (placed !== undefined) copyCell(placed.cell, 0, out, index)
    })
    return isAnyPresent(out)
  }

  cycleBands(partition: SeriesPartition, cycle: number, out: Float32Array): boolean {
    out.fill(NaN)
    this.catalogue.partitionSeries(partition).forEach((series, index) => {
      out.set(this.closing.band(cycle, series), index * bandFieldCount)
    })
    return out.some((value) => !Number.isNaN(value))
  }

  bucketHistory(
    series: Int32Array,
    fromCycle: number,
    toCycle: number,
    { withBands, withGapFills }: HistoryContents = wholeHistory,
  ): BucketHistory {
    const cycles = toCycle - fromCycle
    const actuals = new Float64Array(series.length * cycles).fill(NaN)
    const bands = new Float32Array(withBands ? actuals.length * bandFieldCount : 0)
    const span = { startMs: fromCycle * cycleMs, endMs: toCycle * cycleMs }
    series.forEach((one, i) => {
      for (const { timeMs, cell } of this.cellsIn(one, { resolution: "PT5M", span })) {
        const isFill = (cell.flags[0]! & flagGapFill) !== 0
        if (!hasActual(cell, 0) || (isFill && !withGapFills)) continue
        actuals[i * cycles + timeMs / cycleMs - fromCycle] = cell.actual[0]!
      }
      for (let c = 0; c < cycles && withBands; c++) {
        bands.set(this.closing.band(fromCycle + c, one), (i * cycles + c) * bandFieldCount)
      }
    })
    return { cycles, actuals, bands }
  }

  /** None, ever: what was appended is in the reader's answers already. */
  unflushedSamples(_series: Int32Array, _span: Span): UnflushedSamples {
    return new SampleBatchBuilder().copy()
  }

  begin = (): this => this
  refresh(): void {}

  statistics(
    question: StatisticsRequest,
    _open: UnflushedSamples | null = null,
  ): SeriesStatistics[] {
    const answers: SeriesStatistics[] = []
    for (const series of question.series) {
      const members = this.membersOf(series, question)
      if (members.length === 0) continue
      const statistics = statisticsOfMembers(members)
      const { withValues, withObservations, resolution } = question
      const isObserved = withObservations === true && resolution === "ZERO"
      answers.push({
        series,
        statistics,
        ...(withValues && valuesOf(members)),
        ...(isObserved && { observations: observationsOf(members) }),
      })
    }
    return answers
  }

  samples(
    series: Int32Array,
    question: { readonly span: Span; readonly resolution: Resolution },
    _open: UnflushedSamples | null = null,
  ): SampleRecord[][] {
    return Array.from(series, (one) => this.samplesOf(one, question))
  }

  private samplesOf(
    series: number,
    { span, resolution }: { readonly span: Span; readonly resolution: Resolution },
  ): SampleRecord[] {
    if (resolution === "ZERO") return this.rawIn(series, span).map(recordOfSample)
    const { settings } = this.catalogue.seriesDefinition(series)
    return this.cellsIn(series, { span, resolution }).map((placed) => {
      const { timeMs, fields } = recordOfCell(placed)
      if (resolution !== "PT5M") return { timeMs, fields }
      const band = this.closing.band(timeMs / cycleMs, series)
      return { timeMs, fields: { ...fields, ...bandRecord(band, settings) } }
    })
  }

  bucketValues(
    question: BucketValuesRequest,
    _open: UnflushedSamples | null,
    take: BucketConsumer,
  ): void {
    for (const series of question.series) {
      const { field } = question
      const placed = this.cellsIn(series, question).filter(({ cell }) =>
        field === "actual" ? hasActual(cell, 0) : cell.count[0]! > 0,
      )
      if (placed.length === 0) continue
      const timesMs = Float64Array.from(placed, ({ timeMs }) => timeMs)
      const values = Float64Array.from(placed, ({ cell }) => fieldOfCell(cell, field))
      take(series, timesMs, values)
    }
  }

  lastSeen({ series, span }: LastSeenRequest, _open: UnflushedSamples | null = null): Float64Array {
    return Float64Array.from(series, (one) => this.lastCellMs(one, span))
  }

  bucketTotals(...given: Parameters<SyncQuerySource["bucketTotals"]>): void {
    totalsOfValues(this, ...given)
  }

  /** It keeps no digests, so that all columns of dropped samples are left out. */
  columnQuantiles(): void {}

  retainedFromMs(resolution: Resolution): number {
    return Math.max(0, this.watermarkMs[resolution])
  }

  /** Start of the newest cell in the span, from the finest kept cells of each day. */
  private lastCellMs(series: number, { startMs, endMs }: Span): number {
    let goneMs = endMs
    for (const resolution of ["PT5M", "PT1H", "PT24H"] as const) {
      const width = bucketWidthMs[resolution]
      const span = { startMs: Math.floor(startMs / width) * width, endMs: goneMs }
      const last = this.cellsIn(series, { resolution, span })
        .filter(({ cell }) => isPresent(cell, 0))
        .at(-1)
      if (last !== undefined) return last.timeMs
      goneMs = Math.min(goneMs, this.watermarkMs[resolution])
    }
    return NaN
  }

  putDocuments(changes: readonly DocumentChange[]): void {
    for (const { kind, id, document } of changes) {
      const byId = this.documents.get(kind) ?? new Map<string, string>()
      this.documents.set(kind, byId)
      if (document === null) byId.delete(id)
      else byId.set(id, JSON.stringify(document))
    }
  }

  /** Undefined if there is none. */
  getDocument(kind: string, id: string): unknown {
    const text = this.documents.get(kind)?.get(id)
    return text === undefined ? undefined : JSON.parse(text)
  }

  listDocuments(kind: string, range: IdRange = {}): StoredDocument[] {
    const { from, to, limit, isReversed = false } = range
    const byId = this.documents.get(kind) ?? new Map<string, string>()
    const compare = (left: string, right: string): number =>
      Buffer.compare(Buffer.from(left), Buffer.from(right))
    return [...byId.keys()]
      .filter((id) => from === undefined || compare(id, from) >= 0)
      .filter((id) => to === undefined || compare(id, to) < 0)
      .sort((left, right) => (isReversed ? compare(right, left) : compare(left, right)))
      .slice(0, limit)
      .map((id) => ({ id, document: this.getDocument(kind, id) }))
  }

  countDocuments(prefix: string): number {
    const kinds = [...this.documents.keys()].filter((kind) => kind.startsWith(prefix))
    return kinds.reduce((count, kind) => count + this.documents.get(kind)!.size, 0)
  }

  /** It has no disk. */
  tenantBytes(): number {
    return 0
  }

  figures(): StoreFigures {
    const syncs = { boundsSeconds: [], counts: [0], sumSeconds: 0 }
    return {
      seriesCount: this.catalogue.seriesCount,
      elementCount: this.catalogue.elementCount,
      unflushedSamples: 0,
      memtableBytes: 0,
      corruptRecords: 0,
      wal: { segments: 0, bytes: 0, truncations: 0, syncs },
      storeBytes: 0,
      tenantBytes: [],
      uncompactedDays: 0,
      failingJob: null,
    }
  }

  async close(): Promise<void> {}

  /** The population of a series: samples that count, or cells that have an actual. */
  private membersOf(series: number, { resolution, span }: StatisticsRequest): Member[] {
    if (resolution === "ZERO") return membersOfSamples(this.rawIn(series, span))
    return this.cellsIn(series, { resolution, span })
      .filter(({ cell }) => hasActual(cell, 0))
      .map(memberOfCell)
  }

  private rawIn(series: number, span: Span): RawSample[] {
    return this.contentOf(series).raw(this.keptPart("ZERO", span))
  }

  private cellsIn(
    series: number,
    { resolution, span }: { readonly resolution: BucketResolution; readonly span: Span },
  ): PlacedCell[] {
    const bag = this.contentOf(series)
    return bag
      .bucketStarts(resolution, this.keptPart(resolution, span))
      .map((timeMs) => ({ timeMs, cell: bag.cell(resolution, timeMs) }))
      .filter((placed): placed is PlacedCell => placed.cell !== undefined)
  }

  /** The part of `span` that retention has left of this resolution. */
  private keptPart(resolution: Resolution, { startMs, endMs }: Span): Span {
    return { startMs: Math.max(startMs, this.watermarkMs[resolution]), endMs }
  }

  private contentOf(series: number): MemorySeries {
    const codeInForce = () => actualKindOf(this.catalogue.seriesDefinition(series))
    return (this.memorySeries[series] ??= new MemorySeries(codeInForce))
  }
}

function isAnyPresent(cells: CellColumns): boolean {
  for (let i = 0; i < partitionSeriesMax; i++) if (isPresent(cells, i)) return true
  return false
}

function valuesOf(members: readonly Member[]) {
  return {
    values: Float64Array.from(members, ({ value }) => value),
    timesMs: Float64Array.from(members, ({ timeMs }) => timeMs),
  }
}

function memberOfCell({ timeMs, cell }: PlacedCell): Member {
  const value = cell.actual[0]!
  return { timeMs, value, mean: value, count: 1, sum: value, min: value, max: value }
}
