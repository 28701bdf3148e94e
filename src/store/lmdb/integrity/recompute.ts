/**
 * Recomputes rollups from the data that they are a function of: for `verify`, which compares them
 * with the stored rollups, and for `repair`, which replaces damaged ones.
 *
 *   raw samples ─► PT5M cells ─► hours ─► days
 *        └─────────────────────► digests of both
 */

import { seriesPerBlock } from "../../../base/limits.ts"
import { cyclesPerDay, dayMs, hourMs } from "../../../model/resolution.ts"
import {
  assertCells,
  clearCells,
  copyCell,
  isCounterCell,
  isSynthetic,
  flagDrop,
  isPresent,
  type CellColumns,
} from "../../../rollup/cell.ts"
import { Contributions } from "../../../rollup/contribution.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import { rawToCell } from "../tiers/raw-to-cell.ts"
import { CoarseWorkspace, hoursPerDay, mergeDay, mergeHours } from "../tiers/coarse-cells.ts"
import { packCoarse } from "../encoding/coarse-record.ts"
import { PreviousCounterValues } from "../tiers/previous-counter-value.ts"
import { DayDigests } from "../merge/day-digests.ts"
import {
  earlierCountersKey,
  firstWithDrops,
  unpackEarlierCounters,
} from "../disk/earlier-counters.ts"
import { formatVersion, readVersion } from "../disk/format-version.ts"
import { readWatermarks } from "../disk/retention-watermarks.ts"
import type { SampleRun } from "../encoding/sample-run.ts"
import { packRecentCells, createCycleCells } from "../tiers/recent.ts"
import { resolveCounters } from "../compaction/compact-counters.ts"
import { packColumn, presentRange, type DayOfBlock } from "../tiers/compacted-cells.ts"
import { rangeOfCycle, CompactedWindows } from "../tiers/compacted-windows.ts"
import {
  columnKey,
  cyclesPerWindow,
  periodKey,
  windowMs,
  type Tables,
  type SlotIndex,
  type BlockIndex,
} from "../disk/tables.ts"

const windowsPerDay = dayMs / windowMs

export class Recomputation {
  readonly windows: CompactedWindows
  readonly tables: Tables
  private readonly cells = createCycleCells()
  private readonly merged = new CoarseWorkspace()
  private readonly contributions = new Contributions()
  readonly previousValues: PreviousCounterValues
  private readonly earlierCounters: number

  constructor(tables: Tables) {
    this.tables = tables
    this.earlierCounters = newestEarlierCounters(tables)
    this.previousValues = new PreviousCounterValues(tables)
    this.windows = new CompactedWindows(tables)
  }

  /**
   * Returns the record of recent cells of `where`, with the actual kinds and synthetic cells of
   * `stored`. A cell whose kind changed after compaction is computed from the compacted samples.
   */
  recentCells(
    where: { readonly cycle: number; readonly block: BlockIndex },
    raw: SampleRun,
    stored: CellColumns,
  ): Uint8Array {
    clearCells(this.cells, 0, this.cells.length)
    const isEarlier = this.hasEarlierCounters(Math.floor(where.cycle / cyclesPerDay))
    for (let slot = 0; slot < seriesPerBlock; slot++) {
      const hasRaw = raw.slotFrom(slot) < raw.slotTo(slot)
      if (!hasRaw && !isPresent(stored, slot)) continue
      this.copyStored(stored, slot, slot)
      const range = this.windows.samplesOf(raw, where, slot)
      if (range === null) continue
      rawToCell(range.columns, range, this.cells, slot, this.contributions)
      if (isEarlier) this.keepIncrease(stored, slot, slot)
    }
    assertCells(this.cells, 0, this.cells.length)
    return packRecentCells(periodKey(where.cycle, where.block), this.cells)
  }

  /** Copies to cell `to` the data that cannot be recomputed: its kind, or a synthetic cell. */
  private copyStored(stored: CellColumns, at: number, to: number): void {
    clearCells(this.cells, to, to + 1)
    if (isSynthetic(stored, at)) copyCell(stored, at, this.cells, to)
    else this.cells.actualKind[to] = stored.actualKind[at]!
  }

  /**
   * True if counters' cells of the day may be of a program before format 8, which knew no drops
   * inside a cycle: they stay as they are.
   */
  hasEarlierCounters(day: number): boolean {
    return day <= this.earlierCounters
  }

