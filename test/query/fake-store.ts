/**
 * A ReadStore of a few lines, so that tests of queries depend on the catalogue only:
 * values in memory, PT5M actuals as averages, other resolutions likewise by their width.
 */

import { totalsOfValues } from "../support/reference-store/bucket-totals.ts"
import type { SyncQuerySource } from "../../src/store/query-store.ts"
import { Catalogue } from "../../src/catalogue/catalogue.ts"
import type { StoredDocument } from "../../src/model/document.ts"
import type { ElementPatch, MetricPatch } from "../../src/model/element.ts"
import type { Resolution } from "../../src/model/resolution.ts"
import { bucketWidthMs } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import type { Statistics } from "../../src/model/statistics.ts"
import { Query } from "../../src/query/query.ts"
import type { QueryRequest } from "../../src/query/query.ts"
import { runOf, SampleBatchBuilder } from "../../src/model/sample-batch.ts"
import type { UnflushedSamples } from "../../src/store/append-store.ts"
import type {
  BucketHistory,
  BucketValuesRequest,
  BucketConsumer,
  LastSeenRequest,
  PartitionRequest,
  SampleRecord,
  SeriesLocations,
  SeriesStatistics,
  StatisticsRequest,
} from "../../src/store/query-store.ts"
import type { ReadStore } from "../../src/store/store.ts"
import { statisticsOfNumbers } from "../support/store/dedup-model.ts"
import { textOfParts } from "../support/server/answer-text.ts"

export const nowMs = Date.parse("2024-03-05T12:00:46.872Z")
export const tenantUuids = [
  "00000000-0000-4000-8000-000000000001",
  "00000000-0000-4000-8000-000000000002",
]

interface Point {
  readonly timeMs: number
  readonly value: number
}

export class FakeStore implements ReadStore {
  catalogue: Catalogue
  refreshes = 0
  readonly asked: StatisticsRequest[] = []
  readonly documents = new Map<string, StoredDocument[]>()
  private readonly points: Map<number, Point[]>

  constructor(catalogue = new Catalogue(), points = new Map<number, Point[]>()) {
    this.catalogue = catalogue
    this.points = points
  }

  element(fqn: string, say: ElementPatch = {}, tenant = 0): number {
    return this.catalogue.upsertElement(tenant, fqn, { ...say, nowMs })
  }

  /** Declares a metric and gives it values, one a cycle, the last one ending before `nowMs`. */
  metric(
    element: number,
    fqn: string,
    say: { patch?: MetricPatch; values?: number[] } = {},
  ): number {
    const series = this.catalogue.upsertSeries(element, fqn, say.patch)
    const { values = [] } = say
    const firstMs = nowMs - values.length * 300_000
    this.points.set(
      series,
      values.map((value, i) => ({ timeMs: firstMs + i * 300_000, value })),
    )
    return series
  }

  add(series: number, timeMs: number, value: number): void {
    this.points.set(series, [...(this.points.get(series) ?? []), { timeMs, value }])
  }

  /** Another reader of the same, with a catalogue of its own, as another thread has it. */
  replica(): FakeStore {
    const catalogue = new Catalogue()
    const of = this.catalogue
    for (let i = 0; i < of.nameCount; i++) catalogue.loadName(of.name(i))
    for (let i = 0; i < of.definitionCount; i++) catalogue.loadDefinition(of.definition(i))
    for (let i = 0; i < of.elementCount; i++) catalogue.loadElement(i, of.storedElement(i))
    return new FakeStore(catalogue, this.points)
  }

  begin(): this {
    this.refresh()
    return this
  }
  refresh(): void {
    this.refreshes++
  }

  statistics(question: StatisticsRequest, open: UnflushedSamples | null): SeriesStatistics[] {
    this.asked.push(question)
    return [...question.series].flatMap((series): SeriesStatistics[] => {
      const points = this.population(series, question, open)
      if (points.length === 0) return []
      const values = points.map(({ value }) => value)
      const statistics = statisticsOfNumbers(values)
      const answer = { series, statistics, ...this.observed(question, statistics, values) }
      if (!question.withValues) return [answer]
      const timesMs = Float64Array.from(points, ({ timeMs }) => timeMs)
      return [{ ...answer, values: Float64Array.from(values), timesMs }]
    })
  }

  private observed(
    { withObservations, resolution }: StatisticsRequest,
    { stddev, count }: Statistics,
    values: readonly number[],
  ): Pick<SeriesStatistics, "observations"> {
    if (withObservations !== true || resolution !== "ZERO") return {}
    const weights = new Float64Array(count).fill(1)
    const m2 = stddev ** 2 * (count - 1)
    return { observations: { values: Float64Array.from(values), weights, m2 } }
  }

