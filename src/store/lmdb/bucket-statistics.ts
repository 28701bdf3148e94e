/**
 * Values of PT5M, PT1H and PT24H buckets, one a bucket. Statistics are those of the actuals
 * (decisions §5).
 */

import {
  cyclesPerDay,
  bucketWidthMs,
  dayMs,
  type BucketResolution,
} from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import { CellColumns, clearCells, hasActual } from "../../rollup/cell.ts"
import type { CellColumnName } from "../../rollup/column-name.ts"
import { averageOf } from "../../rollup/sum.ts"
import { seriesPerBlock } from "../../base/limits.ts"
import type { BucketField } from "../store.ts"
import type { BlockView } from "./block-view.ts"
import { hoursPerDay } from "./coarse-cells.ts"
import { counterSlots } from "./counter-past.ts"
import { readCoarse } from "./coarse-record.ts"
import { periodKey, type Tables } from "./tables.ts"

/** The values of the wanted slots of one block, each in time order; scratch memory of a reader. */
export class BucketValues {
  /** Values of slot s stand from `s · stride` on, `counts[s]` of them. */
  values = new Float64Array(0)
  timesMs = new Float64Array(0)
  readonly counts = new Int32Array(seriesPerBlock)
  stride = 0

  reset(slots: number, stride: number, withTimes: boolean): void {
    this.stride = stride
    this.counts.fill(0)
    if (this.values.length < slots * stride) this.values = new Float64Array(slots * stride)
    const times = withTimes ? slots * stride : 0
    if (this.timesMs.length < times) this.timesMs = new Float64Array(times)
  }
}

export interface BucketValuesQuestion {
  /** Slots of the block that are asked for, ascending. */
  readonly slots: readonly number[]
  readonly span: Span
  readonly resolution: BucketResolution
  readonly field: BucketField
  readonly withTimes: boolean
}

/** How many buckets of each resolution a day has: cells of a slot stand side by side. */
const bucketsPerDay: Readonly<Record<BucketResolution, number>> = {
  PT5M: cyclesPerDay,
  PT1H: hoursPerDay,
  PT24H: 1,
}

/** What has to be read for a field; `count` always comes with it. */
const columnsOfField: Readonly<Record<BucketField, readonly CellColumnName[]>> = {
  actual: ["actual"],
  avg: ["sum"],
  min: ["min"],
  max: ["max"],
  cnt: [],
  sum: ["sum"],
}

const coarseCells = new CellColumns(seriesPerBlock * hoursPerDay)

/** Collects into `out` the values of the buckets that begin in the span and have the field. */
export function collectValues(
  tables: Tables,
  view: BlockView,
  question: BucketValuesQuestion,
  out: BucketValues,
): void {
  const { span, resolution, field } = question
  const columns = columnsOfField[field]
  const append = field === "actual" ? appendActuals : appendField
  const width = bucketWidthMs[resolution]
  const firstDay = Math.floor(span.startMs / dayMs)
  const endDay = Math.ceil(span.endMs / dayMs)
  const stride = Math.ceil((span.endMs - span.startMs) / width) + 1
  out.reset(view.slots, stride, question.withTimes)
  for (let day = firstDay; day < endDay; day++) {
    const cells = cellsOfDay(tables, view, day, { ...question, columns })
    if (cells === null) continue
    const perDay = bucketsPerDay[resolution]
    const from = Math.max(0, Math.ceil((span.startMs - day * dayMs) / width))
    const to = Math.min(perDay, Math.ceil((span.endMs - day * dayMs) / width))
    for (const slot of question.slots) {
      const start = { cell: slot * perDay, timeMs: day * dayMs, width }
      append(cells, { from, to, ...start, slot }, out, question)
    }
  }
}

interface CellRange {
  readonly slot: number
  readonly from: number
  readonly to: number
  /** Place of the first bucket of the day, and its start. */
  readonly cell: number
  readonly timeMs: number
  readonly width: number
}

type Wish = Pick<BucketValuesQuestion, "field" | "withTimes">

function appendActuals(
  cells: CellColumns,
  range: CellRange,
  out: BucketValues,
  { withTimes }: Wish,
): void {
  const { slot } = range
  let at = slot * out.stride + out.counts[slot]!
  const before = at
  for (let bucket = range.from; bucket < range.to; bucket++) {
    if (!hasActual(cells, range.cell + bucket)) continue
    out.values[at] = cells.actual[range.cell + bucket]!
    if (withTimes) out.timesMs[at] = range.timeMs + bucket * range.width
    at++
  }
  out.counts[slot]! += at - before
}

function appendField(
  cells: CellColumns,
  range: CellRange,
  out: BucketValues,
  { field, withTimes }: Wish,
): void {
  const { slot } = range
  let at = slot * out.stride + out.counts[slot]!
  const before = at
  for (let bucket = range.from; bucket < range.to; bucket++) {
    const cell = range.cell + bucket
    if (!(cells.count[cell]! > 0)) continue
    out.values[at] = fieldOf(cells, cell, field)
    if (withTimes) out.timesMs[at] = range.timeMs + bucket * range.width
    at++
  }
  out.counts[slot]! += at - before
}

function fieldOf(cells: CellColumns, at: number, field: BucketField): number {
  switch (field) {
    case "avg":
      return averageOf(cells.sum[at]!, cells.count[at]!)
    case "cnt":
      return cells.count[at]!
    default:
      return cells[field][at]!
  }
}

/** Cells of one day at slot · buckets + bucket, or null where there are none; scratch memory. */
export function cellsOfDay(
  tables: Tables,
  view: BlockView,
  day: number,
  question: Pick<BucketValuesQuestion, "slots" | "span" | "resolution"> & {
    /** Columns that are needed at least; `count` always comes with them. */
    readonly columns: readonly CellColumnName[]
  },
): CellColumns | null {
  const { slots, span, resolution, columns } = question
  if (view.isEmpty(day)) return null
  if (resolution === "PT5M") {
    const only = slots.length === 1 ? { onlySlot: slots[0]! } : {}
    return view.cyclesOf(day, span, { columns, ...only })
  }
  if (view.isCoarse(day)) {
    const table = resolution === "PT1H" ? tables.hours : tables.days
    const key = periodKey(day, view.block)
    const bytes = table.getBinaryFast(key)
    clearCells(coarseCells, 0, coarseCells.length)
    const perSlot = bucketsPerDay[resolution]
    if (bytes !== undefined) readCoarse(key, bytes, perSlot, coarseCells)
    const hasCounters = () =>
      counterSlots(coarseCells, slots, { from: 0, to: perSlot, perSlot }).length > 0
    if (!view.isDisturbed(day) || !hasCounters()) return coarseCells
  }
  return resolution === "PT1H" ? view.hoursOf(day) : view.dayOf(day)
}
