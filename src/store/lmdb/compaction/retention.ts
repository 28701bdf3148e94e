/** Retention: whole UTC days go, per resolution, once their end is as old as they are kept. */

import { cycleMs, dayMs, resolutions, type Resolution } from "../../../model/resolution.ts"
import {
  watermarksAt,
  packWatermarks,
  readWatermarks,
  type RetentionWatermarks,
} from "../disk/retention-watermarks.ts"
import type { Job, JobDeps } from "./job.ts"
import type { Table } from "../disk/table.ts"
import { indexKey, textKey, windowMs } from "../disk/tables.ts"

/** In `meta`: the clock when retention last looked, epoch milliseconds as text. */
export const retentionCheckKey = textKey("retentionLook")

/** Keys removed a step; a removal costs some microseconds. */
const keysPerStep = 256

/** Drops everything that is too old at `nowMs`; days that wait for their seal stay until then. */
export function* retentionJob(context: JobDeps, nowMs: number): Job {
  const { tables, retentionMs, compactionQueue, writes } = context
  const verdict = checkClock(context, nowMs)
  if (verdict === "believed" || verdict === "first") {
    writes.put(tables.meta, retentionCheckKey, textKey(String(nowMs)))
  }
  if (verdict !== "believed") return
  const before = readWatermarks(tables)
  const horizons = advance(before, watermarksAt(nowMs, retentionMs), compactionQueue.oldestDay())
  if (resolutions.every((each) => horizons[each] === before[each])) return
  // First, so that a reader never takes a day of which only a part is left.
  const { key, value } = packWatermarks(horizons)
  writes.put(tables.meta, key, value)
  yield
  yield* dropBefore(context, tables.raw, horizons.ZERO * (dayMs / windowMs))
  yield* dropBefore(context, tables.recentRaw, horizons.ZERO * (dayMs / cycleMs))
  yield* dropBefore(context, tables.recentCells, horizons.PT5M * (dayMs / cycleMs))
  yield* dropBefore(context, tables.recentBands, horizons.PT5M * (dayMs / cycleMs))
  yield* dropBefore(context, tables.closed, horizons.ZERO * (dayMs / cycleMs))
  yield* dropBefore(context, tables.cells, horizons.PT5M)
  yield* dropBefore(context, tables.bands, horizons.PT5M)
  yield* dropBefore(context, tables.hours, horizons.PT1H)
  yield* dropBefore(context, tables.days, horizons.PT24H)
}

/** Nothing goes by a clock that has just jumped far ahead; see clock-trust.ts. */
function checkClock({ tables, clockGuard, elapsedMs, warn }: JobDeps, nowMs: number) {
  const bytes = tables.meta.get(retentionCheckKey)
  const lastMs = bytes === undefined ? undefined : Number(bytes.toString())
  const verdict = clockGuard.check({ nowMs, elapsedMs: elapsedMs() }, lastMs)
  if (verdict === "jumped") warn({ nowMs, lastMs }, "the clock jumped ahead: retention waits a day")
  return verdict
}

/** A horizon never steps back, and stops before a day that is still open. */
function advance(
  before: RetentionWatermarks,
  wanted: RetentionWatermarks,
  oldestOpenDay: number,
): RetentionWatermarks {
  const settle = (resolution: Resolution): number =>
    Math.max(before[resolution], Math.min(wanted[resolution], oldestOpenDay))
  return Object.fromEntries(resolutions.map((each) => [each, settle(each)])) as RetentionWatermarks
}

/** Removes all keys of `table` whose period is below `period`. */
function* dropBefore(context: JobDeps, table: Table, period: number): Job {
  if (period <= 0) return
  let many = 0
  for (const key of Array.from(table.getKeys({ end: indexKey(period) }))) {
    context.writes.remove(table, Buffer.from(key))
    context.counters.dropped++
    if (++many % keysPerStep === 0) yield
  }
}
