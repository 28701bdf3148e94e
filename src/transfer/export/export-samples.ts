/**
 * Export: the chosen series of a store, partition by partition and piece by piece, as rows. All of
 * one partition comes before the next, so that an import fills whole days of it together.
 */

import type { Catalogue, SeriesPartition } from "../../catalogue/catalogue.ts"
import type { ElementIndex, SeriesIndex, TenantIndex } from "../../model/ids.ts"
import type { Resolution } from "../../model/resolution.ts"
import { fieldCount, fieldVal } from "../../model/sample-batch.ts"
import type { Span } from "../../model/span.ts"
import type { OnProgress } from "../../base/work-progress.ts"
import type { ExportStore, RawColumns } from "../../store/export-store.ts"
import type { SampleRecord } from "../../store/query-store.ts"
import { bucketColumns } from "../columns.ts"
import type { RowWriter } from "../row-writer.ts"
import { aboutSeries } from "./about.ts"

export interface ExportRequest {
  readonly tenant: TenantIndex
  readonly span: Span
  readonly resolution: Resolution
  readonly isWantedElement: (fqn: string) => boolean
  readonly isWantedMetric: (fqn: string) => boolean
}

export interface ExportReport {
  readonly rows: number
  readonly series: number
}

/** Writes all rows of the request, and the end of the file. */
export async function exportSamples(
  store: ExportStore,
  request: ExportRequest,
  writer: RowWriter,
  onStep: OnProgress,
): Promise<ExportReport> {
  const { span, resolution } = request
  const rows = new Rows(store.catalogue, writer)
  const wanted = new WantedSeries(store.catalogue, request)
  const isWanted = (one: SeriesIndex): boolean => wanted.has(one)
  for (const partition of wanted.partitions()) {
    for (const piece of store.pieces(span, resolution)) {
      const where = { partition, isWanted, span: piece }
      if (resolution === "ZERO") store.readRaw(where, rows.addRaw)
      else store.readBuckets(where, resolution, rows.addBucket)
      await writer.drain()
      onStep({ what: "exporting", done: rows.count, total: null, unit: "rows" })
    }
  }
  await writer.end()
  return { rows: rows.count, series: rows.seriesCount }
}

/** The series of a request: names and elements are judged once each. */
class WantedSeries {
  private readonly catalogue: Catalogue
  private readonly request: ExportRequest
  private readonly elements: Uint8Array

  constructor(catalogue: Catalogue, request: ExportRequest) {
    this.catalogue = catalogue
    this.request = request
    this.elements = Uint8Array.from({ length: catalogue.elementCount }, (_, element) =>
      this.isWantedElement(element) ? 1 : 0,
    )
  }

  /** Partitions of the wanted metrics, by metric. */
  partitions(): SeriesPartition[] {
    const { catalogue, request } = this
    const found: SeriesPartition[] = []
    for (let name = 0; name < catalogue.nameCount; name++) {
      const { tenant, fqn } = catalogue.name(name)
      if (tenant !== request.tenant || !request.isWantedMetric(fqn)) continue
      for (const partition of catalogue.partitionsOfName(name)) found.push(partition)
    }
    return found
  }

  has(series: SeriesIndex): boolean {
    return series >= 0 && this.elements[this.catalogue.seriesElement(series)] === 1
  }

  private isWantedElement(element: ElementIndex): boolean {
    const { catalogue, request } = this
    return (
      catalogue.elementTenant(element) === request.tenant &&
      !catalogue.isDeleted(element) &&
      request.isWantedElement(catalogue.elementFqn(element))
    )
  }
}

/** Turns what the store hands out into rows. */
class Rows {
  count = 0
  seriesCount = 0
  private readonly catalogue: Catalogue
  private readonly writer: RowWriter
  /** 1 for the series whose `about` is written. */
  private readonly described: Uint8Array
  private readonly raw = new Float64Array(fieldCount)
  private readonly bucket = new Float64Array(bucketColumns.length)
  private current = -1

  constructor(catalogue: Catalogue, writer: RowWriter) {
    this.catalogue = catalogue
    this.writer = writer
    this.described = new Uint8Array(catalogue.seriesCount)
  }

  readonly addRaw = (series: SeriesIndex, columns: RawColumns, from: number, to: number): void => {
    this.begin(series)
    const { raw, writer } = this
    const { timesMs, values, aggregates } = columns
    for (let i = from; i < to; i++) {
      raw.fill(NaN)
      const entry = aggregates[i]!
      if (entry < 0) raw[fieldVal] = values[i]!
      else copyAggregate(columns, entry, raw)
      writer.row(timesMs[i]!, raw)
    }
    this.count += to - from
  }

  readonly addBucket = (series: SeriesIndex, { timeMs, fields }: SampleRecord): void => {
    if (series !== this.current) this.begin(series)
    const { bucket } = this
    for (const [i, name] of bucketColumns.entries()) bucket[i] = fields[name] ?? NaN
    this.writer.row(timeMs, bucket)
    this.count++
  }

  private begin(series: SeriesIndex): void {
    const { catalogue, described } = this
    const isNew = described[series] === 0
    described[series] = 1
    if (isNew) this.seriesCount++
    this.current = series
    this.writer.begin({
      element: catalogue.elementFqn(catalogue.seriesElement(series)),
      metric: catalogue.name(catalogue.seriesName(series)).fqn,
      about: isNew ? aboutSeries(catalogue, series) : null,
    })
  }
}

function copyAggregate(
  { aggregateMasks, aggregateFields }: RawColumns,
  entry: number,
  into: Float64Array,
): void {
  const mask = aggregateMasks[entry]!
  for (let f = 0; f < fieldCount; f++) {
    if ((mask >> f) & 1) into[f] = aggregateFields[entry * fieldCount + f]!
  }
}
