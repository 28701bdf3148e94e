/**
 * Block view: one block as a reader sees it, in three tiers.
 *
 *   compacted   compressed chunks of whole days
 *   recent      records of later flushes by cycle, which override the chunks for their slots
 *   unflushed   samples from the writer's memtable, in multiset union with the tiers below
 */

import { assert } from "../../../base/assert.ts"
import { smallestOf } from "../../../base/iterables.ts"
import { cyclesPerDay, cycleMs, dayMs } from "../../../model/resolution.ts"
import type { Span } from "../../../model/span.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { CellColumns } from "../../../rollup/cell.ts"
import { applyCounters } from "../../../rollup/counter.ts"
import { cellColumnNames, type CellColumnName } from "../../../rollup/encoding/column-name.ts"
import { mergeDay, mergeHours } from "../tiers/coarse-cells.ts"
import { counterSlots, hasStaleCounters, slotNumbers } from "../tiers/previous-counter-value.ts"
import type { UncompactedSource } from "../tiers/previous-counter-value.ts"
import type { CycleGroup } from "../merge/cycle-merge.ts"
import { cycleGroups } from "../compaction/flush.ts"
import { readWatermarks } from "../disk/retention-watermarks.ts"
import type { IncomingSamples } from "../merge/group-by-block.ts"
import type { SampleRun } from "../encoding/sample-run.ts"
import { findRecentCells } from "../tiers/recent.ts"
import { isCompacted, overlayCycle, readDayCells } from "../tiers/compacted-cells.ts"
import { cyclesPerWindow, periodKey, type BlockIndex } from "../disk/tables.ts"
import type { UncompactedDay } from "../tiers/uncompacted-day.ts"
import type { ReaderWorkspace } from "./reader-workspace.ts"

/** Cycles [first, end) and the requested columns. */
interface CellRange {
  readonly first: number
  readonly end: number
  readonly columns: readonly CellColumnName[]
  readonly onlySlot?: number
}

export class BlockView {
  readonly block: BlockIndex
  readonly slots: number
  readonly workspace: ReaderWorkspace
  private readonly unflushed: IncomingSamples | null
  private readonly unflushedGroups = new Map<number, CycleGroup>()

  /** `open` holds unflushed samples of this block only. */
  constructor(
    workspace: ReaderWorkspace,
    where: { readonly block: BlockIndex; readonly slots: number },
    open: IncomingSamples | null,
  ) {
    this.workspace = workspace
    this.block = where.block
    this.slots = where.slots
    assert(where.slots <= seriesPerBlock, "Expected at most one slot per series")
    this.unflushed = open
    if (open === null) return
    const range = { from: 0, to: open.timesMs.length }
    for (const group of cycleGroups(open, where.block, range)) {
      this.unflushedGroups.set(group.cycle, group)
    }
  }

  /** Throws `cancelled` if the query has to end. */
  checkBudget(): void {
    this.workspace.budget.check()
  }

  /** True if the day has no data in any tier. */
  isEmpty(day: number): boolean {
    this.checkBudget()
    if (isCompacted(this.workspace.tables, day, this.block)) return false
    return !this.hasRecent(day) && !this.hasUnflushed(day)
  }

  /** True if the compacted hours, day and digests are the only data of the day. */
  isCompactedOnly(day: number): boolean {
    return (
      isCompacted(this.workspace.tables, day, this.block) &&
      !this.hasRecent(day) &&
      !this.hasUnflushed(day)
    )
  }

  /** Reads the recent and unflushed cells of the cycles [from, to) of a day. */
  readUncompacted(
    day: number,
    { from, to }: { readonly from: number; readonly to: number },
    into: UncompactedDay,
  ): void {
    this.checkBudget()
    into.reset()
    const hasRecent = this.hasRecent(day)
    if (!hasRecent && !this.hasUnflushed(day)) return
    for (let cycle = from; cycle < to; cycle++) {
      const number = day * cyclesPerDay + cycle
      if (this.unflushedGroups.has(number))
        into.addCopy(cycle, this.uncompactedCells(number, hasRecent)!)
      else if (
        hasRecent &&
        findRecentCells(this.workspace.tables, number, this.block, into.nextCells)
      ) {
        into.add(cycle)
      }
    }
  }

  /**
   * Returns PT5M cells of a day at slot · 288 + cycle; cycles outside `span` may be missing. The
   * result is overwritten by the next call.
   */
  cyclesOf(
    day: number,
    span: Span,
    options: { readonly columns: readonly CellColumnName[]; readonly onlySlot?: number },
  ): CellColumns {
    this.checkBudget()
    const cells = this.workspace.dayCells
    const first = Math.max(day * cyclesPerDay, Math.floor(span.startMs / cycleMs))
    const end = Math.min((day + 1) * cyclesPerDay, Math.ceil(span.endMs / cycleMs))
    const range = { first, end, ...options }
    const hasRecent = this.hasRecent(day)
    const hasUnsealed = hasRecent || this.hasUnflushed(day)
    const isStored = !hasUnsealed && !this.hasStaleCounters(day)
    const derives = !isStored && options.columns.includes("actual")
    this.readCompacted(day, range, { derives, hasUnsealed })
    for (let cycle = first; cycle < end; cycle++) {
      const found = this.uncompactedCells(cycle, hasRecent)
      if (found !== null) overlayCycle(found, this.slots, cells, cycle - day * cyclesPerDay)
    }
    if (derives) this.deriveCounters(day, range)
    return cells
  }

