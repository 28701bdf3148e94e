/**
 * Block view: one block as a reader sees it now, in three layers.
 *
 *   sealed   compressed chunks of whole days
 *   recent   records of the cycles since, in their place for the slots they hold
 *   open     what the writer has not folded, in union with what is below it
 */

import { cycleMs, dayMs } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import { CellColumns } from "../../rollup/cell.ts"
import { cellColumnNames, type CellColumnName } from "../../rollup/column-name.ts"
import { mergeDay, mergeHours } from "./coarse-cells.ts"
import type { CycleGroup } from "./cycle-merge.ts"
import { CycleMerger } from "./cycle-merge.ts"
import { cycleGroups } from "./fold.ts"
import type { IncomingSamples } from "./grouping.ts"
import type { RawColumns } from "./raw-columns.ts"
import { readRecentCells, slotCells } from "./recent.ts"
import { dayCellsMax, isSealed, overlayCycle, readDayCells } from "./sealed-cells.ts"
import { SealedWindows } from "./sealed-windows.ts"
import { cyclesPerDay, cyclesPerWindow, periodKey, type Tables } from "./tables.ts"
import { WindowMerger } from "./window-merge.ts"

/** Scratch memory of one reader, shared by the views that it opens one after the other. */
export class ViewScratch {
  readonly tables: Tables
  readonly sealed: SealedWindows
  readonly windows: WindowMerger
  readonly merger: CycleMerger
  /** PT5M cells at slot · 288 + cycle of the day. */
  readonly dayCells = new CellColumns(dayCellsMax)
  readonly recentCells = slotCells()

  constructor(tables: Tables) {
    this.tables = tables
    this.sealed = new SealedWindows(tables)
    this.windows = new WindowMerger(tables, this.sealed)
    this.merger = new CycleMerger(tables, this.sealed)
  }
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

  /** True where nothing at all is known of the day. */
  isEmpty(day: number): boolean {
    if (isSealed(this.scratch.tables, day, this.block)) return false
    return !this.hasRecent(day) && !this.hasOpen(day)
  }

  /** True where the day is answered from its sealed hours, day and digests alone. */
  isCoarse(day: number): boolean {
    return (
      isSealed(this.scratch.tables, day, this.block) && !this.hasRecent(day) && !this.hasOpen(day)
    )
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
    const { scratch, block } = this
    const cells = scratch.dayCells
    readDayCells(scratch.tables, { day, block }, cells, { ...options, slots: this.slots })
    const first = Math.max(day * cyclesPerDay, Math.floor(span.startMs / cycleMs))
    const end = Math.min((day + 1) * cyclesPerDay, Math.ceil(span.endMs / cycleMs))
    const hasRecent = this.hasRecent(day)
    for (let cycle = first; cycle < end; cycle++) {
      const group = this.openGroups.get(cycle)
      if (group !== undefined) {
        scratch.merger.merge(this.open!, group)
        overlayCycle(scratch.merger.cells, cells, cycle - day * cyclesPerDay)
      } else if (hasRecent && readRecentCells(scratch.tables, cycle, block, scratch.recentCells)) {
        overlayCycle(scratch.recentCells, cells, cycle - day * cyclesPerDay)
      }
    }
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
