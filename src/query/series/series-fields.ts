/** Reads the fields of the units that are shown, each into one or more columns. */

import { bucketWidthMs } from "../../model/resolution.ts"
import type { BucketField, RecordField } from "../../store/query-store.ts"
import {
  bandNames,
  percentileFields,
  type BandName,
  type PercentileField,
  type SeriesField,
} from "../../wire/series/series-query-body.ts"
import type { FieldColumn } from "../../wire/series/series-query-result.ts"
import { seriesBucketsMax } from "../../base/limits/series.ts"
import type { QueryContext } from "../core/query-context.ts"
import {
  toColumns,
  copied,
  noValues,
  weightedColumnsOf,
  type Reduction,
  type TimedValues,
} from "./column-values.ts"
import { readPercentiles, type ColumnsByName } from "./series-percentiles.ts"
import { rawSeriesPerRead, readRecords, recordSeriesPerStep } from "./series-reader.ts"
import { readUnits, unitsHeldMax, type UnitRead } from "./unit-reader.ts"

/** Fields that are made of the actuals. */
const reductionOfActuals: Readonly<Partial<Record<SeriesField, Reduction>>> = {
  actual: "mean",
  low: "least",
  high: "greatest",
}

/** Fields that are read of each bucket, and what their column is. */
const bucketReductions: Readonly<Partial<Record<SeriesField, [BucketField, Reduction]>>> = {
  min: ["min", "least"],
  max: ["max", "greatest"],
  sum: ["sum", "total"],
  cnt: ["cnt", "total"],
}

const bandParts = ["Mean", "Lower", "Upper"] as const

/** Columns that a field has. */
export function columnCountOf(field: SeriesField): number {
  return isBand(field) ? bandParts.length : 1
}

function isBand(field: SeriesField): field is BandName {
  return bandNames.some((name) => name === field)
}

export interface FieldsRead extends UnitRead {
  readonly fields: readonly SeriesField[]
  /** Start of what retention has kept of raw samples. */
  readonly rawFromMs: number
  readonly isOver: () => boolean
}

/** The columns of actuals, if any of the fields is one. */
export function actualColumns(
  found: TimedValues,
  { fields, grid }: Pick<FieldsRead, "fields" | "grid">,
): ColumnsByName {
  const columns: ColumnsByName = new Map()
  for (const field of fields) {
    const reduction = reductionOfActuals[field]
    if (reduction !== undefined) columns.set(field, toColumns(found, grid, reduction))
  }
  return columns
}

/** Adds the columns of all other fields. Returns false if the time was over before. */
export async function readFields(
  context: QueryContext,
  byUnit: ReadonlyMap<number, ColumnsByName>,
  read: FieldsRead,
): Promise<boolean> {
  const columnsOfPercentiles: PercentileField[] = []
  for (const field of read.fields) {
    if (reductionOfActuals[field] !== undefined) continue
    if (read.isOver()) return false
    const bucket = bucketReductions[field]
    if (bucket !== undefined) await readBucketField(context, byUnit, { ...read, field, bucket })
    else if (field === "avg") await readAverages(context, byUnit, read)
    else if (isPercentile(field)) columnsOfPercentiles.push(field)
    else if (isBand(field)) await readBand(context, byUnit, read, field)
    else if (field === "sparse") {
      await readRecordField(context, byUnit, read, { name: field, field: "sparseValue" })
    }
  }
  await readPercentiles(context, byUnit, { ...read, percentiles: columnsOfPercentiles })
  return !read.isOver()
}

function isPercentile(field: SeriesField): field is PercentileField {
  return percentileFields.some((one) => one === field)
}

/** In the order in which the fields were asked for; those that were not read have no values. */
export function inFieldOrder(
  columns: ColumnsByName,
  { fields, grid }: Pick<FieldsRead, "fields" | "grid">,
): FieldColumn[] {
  const names = fields.flatMap((field) =>
    isBand(field) ? bandParts.map((part) => `${field}${part}`) : [field],
  )
  const empty = (): Float64Array => new Float64Array(grid.count).fill(NaN)
  return names.map((name) => ({ name, values: columns.get(name) ?? empty() }))
}

async function readBucketField(
  context: QueryContext,
  byUnit: ReadonlyMap<number, ColumnsByName>,
  read: FieldsRead & { readonly field: string; readonly bucket: [BucketField, Reduction] },
): Promise<void> {
  const [field, reduction] = read.bucket
  await readUnits(context, [...byUnit.keys()], { ...read, field }, (unit, found) => {
    byUnit.get(unit)!.set(read.field, toColumns(found, read.grid, reduction))
  })
}

/** Averages of a series count as often as they have observations, those of a group alike. */
async function readAverages(
  context: QueryContext,
  byUnit: ReadonlyMap<number, ColumnsByName>,
  read: FieldsRead,
): Promise<void> {
  const units = [...byUnit.keys()]
  const { grid } = read
  if (read.units.isGrouped) {
    await readUnits(context, units, { ...read, field: "avg" }, (unit, found) => {
      byUnit.get(unit)!.set("avg", toColumns(found, grid, "mean"))
    })
    return
  }
  const perRead = averagesPerRead(read)
  for (let from = 0; from < units.length && !read.isOver(); from += perRead) {
    await readWeighted(context, byUnit, { ...read, wanted: units.slice(from, from + perRead) })
  }
}

/** Series whose averages are held until their counts are read. */
function averagesPerRead(read: FieldsRead): number {
  if (read.resolution !== "ZERO") return unitsHeldMax(read)
  return rawSeriesPerRead(recordSeriesPerStep, read.span)
}

async function readWeighted(
  context: QueryContext,
  byUnit: ReadonlyMap<number, ColumnsByName>,
  read: FieldsRead & { readonly wanted: readonly number[] },
): Promise<void> {
  const { wanted, grid } = read
  const averages = new Map<number, TimedValues>()
  await readUnits(context, wanted, { ...read, field: "avg" }, (unit, found) => {
    averages.set(unit, copied(found))
  })
  await readUnits(context, wanted, { ...read, field: "cnt" }, (unit, counts) => {
    const found = averages.get(unit) ?? noValues
    byUnit.get(unit)!.set("avg", weightedColumnsOf(found, counts, grid))
  })
}

/** Bands belong to PT5M, from which they are read whatever else is. */
async function readBand(
  context: QueryContext,
  byUnit: ReadonlyMap<number, ColumnsByName>,
  read: FieldsRead,
  band: BandName,
): Promise<void> {
  const { span } = read
  const buckets = (span.endMs - span.startMs) / bucketWidthMs.PT5M
  if (buckets > seriesBucketsMax) return
  const asked = { ...read, resolution: "PT5M" } as const
  for (const part of bandParts) {
    const name = `${band}${part}` as const
    await readRecordField(context, byUnit, asked, { name, field: name })
  }
}

async function readRecordField(
  context: QueryContext,
  byUnit: ReadonlyMap<number, ColumnsByName>,
  read: FieldsRead,
  { name, field }: { readonly name: string; readonly field: RecordField },
): Promise<void> {
  const { series, unitOf } = read.units.singles(byUnit.keys())
  for (let from = 0; from < series.length && !read.isOver(); from += recordSeriesPerStep) {
    const step = series.subarray(from, from + recordSeriesPerStep)
    await readRecords(
      context,
      step,
      read,
      ({ fields }) => fields[field],
      (one, found) => {
        byUnit.get(unitOf(one))!.set(name, toColumns(found, read.grid, "mean"))
      },
    )
  }
}