  /** Returns PT1H cells of a day at slot · 24 + hour, from its PT5M cells; overwritten later. */
  hoursOf(day: number): CellColumns {
    const span = { startMs: day * dayMs, endMs: (day + 1) * dayMs }
    const cycles = this.cyclesOf(day, span, { columns: cellColumnNames })
    return mergeHours(cycles, this.slots, this.workspace.coarse)
  }

  /** Returns the PT24H cells of a day by slot, from its PT5M cells; overwritten later. */
  dayOf(day: number): CellColumns {
    return mergeDay(this.hoursOf(day), this.slots, this.workspace.coarse)
  }

  /** Returns the raw samples of a window, or null if there are none; overwritten later. */
  rawOf(window: number): SampleRun | null {
    this.checkBudget()
    const { block, slots } = this
    const overrides = new Map<number, SampleRun>()
    const first = window * cyclesPerWindow
    for (let cycle = first; cycle < first + cyclesPerWindow; cycle++) {
      const group = this.unflushedGroups.get(cycle)
      if (group === undefined) continue
      this.workspace.cycleMerger.merge(this.unflushed!, group)
      overrides.set(cycle, this.workspace.cycleMerger.raw.copy())
    }
    const hasRecent = this.hasRecent(Math.floor((first * cycleMs) / dayMs))
    return this.workspace.windowMerger.read({ window, block, slots, hasRecent }, overrides)
  }

  /**
   * True if the counters of a compacted day may be stale, because an earlier day has newer data.
   * Days whose raw samples are dropped are never recomputed.
   */
  hasStaleCounters(day: number): boolean {
    const { tables } = this.workspace
    const { ZERO, PT5M } = readWatermarks(tables)
    if (day < Math.max(ZERO, PT5M)) return false
    return this.oldestUnflushedDay < day || hasStaleCounters(tables, this.block, day)
  }

  private readCompacted(
    day: number,
    range: CellRange,
    { derives, hasUnsealed }: { readonly derives: boolean; readonly hasUnsealed: boolean },
  ): void {
    const { block, slots } = this
    const { tables, dayCells } = this.workspace
    const options = { slots, ...range }
    if (!readDayCells(tables, { day, block }, dayCells, options) || !derives) return
    const bounds = { from: 0, to: cyclesPerDay, perSlot: cyclesPerDay }
    // An uncompacted counter depends on compacted cells, which need not be counters.
    if (!hasUnsealed && counterSlots(dayCells, this.slotsOf(range), bounds).length === 0) return
    const columns = [...range.columns, "first", "last"] as const
    readDayCells(tables, { day, block }, dayCells, { ...options, columns })
  }

  /** Returns unflushed or else recent cells of a cycle by slot, or null; overwritten later. */
  private uncompactedCells(cycle: number, hasRecent: boolean): CellColumns | null {
    const { tables, cycleMerger, recentCells } = this.workspace
    const group = this.unflushedGroups.get(cycle)
    if (group !== undefined) {
      cycleMerger.merge(this.unflushed!, group)
      return cycleMerger.cells
    }
    return hasRecent && findRecentCells(tables, cycle, this.block, recentCells) ? recentCells : null
  }

  /** Sets the actuals of the counters of the range, whose other columns are loaded. */
  private deriveCounters(day: number, range: CellRange): void {
    const { dayCells, previousValues } = this.workspace
    const { block, slots } = this
    const { first, end } = range
    const from = first - day * cyclesPerDay
    const to = end - day * cyclesPerDay
    const bounds = { from, to, perSlot: cyclesPerDay }
    const wanted = counterSlots(dayCells, this.slotsOf(range), bounds)
    if (wanted.length === 0) return
    previousValues.find({ block, slots, cycle: first }, wanted, this.previousValueSource())
    for (const slot of wanted) {
      const at = slot * cyclesPerDay
      applyCounters(dayCells, at + from, at + to, previousValues.last[slot]!)
    }
  }

  private previousValueSource(): UncompactedSource {
    return {
      oldestDay: this.oldestUnflushedDay,
      mayHaveDay: (day) => this.hasRecent(day) || this.hasUnflushed(day),
      cellsOf: (cycle) => this.uncompactedCells(cycle, true),
    }
  }

  private slotsOf({ onlySlot }: CellRange): number[] {
    return onlySlot === undefined ? slotNumbers(this.slots) : [onlySlot]
  }

  private get oldestUnflushedDay(): number {
    return Math.floor(smallestOf(this.unflushedGroups.keys()) / cyclesPerDay)
  }

  private hasRecent(day: number): boolean {
    return this.workspace.tables.openDays.doesExist(periodKey(day, this.block))
  }

  private hasUnflushed(day: number): boolean {
    for (const cycle of this.unflushedGroups.keys()) {
      if (Math.floor(cycle / cyclesPerDay) === day) return true
    }
    return false
  }
}
