/**
 * Counters in a compaction: their actuals follow from the last values before the day. Later days
 * whose counters depend on this day are put into the compaction queue again.
 *
 *   day 1 ── last value changes ──► day 2, compacted before: its first actual is stale ─► queue
 */

import { assert } from "../../../base/assert.ts"
import {
  assertCells,
  clearPresence,
  isCounterCell,
  type CellColumns,
} from "../../../rollup/cell.ts"
import { applyCounters } from "../../../rollup/counter.ts"
import { readCoarse } from "../encoding/coarse-record.ts"
import { counterSlots, recentSource, slotNumbers } from "../tiers/previous-counter-value.ts"
import { readWatermarks } from "../disk/retention-watermarks.ts"
import type { JobDeps } from "./job.ts"
import { IncompleteDays, incompleteDaysKey } from "../metadata/incomplete-days.ts"
import { wholeDay, type CycleRange, type DayOfBlock } from "../tiers/compacted-cells.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { newestDay, periodKey } from "../disk/tables.ts"

/**
 * Sets the actuals of the counters of a whole day, whose present cells are all in `range`. Returns
 * false if the day has no counters.
 */
export function resolveCounters(
  { tables, previousValues }: Pick<JobDeps, "tables" | "previousValues">,
  { day, block }: DayOfBlock,
  cells: CellColumns,
  { slots, range = wholeDay }: { readonly slots: number; readonly range?: CycleRange },
): boolean {
  const { from, to } = range
  assert(from >= 0 && to <= cyclesPerDay, "Expected cycles of one day")
  assert(slots * cyclesPerDay <= cells.length, "Expected the cycles of each slot")
  const wanted = counterSlots(cells, slotNumbers(slots), { from, to, perSlot: cyclesPerDay })
  if (wanted.length === 0) return false
  const cycle = day * cyclesPerDay
  previousValues.find({ block, slots, cycle }, wanted, recentSource(tables, block))
  for (const slot of wanted) {
    const at = slot * cyclesPerDay
    applyCounters(cells, at + from, at + to, previousValues.last[slot]!)
  }
  return true
}

/**
 * Queues the compacted days whose first counter values depend on a last value that this compaction
 * changes. `cells` are the new PT24H cells of the day. Days whose raw samples are dropped or
 * incomplete stay as they are: they cannot be recomputed.
 */
export function requeueFollowingDays(
  deps: Pick<JobDeps, "tables" | "compactionQueue" | "writes" | "elapsedMs" | "compaction">,
  { day, block }: DayOfBlock,
  cells: CellColumns,
  slots: number,
): void {
  const { tables, compactionQueue, writes, elapsedMs } = deps
  const { before, later } = deps.compaction
  assert(slots <= cells.length, "Expected the day of each slot")
  const newest = newestDay(tables.days)
  if (newest <= day) return
  const lostDays = new IncompleteDays(tables.meta.get(incompleteDaysKey))
  const { ZERO } = readWatermarks(tables)
  readDay(deps, { day, block }, before)
  let changed = slotNumbers(slots).filter(
    (slot) =>
      cells.count[slot]! > 0 &&
      !(before.count[slot]! > 0 && before.last[slot] === cells.last[slot]),
  )
  for (let next = day + 1; next <= newest && changed.length > 0; next++) {
    if (!readDay(deps, { day: next, block }, later)) continue
    const found = changed.filter((slot) => later.count[slot]! > 0)
    changed = changed.filter((slot) => !(later.count[slot]! > 0))
    if (next < ZERO || lostDays.has({ day: next, block })) continue
    if (!found.some((slot) => isCounterCell(later, slot))) continue
    compactionQueue.touch(next, block, { tables, writes, elapsedMs: elapsedMs() })
  }
}

function readDay(
  { tables }: Pick<JobDeps, "tables">,
  { day, block }: DayOfBlock,
  cells: CellColumns,
): boolean {
  clearPresence(cells, 0, cells.length)
  const key = periodKey(day, block)
  const bytes = tables.days.view(key)
  if (bytes !== undefined) readCoarse(key, bytes, 1, cells)
  assertCells(cells, 0, cells.length)
  return bytes !== undefined
}
