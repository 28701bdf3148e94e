/**
 * Block view: one block as a reader sees it now, in three layers.
 *
 *   sealed   compressed chunks of whole days
 *   recent   records of the cycles since, in their place for the slots they hold
 *   open     what the writer has not folded, in union with what is below it
 */

import { Budget } from "../../../base/budget.ts"
import { smallestOf } from "../../../base/many.ts"
import { cyclesPerDay, cycleMs, dayMs } from "../../../model/resolution.ts"
import type { Span } from "../../../model/span.ts"
import { CellColumns } from "../../../rollup/cell.ts"
import { applyCounters } from "../../../rollup/counter.ts"
import { cellColumnNames, type CellColumnName } from "../../../rollup/encoding/column-name.ts"
import { mergeDay, mergeHours } from "../tiers/coarse-cells.ts"
import {
  CounterPast,
  counterSlots,
  isDisturbed,
  slotNumbers,
} from "../tiers/previous-counter-value.ts"
import type { PastSource } from "../tiers/previous-counter-value.ts"
import type { CycleGroup } from "../merge/cycle-merge.ts"
import { CycleMerger } from "../merge/cycle-merge.ts"
import { cycleGroups } from "../compaction/flush.ts"
import { readHorizons } from "../disk/retention-watermarks.ts"
import type { IncomingSamples } from "../merge/group-by-block.ts"
import type { RawColumns } from "../encoding/raw-columns.ts"
import type { Places } from "../../series-location.ts"
import { findRecentCells, slotCells } from "../tiers/recent.ts"
import { dayCellsMax, isSealed, overlayCycle, readDayCells } from "../tiers/sealed-cells.ts"
import { SealedWindows } from "../tiers/sealed-windows.ts"
import { cyclesPerWindow, periodKey, type Tables } from "../disk/tables.ts"
import type { UnsealedDay } from "../tiers/uncompacted-day.ts"
import { WindowMerger } from "../merge/window-merge.ts"

/** Scratch memory of one reader, shared by the views that it opens one after the other. */
export class ViewScratch {
  readonly tables: Tables
  readonly sealed: SealedWindows
  readonly windows: WindowMerger
  readonly merger: CycleMerger
  readonly recentCells = slotCells()
  readonly counterPast: CounterPast
  /** Looked at once a block and day; one takes up to 3 ms. */
  readonly budget: Budget
  private ownDayCells: CellColumns | null = null

  /** `places` may be replaced by others. */
  constructor(tables: Tables, places: () => Places, budget: Budget = new Budget()) {
    this.tables = tables
    this.budget = budget
    this.counterPast = new CounterPast(tables)
    this.sealed = new SealedWindows(tables)
    this.windows = new WindowMerger(tables, this.sealed)
    this.merger = new CycleMerger(tables, this.sealed, {
      members: (block) => places().blockSeries(block),
      ofSeries: (series) => places().definitionCode(series),
    })
  }

  /** PT5M cells at slot · 288 + cycle of the day: 6.5 MB, which not every reader needs. */
  get dayCells(): CellColumns {
    return (this.ownDayCells ??= new CellColumns(dayCellsMax))
  }
}

/** Cycles [first, end), with the columns that are asked for. */
interface CellRange {
  readonly first: number
  readonly end: number
  readonly columns: readonly CellColumnName[]
  readonly onlySlot?: number
}

export class BlockView {
  readonly block: number
  readonly slots: number
  private readonly scratch: ViewScratch
  private readonly open: IncomingSamples | null
  private readonly openGroups = new Map<number, CycleGroup>()

  /** `open` holds unfolded samples of this block alone. */
  constructor(
    scratch: ViewScratch,
    where: { readonly block: number; readonly slots: number },
    open: IncomingSamples | null,
  ) {
    this.scratch = scratch
    this.block = where.block
    this.slots = where.slots
    this.open = open
    if (open === null) return
    const range = { from: 0, to: open.timesMs.length }
    for (const group of cycleGroups(open, where.block, range)) {
      this.openGroups.set(group.cycle, group)
    }
  }

  /** Throws `cancelled` if the question has to end. */
  checkBudget(): void {
    this.scratch.budget.check()
  }

  /** True where nothing at all is known of the day. */
  isEmpty(day: number): boolean {
    this.checkBudget()
    if (isSealed(this.scratch.tables, day, this.block)) return false
    return !this.hasRecent(day) && !this.hasOpen(day)
  }

  /** True where the day is answered from its sealed hours, day and digests alone. */
  isCoarse(day: number): boolean {
    return (
      isSealed(this.scratch.tables, day, this.block) && !this.hasRecent(day) && !this.hasOpen(day)
    )
  }

  /** Reads what is not sealed of the cycles [from, to) of a day. */
  readUnsealed(
    day: number,
    { from, to }: { readonly from: number; readonly to: number },
    into: UnsealedDay,
  ): void {
    this.checkBudget()
    into.reset()
    const hasRecent = this.hasRecent(day)
    if (!hasRecent && !this.hasOpen(day)) return
    for (let cycle = from; cycle < to; cycle++) {
      const number = day * cyclesPerDay + cycle
      if (this.openGroups.has(number)) into.keepCopy(cycle, this.unsealedCells(number, hasRecent)!)
      else if (hasRecent && findRecentCells(this.scratch.tables, number, this.block, into.room)) {
        into.keep(cycle)
      }
    }
  }

