/**
 * Values of PT5M, PT1H and PT24H buckets, one per bucket. Statistics are computed from the actuals
 * (spec/statistics §2).
 */

import { assert } from "../../../base/assert.ts"
import {
  cyclesPerDay,
  cycleMs,
  bucketWidthMs,
  dayMs,
  type BucketResolution,
} from "../../../model/resolution.ts"
import type { Span } from "../../../model/span.ts"
import {
  type CellColumns,
  cellAverage,
  clearCells,
  flagGapFill,
  hasActual,
  isPresent,
} from "../../../rollup/cell.ts"
import type { CellColumnName } from "../../../rollup/encoding/column-name.ts"
import type { BucketField } from "../../query-store.ts"
import type { BucketValues } from "./bucket-values.ts"
import type { BlockView } from "./block-view.ts"
import { hoursPerDay } from "../tiers/coarse-cells.ts"
import { counterSlots } from "../tiers/previous-counter-value.ts"
import { readCoarse } from "../encoding/coarse-record.ts"
import { averages } from "../tiers/compacted-day.ts"
import { isCompacted } from "../tiers/compacted-cells.ts"
import { periodKey, type SlotIndex } from "../disk/tables.ts"

export interface BlockBucketQuery {
  /** Requested slots of the block, ascending. */
  readonly slots: readonly number[]
  readonly span: Span
  readonly resolution: BucketResolution
  readonly field: CollectedField
  readonly withTimes: boolean
}

/** "observed": the actual, unless it filled a gap. */
type CollectedField = BucketField | "observed"

/** Buckets per day of each resolution; the cells of a slot are contiguous. */
const bucketsPerDay: Readonly<Record<BucketResolution, number>> = {
  PT5M: cyclesPerDay,
  PT1H: hoursPerDay,
  PT24H: 1,
}

/** The columns to read for a field, besides `count`, unless `readAverages` answers. */
const columnsOfField: Readonly<Record<CollectedField, readonly CellColumnName[]>> = {
  actual: ["actual"],
  observed: ["actual"],
  // The other columns hold the average if the sum overflowed.
  avg: ["sum", "min", "max", "actual"],
  min: ["min"],
  max: ["max"],
  cnt: [],
  sum: ["sum"],
}

/** Collects into `out` the values of the buckets that begin in the span and have the field. */
export function collectValues(view: BlockView, query: BlockBucketQuery, out: BucketValues): void {
  const { span, resolution, field } = query
  const columns = columnsOfField[field]
  const width = bucketWidthMs[resolution]
  const firstDay = Math.floor(span.startMs / dayMs)
  const endDay = Math.ceil(span.endMs / dayMs)
  const stride = Math.ceil((span.endMs - span.startMs) / width) + 1
  out.reset(view.slots, stride, query.withTimes)
  for (let day = firstDay; day < endDay; day++) {
    const perDay = bucketsPerDay[resolution]
    const from = Math.max(0, Math.ceil((span.startMs - day * dayMs) / width))
    const to = Math.min(perDay, Math.ceil((span.endMs - day * dayMs) / width))
    const bucketRange = { day, from, to }
    if (resolution === "PT5M" && collectCycles(view, { ...query, bucketRange }, out)) continue
    const cells = cellsOfDay(view, day, { ...query, columns })
    if (cells === null) continue
    const layers = { compacted: cells, uncompacted: null }
    for (const slot of query.slots) {
      const range = { slot, from, to, cell: slot * perDay, timeMs: day * dayMs, width }
      append(layers, range, out, query)
    }
  }
}

/** Buckets [from, to) of a day. */
interface BucketRange {
  readonly day: number
  readonly from: number
  readonly to: number
}

/**
 * Adds the PT5M buckets of a day, slot by slot. Returns false, and adds nothing, if a counter
 * depends on uncompacted cells: its actual is not stored.
 */
function collectCycles(
  view: BlockView,
  query: BlockBucketQuery & { readonly bucketRange: BucketRange },
  out: BucketValues,
): boolean {
  const { slots, field, withTimes, bucketRange } = query
  const { tables, compactedDay, uncompactedDay } = view.workspace
  const { day } = bucketRange
  const hasCompacted = isCompacted(tables, day, view.block)
  if (!hasCompacted) compactedDay.close()
  else if (!compactedDay.open(tables, { day, block: view.block }, firstColumns(field))) return true
  view.readUncompacted(day, bucketRange, uncompactedDay)
  if (isOfActual(field) && hasUnstoredCounters(view, day, slots)) return false
  if (!hasCompacted && uncompactedDay.isEmpty) return true
  const times = withTimes ? { timeMs: day * dayMs, width: cycleMs } : null
  for (const slot of slots) addCycles(view, slot, query, times, out)
  return true
}

/** Averages are read as the actuals that they mostly are, without min and max. */
function firstColumns(field: CollectedField): readonly CellColumnName[] {
  return columnsOfField[field === "avg" ? "actual" : field]
}

