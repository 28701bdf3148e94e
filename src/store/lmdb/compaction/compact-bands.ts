/** Compaction of bands: the recent records of a day over its compacted record → one record. */

import { assert } from "../../../base/assert.ts"
import { bandFieldCount } from "../../cycle-store.ts"
import { readRecentBands } from "../tiers/bands.ts"
import {
  dayBandsLength,
  hasBand,
  openDayBands,
  packDayBands,
  packDayRun,
  unpackDayRun,
} from "../encoding/bands-record.ts"
import type { DayOfBlock } from "../tiers/compacted-cells.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { periodKey } from "../disk/tables.ts"
import type { JobDeps } from "./job.ts"

/** Slots per step: encoding one takes about 20 µs. */
const slotsPerStep = 32
const cyclesPerStep = 32

/**
 * Returns the record of the day's bands; null if there are none since the last compaction. `cycles`
 * are those that have a recent record.
 */
export function* compactBands(
  { tables, compaction }: Pick<JobDeps, "tables" | "compaction">,
  where: DayOfBlock,
  slots: number,
  cycles: readonly number[],
): Generator<void, Uint8Array | null> {
  if (cycles.length === 0) return null
  const { dayBands: day, cycleBands } = compaction
  day.fill(NaN)
  const key = periodKey(where.day, where.block)
  const compacted = tables.bands.get(key)
  if (compacted !== undefined) {
    for (const [slot, run] of openDayBands(key, compacted).entries()) {
      unpackDayRun(run, day, slot * dayBandsLength)
    }
  }
  for (const [i, cycle] of cycles.entries()) {
    if (i % cyclesPerStep === 0) yield
    assert(Math.floor(cycle / cyclesPerDay) === where.day, "Expected cycles of the day")
    readRecentBands(tables, cycle, where.block, cycleBands)
    overlay(cycleBands, day, slots, cycle - where.day * cyclesPerDay)
  }
  const runs: Uint8Array[] = []
  for (let slot = 0; slot < slots; slot++) {
    if (slot % slotsPerStep === 0) yield
    runs.push(packDayRun(day, slot * dayBandsLength))
  }
  assert(runs.length === slots, "Expected a run of bands for each slot")
  return packDayBands(key, runs)
}

function overlay(cycleBands: Float32Array, day: Float32Array, slots: number, cycle: number): void {
  for (let slot = 0; slot < slots; slot++) {
    if (!hasBand(cycleBands, slot)) continue
    for (let i = 0; i < bandFieldCount; i++) {
      day[slot * dayBandsLength + i * cyclesPerDay + cycle] = cycleBands[slot * bandFieldCount + i]!
    }
  }
}
