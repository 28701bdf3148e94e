/**
 * One day of a block, as a query of its buckets reads it, slot by slot:
 *
 *   compacted   PT5M buckets of a compacted day without newer cells: the columns of a slot are
 *               decoded when it is read, and its values used while they are in the nearest cache
 *   collected   all other days: the values of all wanted slots are collected when it is opened
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { bucketWidthMs, dayMs, type BucketResolution } from "../../../model/resolution.ts"
import type { Span } from "../../../model/span.ts"
import {
  type CellColumns,
  cellAverage,
  flagGapFill,
  hasActual,
  isPresent,
} from "../../../rollup/cell.ts"
import type { CellColumnName } from "../../../rollup/encoding/column-name.ts"
import type { BucketField } from "../../query-store.ts"
import type { SlotIndex } from "../disk/tables.ts"
import { isCompacted } from "../tiers/compacted-cells.ts"
import { averages, CompactedDay } from "../tiers/compacted-day.ts"
import type { BlockView } from "./block-view.ts"
import { bucketsPerDay, cellsOfDay } from "./bucket-cells.ts"
import type { DayGrid, SlotValues } from "./slot-values.ts"

export interface BucketQuery {
  /** Requested slots of the block, ascending. */
  readonly slots: readonly number[]
  readonly span: Span
  readonly resolution: BucketResolution
  readonly field: CollectedField
  readonly withTimes: boolean
}

/** "observed": the actual, unless it filled a gap. */
type CollectedField = BucketField | "observed"

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

/** Values of a day by slot; slot s has `counts[s]` from index s · buckets on. */
class CollectedValues {
  values = new Float64Array(0)
  timesMs = new Float64Array(0)
  readonly counts = new Int32Array(seriesPerBlock)

  reset(length: number, withTimes: boolean): void {
    this.counts.fill(0)
    if (this.values.length < length) this.values = new Float64Array(length)
    if (withTimes && this.timesMs.length < length) this.timesMs = new Float64Array(length)
  }
}

/** The buckets `[from, to)` of a day that begin in the span. */
interface DayBuckets {
  readonly day: number
  readonly from: number
  readonly to: number
}

/** Memory of one open day, for one day after the other. Most days need one of the two. */
export class DayMemory {
  private ownCompacted: CompactedDay | null = null
  private ownCollected: CollectedValues | null = null

  get compacted(): CompactedDay {
    return (this.ownCompacted ??= new CompactedDay())
  }

  get collected(): CollectedValues {
    return (this.ownCollected ??= new CollectedValues())
  }
}

export class BucketDay {
  private readonly memory: DayMemory
  private readonly view: BlockView
  private readonly query: BucketQuery
  private readonly buckets: DayBuckets
  private isCollected = false

  constructor(memory: DayMemory, view: BlockView, day: number, query: BucketQuery) {
    const { span, resolution } = query
    const width = bucketWidthMs[resolution]
    const from = Math.max(0, Math.ceil((span.startMs - day * dayMs) / width))
    const to = Math.min(bucketsPerDay[resolution], Math.ceil((span.endMs - day * dayMs) / width))
    this.memory = memory
    this.view = view
    this.query = query
    this.buckets = { day, from, to }
  }

  /** Opens the day; returns false if it has no buckets. */
  open(): boolean {
    const { view, query } = this
    const { field, resolution } = query
    const opened = resolution === "PT5M" ? this.openCycles() : null
    if (opened !== null) return opened
    const asked = { columns: columnsOfField[field], ...query }
    const cells = cellsOfDay(view, this.buckets.day, asked)
    if (cells === null) return false
    const layers = { compacted: cells, uncompacted: null }
    this.collect((slot) => ({ layers, cell: slot * bucketsPerDay[resolution] }))
    return true
  }

  /** Adds the values of a slot that the query asks for. */
  addTo(out: SlotValues, slot: SlotIndex): void {
    if (this.isCollected) this.addCollected(out, slot)
    else this.addCompacted(out, slot)
  }

  /** As `open`; returns null if a counter depends on uncompacted cells: its actual is not stored. */
  private openCycles(): boolean | null {
    const { view, query, buckets } = this
    const { compacted } = this.memory
    const { slots, field } = query
    const { tables, uncompactedDay } = view.workspace
    const where = { day: buckets.day, block: view.block }
    const hasCompacted = isCompacted(tables, where.day, where.block)
    if (!hasCompacted) compacted.close()
    else if (!compacted.open(tables, where, firstColumns(field))) return false
    view.readUncompacted(where.day, buckets, uncompactedDay)
    if (isOfActual(field) && this.hasUnstoredCounters(slots)) return null
    if (uncompactedDay.isEmpty) return hasCompacted
    if (field === "avg") compacted.openMore(tables, where, columnsOfField.avg)
    const layers = { compacted: compacted.cells, uncompacted: uncompactedDay.cycles }
    this.collect((slot) => {
      compacted.read(slot)
      return { layers, cell: 0 }
    })
    return true
  }