  private keepIncrease(stored: CellColumns, at: number, to: number): void {
    if (!isCounterCell(this.cells, to) || !isCounterCell(stored, at)) return
    const others = this.cells.flags[to]! & ~flagDrop
    this.cells.flags[to] = others | (stored.flags[at]! & flagDrop)
    this.cells.increase[to] = stored.increase[at]!
  }

  /** Returns the number of compacted raw samples of a day. */
  rawCount({ day, block }: DayOfBlock): number {
    let count = 0
    for (let i = 0; i < windowsPerDay; i++) {
      count += this.windows.read(day * windowsPerDay + i, block)?.count ?? 0
    }
    return count
  }

  /**
   * Computes `dayCells` from the compacted windows; actual kinds and synthetic cells are kept, and
   * with `keepsCounters` the actuals of counters. Otherwise those are computed from the previous
   * values; the first one is kept if retention may have dropped its previous value.
   */
  dayCells(
    where: DayOfBlock,
    slots: number,
    dayCells: CellColumns,
    { keepsCounters = false } = {},
  ): void {
    const keeps = keepsCounters || readWatermarks(this.tables).PT5M > 0
    // Window by window, so that each window is decoded once.
    for (let first = 0; first < cyclesPerDay; first += cyclesPerWindow) {
      for (let slot = 0; slot < slots; slot++) {
        for (let cycle = first; cycle < first + cyclesPerWindow; cycle++) {
          this.dayCell(where, { slot, cycle, keeps }, dayCells)
        }
      }
    }
    if (!keepsCounters) resolveCounters(this, where, dayCells, { slots })
  }

  /** Returns the records of hours and day of the cells, with digests of the raw samples. */
  coarse(where: DayOfBlock, slots: number, dayCells: CellColumns) {
    const hours = mergeHours(dayCells, slots, this.merged)
    const days = mergeDay(hours, slots, this.merged)
    assertCells(hours, 0, slots * hoursPerDay)
    assertCells(days, 0, slots)
    const digests = new DayDigests(slots, { hours, days }, this.contributions)
    for (let hour = 0; hour < hoursPerDay; hour++) {
      const window = Math.floor((where.day * dayMs + hour * hourMs) / windowMs)
      const raw = this.windows.read(window, where.block)
      if (raw !== null) digests.addHour(raw, hour, where.day)
    }
    const { samples } = digests
    const key = periodKey(where.day, where.block)
    return {
      samples,
      hours: packCoarse(key, hours, { slots, buckets: hoursPerDay, samples }, digests.hours),
      day: packCoarse(key, days, { slots, buckets: 1, samples }, digests.days()),
    }
  }

  private dayCell(
    where: DayOfBlock,
    { slot, cycle, keeps }: { slot: SlotIndex; cycle: number; keeps: boolean },
    dayCells: CellColumns,
  ): void {
    const number = where.day * cyclesPerDay + cycle
    const raw = this.windows.read(Math.floor(number / cyclesPerWindow), where.block)
    const range = raw === null ? null : rangeOfCycle(raw, slot, number)
    const at = slot * cyclesPerDay + cycle
    this.copyStored(dayCells, at, 0)
    if (range !== null) rawToCell(range.columns, range, this.cells, 0, this.contributions)
    if (this.hasEarlierCounters(where.day)) this.keepIncrease(dayCells, at, 0)
    // The stored increase of a counter is kept if its previous value may be unknown.
    if (keeps && isCounterCell(this.cells, 0) && isCounterCell(dayCells, at)) {
      this.cells.actual[0] = dayCells.actual[at]!
      this.cells.actuals[0] = dayCells.actuals[at]!
    }
    copyCell(this.cells, 0, dayCells, at)
  }
}

/** The newest day with counters of a program before format 8; -1 if there is none. */
function newestEarlierCounters({ meta }: Tables): number {
  // `verify` reads a store before the start that migrates it, too.
  const isEarlier = (readVersion(meta) ?? formatVersion) < firstWithDrops
  return isEarlier ? Infinity : unpackEarlierCounters(meta.get(earlierCountersKey))
}

/** Returns the records of a day's columns with their keys, in order. */
export function packColumns(
  { day, block }: DayOfBlock,
  dayCells: CellColumns,
  slots: number,
): { readonly key: Buffer; readonly value: Uint8Array }[] {
  const range = presentRange(dayCells, slots)
  return cellColumnNames.map((name, index) => {
    const key = columnKey(day, block, index)
    return { key, value: packColumn(key, name, dayCells, { slots, range }) }
  })
}