  /**
   * PT5M cells of a day at slot · 288 + cycle; the cycles outside `span` may be missing. Scratch
   * memory that the next call overwrites.
   */
  cyclesOf(
    day: number,
    span: Span,
    options: { readonly columns: readonly CellColumnName[]; readonly onlySlot?: number },
  ): CellColumns {
    this.checkBudget()
    const cells = this.scratch.dayCells
    const first = Math.max(day * cyclesPerDay, Math.floor(span.startMs / cycleMs))
    const end = Math.min((day + 1) * cyclesPerDay, Math.ceil(span.endMs / cycleMs))
    const range = { first, end, ...options }
    const hasRecent = this.hasRecent(day)
    const hasUnsealed = hasRecent || this.hasOpen(day)
    const isStored = !hasUnsealed && !this.isDisturbed(day)
    const derives = !isStored && options.columns.includes("actual")
    this.readSealed(day, range, { derives, hasUnsealed })
    for (let cycle = first; cycle < end; cycle++) {
      const found = this.unsealedCells(cycle, hasRecent)
      if (found !== null) overlayCycle(found, cells, cycle - day * cyclesPerDay)
    }
    if (derives) this.deriveCounters(day, range)
    return cells
  }

  /** PT1H cells of a day at slot · 24 + hour, made from its PT5M cells; scratch memory. */
  hoursOf(day: number): CellColumns {
    const span = { startMs: day * dayMs, endMs: (day + 1) * dayMs }
    return mergeHours(this.cyclesOf(day, span, { columns: cellColumnNames }), this.slots)
  }

  /** The PT24H cell of a day at each slot, made from its PT5M cells; scratch memory. */
  dayOf(day: number): CellColumns {
    return mergeDay(this.hoursOf(day), this.slots)
  }

  /** Raw samples of a window, or null where there are none; scratch memory. */
  rawOf(window: number): RawColumns | null {
    this.checkBudget()
    const { block, slots } = this
    const overrides = new Map<number, RawColumns>()
    const first = window * cyclesPerWindow
    for (let cycle = first; cycle < first + cyclesPerWindow; cycle++) {
      const group = this.openGroups.get(cycle)
      if (group === undefined) continue
      this.scratch.merger.merge(this.open!, group)
      overrides.set(cycle, this.scratch.merger.raw.copy())
    }
    const hasRecent = this.hasRecent(Math.floor((first * cycleMs) / dayMs))
    return this.scratch.windows.read({ window, block, slots, hasRecent }, overrides)
  }

  /**
   * True where the counters of a sealed day may be stale, since more has come of a day before it.
   * Days whose raw samples are gone stay as they are.
   */
  isDisturbed(day: number): boolean {
    const { tables } = this.scratch
    const { ZERO, PT5M } = readHorizons(tables)
    if (day < Math.max(ZERO, PT5M)) return false
    return this.oldestOpenDay < day || isDisturbed(tables, this.block, day)
  }

  private readSealed(
    day: number,
    range: CellRange,
    { derives, hasUnsealed }: { readonly derives: boolean; readonly hasUnsealed: boolean },
  ): void {
    const { block, slots } = this
    const { tables, dayCells } = this.scratch
    const options = { ...range, slots }
    if (!readDayCells(tables, { day, block }, dayCells, options) || !derives) return
    const place = { from: 0, to: cyclesPerDay, perSlot: cyclesPerDay }
    // A counter among what is not sealed looks back on sealed cells, which need not be counters.
    if (!hasUnsealed && counterSlots(dayCells, this.slotsOf(range), place).length === 0) return
    const columns = [...range.columns, "last"] as const
    readDayCells(tables, { day, block }, dayCells, { ...options, columns })
  }

  /** Open cells of a cycle, else recent ones, by slot; null where there are none. Scratch memory. */
  private unsealedCells(cycle: number, hasRecent: boolean): CellColumns | null {
    const { tables, merger, recentCells } = this.scratch
    const group = this.openGroups.get(cycle)
    if (group !== undefined) {
      merger.merge(this.open!, group)
      return merger.cells
    }
    return hasRecent && findRecentCells(tables, cycle, this.block, recentCells) ? recentCells : null
  }

  /** Gives the counters of the range their actuals; their other columns are there. */
  private deriveCounters(day: number, range: CellRange): void {
    const { dayCells, counterPast } = this.scratch
    const { block, slots } = this
    const { first, end } = range
    const from = first - day * cyclesPerDay
    const to = end - day * cyclesPerDay
    const place = { from, to, perSlot: cyclesPerDay }
    const wanted = counterSlots(dayCells, this.slotsOf(range), place)
    if (wanted.length === 0) return
    counterPast.find({ block, slots, cycle: first }, wanted, this.pastSource())
    for (const slot of wanted) {
      const at = slot * cyclesPerDay
      applyCounters(dayCells, at + from, at + to, counterPast.last[slot]!)
    }
  }

  private pastSource(): PastSource {
    return {
      oldestDay: this.oldestOpenDay,
      isTouched: (day) => this.hasRecent(day) || this.hasOpen(day),
      cellsOf: (cycle) => this.unsealedCells(cycle, true),
    }
  }

  private slotsOf({ onlySlot }: CellRange): number[] {
    return onlySlot === undefined ? slotNumbers(this.slots) : [onlySlot]
  }

  private get oldestOpenDay(): number {
    return Math.floor(smallestOf(this.openGroups.keys()) / cyclesPerDay)
  }

  private hasRecent(day: number): boolean {
    return this.scratch.tables.openDays.doesExist(periodKey(day, this.block))
  }

  private hasOpen(day: number): boolean {
    for (const cycle of this.openGroups.keys()) {
      if (Math.floor(cycle / cyclesPerDay) === day) return true
    }
    return false
  }
}
