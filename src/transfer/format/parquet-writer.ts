/**
 * Exports as Parquet, compressed with Snappy. One row group after the other is written, so that
 * memory holds one. The columns are those of columns.ts:
 *
 *   element, metric, rollup, about   UTF-8 texts, in dictionaries
 *   timestamp                        TIMESTAMP in milliseconds, UTC
 *   values                           DOUBLE, null if absent
 */

import { ByteWriter, ParquetWriter, type ColumnSource, type SchemaElement } from "hyparquet-writer"
import type { Resolution } from "../../model/resolution.ts"
import { columnsOf, valueColumns } from "../columns.ts"
import type { ExportedSeries, RowWriter, WriteBytes } from "../row-writer.ts"

/** 128 Ki rows take some 20 MB while they are encoded; readers prefer groups of that order. */
export const parquetGroupRows = 128 * 1024

export class ParquetRowWriter implements RowWriter {
  private readonly resolution: Resolution
  private readonly write: WriteBytes
  private readonly bytes = new ByteWriter()
  private readonly parquet: ParquetWriter
  private series: ExportedSeries = { element: "", metric: "", about: null }
  private about: string | null = null
  private group: RowGroup
  private readonly full: Uint8Array[] = []

  constructor(resolution: Resolution, write: WriteBytes) {
    this.resolution = resolution
    this.write = write
    this.group = new RowGroup(resolution)
    this.parquet = new ParquetWriter({
      writer: this.bytes,
      schema: schemaOf(resolution),
      createdBy: "tidegauge",
    })
  }

  begin(series: ExportedSeries): void {
    this.series = series
    this.about = series.about
  }

  row(timeMs: number, values: Float64Array): void {
    this.group.add(this.series, this.about, timeMs, values)
    this.about = null
    if (this.group.count === parquetGroupRows) this.endGroup()
  }

  async drain(): Promise<void> {
    for (const bytes of this.full.splice(0)) await this.write(bytes)
  }

  async end(): Promise<void> {
    if (this.group.count > 0) this.endGroup()
    void this.parquet.finish()
    this.takeBytes()
    await this.drain()
  }

  /** Encodes the group. Without a `flush` of its writer the package does so before it returns. */
  private endGroup(): void {
    const rowGroupSize = parquetGroupRows
    void this.parquet.write({ columnData: this.group.columns(), rowGroupSize })
    this.takeBytes()
    this.group = new RowGroup(this.resolution)
  }

  /** Takes the bytes out of the package's buffer; its `offset` goes on counting. */
  private takeBytes(): void {
    this.full.push(new Uint8Array(this.bytes.getBuffer()))
    this.bytes.index = 0
  }
}

class RowGroup {
  count = 0
  private readonly resolution: Resolution
  private readonly elements: string[] = []
  private readonly metrics: string[] = []
  private readonly abouts: (string | null)[] = []
  private readonly timesMs = new BigInt64Array(parquetGroupRows)
  /** By column; a column without a value stays empty, which is null for all rows. */
  private readonly values: (number | null)[][]

  constructor(resolution: Resolution) {
    this.resolution = resolution
    this.values = valueColumns(resolution).map(() => [])
  }

  add(
    { element, metric }: ExportedSeries,
    about: string | null,
    timeMs: number,
    values: Float64Array,
  ): void {
    const at = this.count++
    this.elements.push(element)
    this.metrics.push(metric)
    this.abouts.push(about)
    this.timesMs[at] = BigInt(timeMs)
    for (const [i, column] of this.values.entries()) {
      const value = values[i]!
      if (Number.isNaN(value)) continue
      while (column.length < at) column.push(null)
      column.push(value)
    }
  }

  columns(): ColumnSource[] {
    const { count, resolution, values } = this
    const texts = { element: this.elements, metric: this.metrics, about: this.abouts }
    const dictionary = "RLE_DICTIONARY" as const
    const rollup = { name: "rollup", data: Array.from({ length: count }, () => resolution) }
    return [
      { name: "element", data: texts.element, encoding: dictionary },
      { name: "metric", data: texts.metric, encoding: dictionary },
      {
        name: "timestamp",
        data: this.timesMs.subarray(0, count),
        encoding: "DELTA_BINARY_PACKED",
      },
      ...(resolution === "ZERO" ? [] : [{ ...rollup, encoding: dictionary }]),
      ...valueColumns(resolution).map((name, i) => ({ name, data: filled(values[i]!, count) })),
      { name: "about", data: texts.about },
    ]
  }
}

function filled(column: (number | null)[], count: number): (number | null)[] {
  while (column.length < count) column.push(null)
  return column
}

function schemaOf(resolution: Resolution): SchemaElement[] {
  const names = columnsOf(resolution)
  return [{ name: "root", num_children: names.length }, ...names.map(columnSchema)]
}

function columnSchema(name: string): SchemaElement {
  if (name === "timestamp") {
    return {
      name,
      type: "INT64",
      repetition_type: "REQUIRED",
      converted_type: "TIMESTAMP_MILLIS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    }
  }
  const isText = name === "element" || name === "metric" || name === "rollup" || name === "about"
  if (!isText) return { name, type: "DOUBLE", repetition_type: "OPTIONAL" }
  return {
    name,
    type: "BYTE_ARRAY",
    repetition_type: name === "about" ? "OPTIONAL" : "REQUIRED",
    converted_type: "UTF8",
    logical_type: { type: "STRING" },
  }
}
