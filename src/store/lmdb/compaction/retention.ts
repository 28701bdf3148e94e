/** Retention: drops whole UTC days, per resolution, when their end is past the retention period. */

import { assert } from "../../../base/assert.ts"
import { cycleMs, dayMs, resolutions, type Resolution } from "../../../model/resolution.ts"
import {
  watermarksAt,
  packWatermarks,
  readWatermarks,
  type RetentionWatermarks,
} from "../disk/retention-watermarks.ts"
import type { Job, JobDeps } from "./job.ts"
import type { Table } from "../disk/table.ts"
import { indexKey, keyToIndex, textKey, windowMs } from "../disk/tables.ts"

/** Key in `meta`: the clock at the last retention run, epoch milliseconds as text. */
export const retentionCheckKey = textKey("retentionLook")

/** Keys removed per step; a removal takes some microseconds. */
const keysPerStep = 256

/** Drops everything that is too old at `nowMs`, except days that wait for compaction. */
export function* retentionJob(deps: JobDeps, nowMs: number): Job {
  const { tables, retentionMs, compactionQueue, writes } = deps
  const verdict = checkClock(deps, nowMs)
  if (verdict === "trusted" || verdict === "first") {
    writes.put(tables.meta, retentionCheckKey, textKey(String(nowMs)))
  }
  if (verdict !== "trusted") return
  const before = readWatermarks(tables)
  const horizons = advance(before, watermarksAt(nowMs, retentionMs), compactionQueue.oldestDay())
  if (resolutions.every((each) => horizons[each] === before[each])) return
  const areRising = resolutions.every((each) => horizons[each] >= before[each])
  assert(areRising, "Expected watermarks that never fall")
  // Before the removals, so that a reader never sees a partly removed day.
  const { key, value } = packWatermarks(horizons)
  writes.put(tables.meta, key, value)
  yield
  yield* dropBefore(deps, tables.raw, horizons.ZERO * (dayMs / windowMs))
  yield* dropBefore(deps, tables.recentRaw, horizons.ZERO * (dayMs / cycleMs))
  yield* dropBefore(deps, tables.recentCells, horizons.PT5M * (dayMs / cycleMs))
  yield* dropBefore(deps, tables.recentBands, horizons.PT5M * (dayMs / cycleMs))
  yield* dropBefore(deps, tables.closed, horizons.ZERO * (dayMs / cycleMs))
  yield* dropBefore(deps, tables.cells, horizons.PT5M)
  yield* dropBefore(deps, tables.bands, horizons.PT5M)
  yield* dropBefore(deps, tables.hours, horizons.PT1H)
  // The days that are about to be dropped tell which series had their last value there.
  writes.requestCommit()
  yield
  yield* deps.forgetting(nowMs)
  yield* dropBefore(deps, tables.days, horizons.PT24H)
}

/** As retention decides; the first check of a store trusts no clock. */
export function trustsClock(deps: JobDeps, nowMs: number): boolean {
  return checkClock(deps, nowMs) === "trusted"
}

/** Checks the clock: nothing is dropped after a large jump (clock-guard.ts). */
function checkClock({ tables, clockGuard, elapsedMs, warn }: JobDeps, nowMs: number) {
  const bytes = tables.meta.get(retentionCheckKey)
  const lastMs = bytes === undefined ? undefined : Number(bytes.toString())
  const verdict = clockGuard.check({ nowMs, elapsedMs: elapsedMs() }, lastMs)
  if (verdict === "jumped") warn({ nowMs, lastMs }, "the clock jumped ahead: retention waits a day")
  return verdict
}

/** Returns the new watermarks: never below the old ones, nor beyond a day that is not compacted. */
function advance(
  before: RetentionWatermarks,
  wanted: RetentionWatermarks,
  oldestOpenDay: number,
): RetentionWatermarks {
  const watermark = (resolution: Resolution): number =>
    Math.max(before[resolution], Math.min(wanted[resolution], oldestOpenDay))
  return Object.fromEntries(
    resolutions.map((each) => [each, watermark(each)]),
  ) as RetentionWatermarks
}

/** Removes all keys of `table` whose period is below `period`. */
function* dropBefore(deps: JobDeps, table: Table, period: number): Job {
  if (period <= 0) return
  assert(Number.isSafeInteger(period), "Expected a period on the grid")
  let start = indexKey(0)
  for (;;) {
    const some = { start, end: indexKey(period), limit: keysPerStep }
    const keys = Array.from(table.getKeys(some), (key) => Buffer.from(key))
    for (const key of keys) {
      assert(keyToIndex(key) < period, "Expected a key of a dropped period")
      deps.writes.remove(table, key)
      deps.counters.dropped++
    }
    if (keys.length < keysPerStep) return
    // The keys may still be there, as their removal waits in the buffer for the next commit.
    start = Buffer.concat([keys.at(-1)!, Buffer.alloc(1)])
    yield
  }
}