  /** True if the actual of a counter depends on uncompacted cells, so that it is not stored. */
  private hasUnstoredCounters(slots: readonly number[]): boolean {
    const { view, memory } = this
    const { day } = this.buckets
    const { uncompactedDay } = view.workspace
    // A day without recent cells may be in the compaction queue because of an earlier day.
    const isStored = uncompactedDay.isEmpty && view.isCompactedOnly(day)
    if (isStored && !view.hasStaleCounters(day)) return false
    return uncompactedDay.hasCounters(slots) || memory.compacted.hasCounters(slots)
  }

  /** Collects the values of all slots; `cellsOf` returns the cells of one. */
  private collect(cellsOf: (slot: SlotIndex) => SlotCells): void {
    const { slots, resolution, withTimes } = this.query
    const perDay = bucketsPerDay[resolution]
    const { collected } = this.memory
    collected.reset(this.view.slots * perDay, withTimes)
    this.isCollected = true
    for (const slot of slots) {
      const start = slot * perDay
      collected.counts[slot] = this.copyValues(cellsOf(slot), slot, collected, start)
    }
  }

  private addCollected(out: SlotValues, slot: SlotIndex): void {
    const { query } = this
    const { values, timesMs, counts } = this.memory.collected
    const count = counts[slot]!
    const from = slot * bucketsPerDay[query.resolution]
    for (let i = 0; i < count; i++) out.values[out.count + i] = values[from + i]!
    if (query.withTimes) {
      for (let i = 0; i < count; i++) out.timesMs[out.count + i] = timesMs[from + i]!
    }
    out.noteAppended(count)
  }

  private addCompacted(out: SlotValues, slot: SlotIndex): void {
    const { view, query, buckets } = this
    const { compacted } = this.memory
    const { field, withTimes } = query
    const isAverage = field === "actual" || field === "avg"
    if (isAverage && compacted.readAverages(slot, buckets, out.origin)) {
      out.addRationals(averages, withTimes ? this.grid : null)
      return
    }
    if (field === "avg") {
      const where = { day: buckets.day, block: view.block }
      compacted.openMore(view.workspace.tables, where, columnsOfField.avg)
    }
    compacted.read(slot)
    const layers = { compacted: compacted.cells, uncompacted: null }
    out.noteAppended(this.copyValues({ layers, cell: 0 }, slot, out, out.count))
  }

  /** Copies the values of a slot to `out` from index `start` on; returns their number. */
  private copyValues(
    { layers, cell: first }: SlotCells,
    slot: SlotIndex,
    out: Pick<SlotValues, "values" | "timesMs">,
    start: number,
  ): number {
    const { field, withTimes } = this.query
    const { from, to } = this.buckets
    const { timeMs, width } = this.grid
    const { compacted, uncompacted } = layers
    let at = start
    for (let bucket = from; bucket < to; bucket++) {
      let cells = compacted
      let cell = first + bucket
      const override = uncompacted === null ? null : uncompacted[bucket]!
      if (override !== null && isPresent(override, slot)) {
        cells = override
        cell = slot
      }
      if (!hasField(cells, cell, field)) continue
      out.values[at] = fieldOf(cells, cell, field)
      if (withTimes) out.timesMs[at] = timeMs + bucket * width
      at++
    }
    assert(at <= out.values.length, "Expected space for the values")
    return at - start
  }

  private get grid(): DayGrid {
    const width = bucketWidthMs[this.query.resolution]
    return { timeMs: this.buckets.day * dayMs, width }
  }
}

/** The cells of a slot: the compacted ones from index `cell` on, in time order. */
interface SlotCells {
  readonly layers: CellLayers
  readonly cell: number
}

interface CellLayers {
  readonly compacted: CellColumns
  /** By bucket of the day, the cells by slot that override it. */
  readonly uncompacted: readonly (CellColumns | null)[] | null
}

/** Averages are read as the actuals that they mostly are, without min and max. */
function firstColumns(field: CollectedField): readonly CellColumnName[] {
  return columnsOfField[field === "avg" ? "actual" : field]
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
