/** Current bands: the recent records of a day replace its compacted record cycle by cycle. */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { bandFieldCount } from "../../cycle-store.ts"
import {
  cycleBandsLength,
  dayBandsLength,
  hasBand,
  openDayBands,
  unpackDayRun,
  unpackRecentBands,
} from "../encoding/bands-record.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { periodKey, type Tables, type BlockIndex, type SlotIndex } from "../disk/tables.ts"

/** Buffers for one cycle of a block and one day of a slot; one per reading thread. */
export class BandWorkspace {
  readonly cycle = new Float32Array(cycleBandsLength)
  /** Column by column, each of 288 cycles. */
  readonly day = new Float32Array(dayBandsLength)
}

/**
 * Reads the recent bands of a cycle, `bandFieldCount` a slot. Returns false, and all NaN, if there
 * are none.
 */
export function readRecentBands(
  tables: Tables,
  cycle: number,
  block: BlockIndex,
  out: Float32Array,
): boolean {
  const key = periodKey(cycle, block)
  const bytes = tables.recentBands.view(key)
  if (bytes === undefined) {
    out.fill(NaN)
    return false
  }
  unpackRecentBands(key, bytes, out)
  return true
}

/**
 * Reads the bands of a cycle, recent or compacted, `bandFieldCount` a slot. Returns false, and all
 * NaN, if there are none.
 */
export function readCycleBands(
  tables: Tables,
  where: { readonly cycle: number; readonly block: BlockIndex },
  out: Float32Array,
  scratch: BandWorkspace,
): boolean {
  const { cycle, block } = where
  const isRecent = readRecentBands(tables, cycle, block, out)
  const day = Math.floor(cycle / cyclesPerDay)
  const key = periodKey(day, block)
  const bytes = tables.bands.view(key)
  if (bytes === undefined) return isRecent
  const at = cycle - day * cyclesPerDay
  assert(at >= 0 && at < cyclesPerDay, "Expected a cycle of the day")
  let found = isRecent
  for (const [slot, reader] of openDayBands(key, bytes).entries()) {
    if (hasBand(out, slot)) continue
    unpackDayRun(reader, scratch.day, 0)
    for (let i = 0; i < bandFieldCount; i++) {
      out[slot * bandFieldCount + i] = scratch.day[i * cyclesPerDay + at]!
    }
    found ||= hasBand(out, slot)
  }
  return found
}

/**
 * Reads the cycles `[from, to)` of one slot's day into `scratch.day`. Returns false if it has no
 * band in them. The other cycles of the day are undefined.
 */
export function readSlotDay(
  tables: Tables,
  where: { readonly day: number; readonly block: BlockIndex; readonly slot: SlotIndex },
  cycles: { readonly from: number; readonly to: number },
  scratch: BandWorkspace,
): boolean {
  const { day, block, slot } = where
  assert(cycles.from >= 0 && cycles.to <= cyclesPerDay, "Expected cycles of one day")
  scratch.day.fill(NaN)
  const key = periodKey(day, block)
  const compacted = tables.bands.view(key)
  const run = compacted === undefined ? undefined : openDayBands(key, compacted)[slot]
  if (run !== undefined) unpackDayRun(run, scratch.day, 0)
  let found = run !== undefined
  if (!tables.openDays.doesExist(key)) return found
  for (let at = cycles.from; at < cycles.to; at++) {
    if (!readRecentBands(tables, day * cyclesPerDay + at, block, scratch.cycle)) continue
    if (!hasBand(scratch.cycle, slot)) continue
    found = true
    for (let i = 0; i < bandFieldCount; i++) {
      scratch.day[i * cyclesPerDay + at] = scratch.cycle[slot * bandFieldCount + i]!
    }
  }
  return found
}

/** The numbers of one band: `bandFieldCount` of them, `step` apart from `at` on. */
export interface PlacedBand {
  readonly values: Float32Array
  at: number
  step: number
}

/**
 * Calls `consume` for the cycles in `[from, to)` of a day in which one of these slots may have a
 * band, with the index of the slot in `slots`; the numbers of one that it has not are NaN. A recent
 * band follows the compacted one of its cycle, which it replaces. It is valid during the call.
 */
export function readDayBands(
  tables: Tables,
  where: { readonly day: number; readonly block: BlockIndex; readonly slots: readonly number[] },
  { from, to }: { readonly from: number; readonly to: number },
  scratch: BandWorkspace,
  consume: (index: number, cycleOfDay: number, band: PlacedBand) => void,
): void {
  const { day, block, slots } = where
  assert(from >= 0 && to <= cyclesPerDay, "Expected cycles of one day")
  const key = periodKey(day, block)
  const bytes = tables.bands.view(key)
  const runs = bytes === undefined ? [] : openDayBands(key, bytes)
  const compacted = { values: scratch.day, at: 0, step: cyclesPerDay }
  for (const [index, slot] of slots.entries()) {
    if (slot >= runs.length) continue
    unpackDayRun(runs[slot]!, scratch.day, 0)
    for (compacted.at = from; compacted.at < to; compacted.at++) {
      consume(index, compacted.at, compacted)
    }
  }
  if (!tables.openDays.doesExist(key)) return
  const recent = { values: scratch.cycle, at: 0, step: 1 }
  for (let cycle = from; cycle < to; cycle++) {
    if (!readRecentBands(tables, day * cyclesPerDay + cycle, block, scratch.cycle)) continue
    for (const [index, slot] of slots.entries()) {
      if (!hasBand(scratch.cycle, slot)) continue
      recent.at = slot * bandFieldCount
      consume(index, cycle, recent)
    }
  }
}

/** The four numbers of one cycle of the day that `readSlotDay` read. */
export function bandOfDay({ day }: BandWorkspace, cycleOfDay: number): number[] {
  return Array.from({ length: bandFieldCount }, (_, i) => day[i * cyclesPerDay + cycleOfDay]!)
}

/** Creates a day of a block at slot · `dayBandsLength` + column · 288 + cycle: 1.2 MB. */
export function createDayBands(): Float32Array {
  return new Float32Array(seriesPerBlock * dayBandsLength)
}
