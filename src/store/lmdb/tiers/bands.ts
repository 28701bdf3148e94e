/** Bands as they are now: recent records, cycle by cycle, in place of what was sealed of a day. */

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
import { periodKey, type Tables } from "../disk/tables.ts"

/** One cycle of a block and one day of a slot; a thread that reads has one. */
export class BandWorkspace {
  readonly cycle = new Float32Array(cycleBandsLength)
  /** Column by column, each of 288 cycles. */
  readonly day = new Float32Array(dayBandsLength)
}

/** Reads what is recent of a cycle, `bandFieldCount` a slot; false, and all NaN, where nothing is. */
export function readRecentBands(
  tables: Tables,
  cycle: number,
  block: number,
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

/** Reads a cycle, recent or sealed, `bandFieldCount` a slot; false, and all NaN, where there is none. */
export function readCycleBands(
  tables: Tables,
  where: { readonly cycle: number; readonly block: number },
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
 * Reads the cycles `[from, to)` of a day of one slot into `scratch.day`; false where it has no band
 * in them. The other cycles of the day may hold anything.
 */
export function readSlotDay(
  tables: Tables,
  where: { readonly day: number; readonly block: number; readonly slot: number },
  cycles: { readonly from: number; readonly to: number },
  scratch: BandWorkspace,
): boolean {
  const { day, block, slot } = where
  scratch.day.fill(NaN)
  const key = periodKey(day, block)
  const sealed = tables.bands.view(key)
  const run = sealed === undefined ? undefined : openDayBands(key, sealed)[slot]
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

/** The four numbers of one cycle of what `readSlotDay` read. */
export function bandOfDay({ day }: BandWorkspace, cycleOfDay: number): number[] {
  return Array.from({ length: bandFieldCount }, (_, i) => day[i * cyclesPerDay + cycleOfDay]!)
}

/** A day of a block at slot · `dayBandsLength` + column · 288 + cycle: 1.2 MB. */
export function createDayBands(): Float32Array {
  return new Float32Array(seriesPerBlock * dayBandsLength)
}