  samples(
    series: Int32Array,
    question: { span: Span; resolution: Resolution },
    open: UnflushedSamples | null,
  ): SampleRecord[][] {
    const fieldsOf = (value: number) =>
      question.resolution === "ZERO" ? { val: value } : { actual: value, avg: value }
    return Array.from(series, (one) =>
      this.population(one, question, open).map(({ timeMs, value }) => ({
        timeMs,
        fields: fieldsOf(value),
      })),
    )
  }

  /** Values know no other field: a bucket's is its average, and its count 1. */
  bucketValues(
    question: BucketValuesRequest,
    open: UnflushedSamples | null,
    take: BucketConsumer,
  ): void {
    for (const series of question.series) {
      const points = this.population(series, question, open)
      if (points.length === 0) continue
      const timesMs = Float64Array.from(points, ({ timeMs }) => timeMs)
      const values = points.map(({ value }) => (question.field === "cnt" ? 1 : value))
      take(series, timesMs, Float64Array.from(values))
    }
  }

  lastSeen({ series, span }: LastSeenRequest, open: UnflushedSamples | null): Float64Array {
    const startMs = Math.floor(span.startMs / 300_000) * 300_000
    const wide = { startMs, endMs: Math.ceil(span.endMs / 300_000) * 300_000 }
    return Float64Array.from(series, (one) => {
      const question = { span: wide, resolution: "PT5M" } as const
      return this.population(one, question, open).at(-1)?.timeMs ?? NaN
    })
  }

  bucketTotals(...given: Parameters<SyncQuerySource["bucketTotals"]>): void {
    totalsOfValues(this, ...given)
  }

  /** Nothing is dropped. */
  columnQuantiles(): void {}

  retainedFromMs(): number {
    return 0
  }

  partition({ series }: PartitionRequest): Int32Array[] {
    return [series]
  }
  locationsOf(series: Int32Array): SeriesLocations {
    return { series }
  }

  listDocuments(kind: string): StoredDocument[] {
    return this.documents.get(kind) ?? []
  }

  /** Nothing is ever closed here. */
  cycleCells(): boolean {
    return false
  }
  cycleBands(): boolean {
    return false
  }
  bucketHistory(series: Int32Array, fromCycle: number, toCycle: number): BucketHistory {
    const cycles = toCycle - fromCycle
    const actuals = new Float64Array(series.length * cycles).fill(NaN)
    return { cycles, actuals, bands: new Float32Array(4 * actuals.length).fill(NaN) }
  }
  seriesOf(element: number): Int32Array {
    return this.catalogue.elementSeries(element)
  }
  state(): undefined {}
  states(): [] {
    return []
  }
  isClosed(): boolean {
    return false
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  private population(
    series: number,
    { span, resolution }: { span: Span; resolution: Resolution },
    open: UnflushedSamples | null,
  ): Point[] {
    const raw = [...(this.points.get(series) ?? []), ...openPoints(series, open)]
    const points = resolution === "ZERO" ? raw : averages(raw, bucketWidthMs[resolution])
    return points
      .filter(({ timeMs }) => span.startMs <= timeMs && timeMs < span.endMs)
      .sort((left, right) => left.timeMs - right.timeMs)
  }
}

function openPoints(series: number, open: UnflushedSamples | null): Point[] {
  if (open === null) return []
  return [...open.series.subarray(0, open.count)].flatMap((one, i) =>
    one === series ? [{ timeMs: open.runTimesMs[runOf(open, i)]!, value: open.values[i]! }] : [],
  )
}

function averages(points: readonly Point[], widthMs: number): Point[] {
  const buckets = new Map<number, number[]>()
  for (const { timeMs, value } of points) {
    const startMs = Math.floor(timeMs / widthMs) * widthMs
    buckets.set(startMs, [...(buckets.get(startMs) ?? []), value])
  }
  return [...buckets].map(([timeMs, values]) => ({
    timeMs,
    value: values.reduce((sum, value) => sum + value, 0) / values.length,
  }))
}

/** Open samples of one series. */
export function openOf(series: number, points: readonly Point[]): UnflushedSamples {
  const batch = new SampleBatchBuilder()
  batch.startRequest()
  for (const { timeMs, value } of points) batch.push(series, timeMs, value)
  return batch.copy()
}

export function queryOf(store: ReadStore): Query {
  const tenantUuid = (tenant: number) => tenantUuids[tenant]!
  return new Query({ store, tenantUuid, elapsedMs: () => 0 })
}

/** A request with defaults; a single text is a list of one. */
export function requestOf(
  kind: QueryRequest["kind"],
  params: Record<string, string | string[]> = {},
  body?: unknown,
): QueryRequest {
  const lists = Object.entries(params).map(([name, text]) => [name, [text].flat()])
  return { kind, tenant: 0, params: Object.fromEntries(lists), body, nowMs }
}

/** Both halves in one thread; the answer's JSON, parsed. */
export async function ask(
  store: ReadStore,
  request: QueryRequest,
  open: UnflushedSamples | null = null,
) {
  const query = queryOf(store)
  return JSON.parse(textOfParts(await query.answer(await query.plan(request), open)))
}
