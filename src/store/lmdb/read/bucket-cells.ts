/** The cells of the buckets of one day of a block, all slots together. */

import { cyclesPerDay, type BucketResolution } from "../../../model/resolution.ts"
import type { Span } from "../../../model/span.ts"
import { type CellColumns, clearCells } from "../../../rollup/cell.ts"
import type { CellColumnName } from "../../../rollup/encoding/column-name.ts"
import { readCoarse } from "../encoding/coarse-record.ts"
import { hoursPerDay } from "../tiers/coarse-cells.ts"
import { counterSlots } from "../tiers/previous-counter-value.ts"
import { periodKey } from "../disk/tables.ts"
import type { BlockView } from "./block-view.ts"

/** Buckets per day of each resolution; the cells of a slot are contiguous. */
export const bucketsPerDay: Readonly<Record<BucketResolution, number>> = {
  PT5M: cyclesPerDay,
  PT1H: hoursPerDay,
  PT24H: 1,
}

/** Returns the cells of one day at slot · buckets + bucket, or null; overwritten later. */
export function cellsOfDay(
  view: BlockView,
  day: number,
  query: {
    readonly slots: readonly number[]
    readonly span: Span
    readonly resolution: BucketResolution
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