/** True if the actual of a counter depends on uncompacted cells, so that it is not stored. */
function hasUnstoredCounters(view: BlockView, day: number, slots: readonly number[]): boolean {
  const { compactedDay, uncompactedDay } = view.workspace
  // A day without recent cells may be in the compaction queue because of an earlier day.
  const isStored = uncompactedDay.isEmpty && view.isCompactedOnly(day)
  if (isStored && !view.hasStaleCounters(day)) return false
  return uncompactedDay.hasCounters(slots) || compactedDay.hasCounters(slots)
}

/** Adds the buckets of one slot; `times` is the grid of the day, or null if no times are wanted. */
function addCycles(
  view: BlockView,
  slot: SlotIndex,
  query: BlockBucketQuery & { readonly bucketRange: BucketRange },
  times: { readonly timeMs: number; readonly width: number } | null,
  out: BucketValues,
): void {
  const { tables, compactedDay, uncompactedDay } = view.workspace
  const { field, bucketRange } = query
  const { day, from, to } = bucketRange
  const { isEmpty } = uncompactedDay
  const isAverage = field === "actual" || field === "avg"
  if (isAverage && isEmpty && compactedDay.readAverages(slot, bucketRange, out.origin(slot))) {
    out.addRationals(slot, averages, times)
    return
  }
  if (field === "avg") compactedDay.openMore(tables, { day, block: view.block }, columnsOfField.avg)
  compactedDay.read(slot)
  const layers = {
    compacted: compactedDay.cells,
    uncompacted: isEmpty ? null : uncompactedDay.cycles,
  }
  const range = { slot, from, to, cell: 0, timeMs: day * dayMs, width: cycleMs }
  append(layers, range, out, query)
}

interface CellRange {
  readonly slot: SlotIndex
  readonly from: number
  readonly to: number
  /** Index of the first bucket of the day among the compacted cells. */
  readonly cell: number
  readonly timeMs: number
  readonly width: number
}

/** Separate from the range: an object spread from two costs as much as the rest of the work. */
interface CellLayers {
  /** Cells in time order. */
  readonly compacted: CellColumns
  /** By bucket of the day, the cells by slot that override it. */
  readonly uncompacted: readonly (CellColumns | null)[] | null
}

function append(
  { compacted, uncompacted }: CellLayers,
  range: CellRange,
  out: BucketValues,
  { field, withTimes }: Pick<BlockBucketQuery, "field" | "withTimes">,
): void {
  const { slot } = range
  const start = slot * out.stride + out.counts[slot]!
  let at = start
  for (let bucket = range.from; bucket < range.to; bucket++) {
    let cells = compacted
    let cell = range.cell + bucket
    const override = uncompacted === null ? null : uncompacted[bucket]!
    if (override !== null && isPresent(override, slot)) {
      cells = override
      cell = slot
    }
    if (!hasField(cells, cell, field)) continue
    out.values[at] = fieldOf(cells, cell, field)
    if (withTimes) out.timesMs[at] = range.timeMs + bucket * range.width
    at++
  }
  assert(at <= (slot + 1) * out.stride, "Expected the values within their slot")
  out.noteAppended(slot, at - start)
}

function isOfActual(field: CollectedField): boolean {
  return field === "actual" || field === "observed"
}

function hasField(cells: CellColumns, at: number, field: CollectedField): boolean {
  if (field === "actual") return hasActual(cells, at)
  if (field === "observed") return hasActual(cells, at) && (cells.flags[at]! & flagGapFill) === 0
  return cells.count[at]! > 0
}

function fieldOf(cells: CellColumns, at: number, field: CollectedField): number {
  switch (field) {
    case "actual":
    case "observed":
      return cells.actual[at]!
    case "avg":
      return cellAverage(cells, at)
    case "cnt":
      return cells.count[at]!
    default:
      return cells[field][at]!
  }
}

/** Returns the cells of one day at slot · buckets + bucket, or null; overwritten later. */
export function cellsOfDay(
  view: BlockView,
  day: number,
  query: Pick<BlockBucketQuery, "slots" | "span" | "resolution"> & {
    /** The columns to read, besides `count`. */
    readonly columns: readonly CellColumnName[]
  },
): CellColumns | null {
  const { tables, coarseCells } = view.workspace
  const { slots, span, resolution, columns } = query
  if (view.isEmpty(day)) return null
  if (resolution === "PT5M") {
    const only = slots.length === 1 ? { onlySlot: slots[0]! } : {}
    return view.cyclesOf(day, span, { columns, ...only })
  }
  if (view.isCompactedOnly(day)) {
    const table = resolution === "PT1H" ? tables.hours : tables.days
    const key = periodKey(day, view.block)
    const bytes = table.view(key)
    clearCells(coarseCells, 0, coarseCells.length)
    const perSlot = bucketsPerDay[resolution]
    if (bytes !== undefined) readCoarse(key, bytes, perSlot, coarseCells)
    const hasCounters = () =>
      counterSlots(coarseCells, slots, { from: 0, to: perSlot, perSlot }).length > 0
    if (!view.hasStaleCounters(day) || !hasCounters()) return coarseCells
  }
  return resolution === "PT1H" ? view.hoursOf(day) : view.dayOf(day)
}
