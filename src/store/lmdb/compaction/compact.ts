/**
 * Compaction: the recent records and the compacted chunks of a block's day → new compacted chunks.
 *
 *   recent raw    ┐                               ┌ raw      four windows per day
 *                 ├─► window by window ─► merged ─┤ digests  of hours and days with many samples
 *   compacted raw ┘                               │
 *   recent, compacted cells ─► 288 per series ────┴ cells, hours, days ─► recent records removed
 *
 * Everything is written in one commit, including the removal of the recent records. Until then a
 * reader sees the previous state, and after a crash the compaction runs again with the same result.
 */

import { largestOf, smallestOf } from "../../../base/iterables.ts"
import { cyclesPerDay, dayMs, hourMs } from "../../../model/resolution.ts"
import { CellColumns } from "../../../rollup/cell.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import { packCoarse } from "../encoding/coarse-record.ts"
import {
  createDayCells,
  hoursPerDay,
  createHourCells,
  mergeDay,
  mergeHours,
} from "../tiers/coarse-cells.ts"
import { DayDigests } from "../merge/day-digests.ts"
import { requeueFollowingDays, resolveCounters } from "./compact-counters.ts"
import type { CycleGroup } from "../merge/cycle-merge.ts"
import type { IncomingSamples } from "../merge/group-by-block.ts"
import type { Job, JobDeps } from "./job.ts"
import type { RawColumns } from "../encoding/raw-columns.ts"
import { encodeCompactedRaw } from "../encoding/raw-codec.ts"
import { readRecentCells, recentDay, createCycleCells, type RecentDay } from "../tiers/recent.ts"
import { compactBands } from "./compact-bands.ts"
import { encodeRecord } from "../disk/record.ts"
import {
  dayCellsMax,
  noCycles,
  overlayCycle,
  packColumn,
  presentRange,
  readDayCells,
  wholeDay,
  type CycleRange,
  type DayOfBlock,
} from "../tiers/compacted-cells.ts"
import type { Table } from "../disk/table.ts"
import { columnKey, cyclesPerWindow, periodKey, windowMs } from "../disk/tables.ts"
import type { CycleOverrides } from "../merge/window-merge.ts"

export { isCompacted as isSealed } from "../tiers/compacted-cells.ts"

const windowsPerDay = dayMs / windowMs
/** Reading the cells of one cycle takes about 10 µs. */
const cyclesPerStep = 32

/**
 * Workspace of the single compaction of a thread: 7 MB of cells. Nothing else may use it, because
 * other code runs between two steps of a compaction.
 */
const dayCells = new CellColumns(dayCellsMax)
const recentCells = createCycleCells()
const hourCells = createHourCells()
const wholeDayCells = createDayCells()

/** Unflushed samples of one day and block that are compacted without recent records. */
export interface IncomingDay {
  readonly samples: IncomingSamples
  /** By cycle, ascending. */
  readonly groups: readonly CycleGroup[]
}

/** Compacts one block's day, together with `incoming` samples if there are any. */
export function* compactJob(
  context: JobDeps,
  where: DayOfBlock,
  incoming: IncomingDay | null = null,
): Job {
  const { catalogue, writes, tables, counters, compactionQueue, windowMerger } = context
  const slots = catalogue.blockSeries(where.block).length
  context.compactedWindows.invalidate()
  context.compacting.day = where.day
  const recent = recentDay(tables, where.day, where.block)
  const wasSealed = yield* loadCells(context, { ...where, slots, recent })
  const arrived = incoming === null ? noIncoming : yield* mergeIncoming(context, incoming)
  const touched = wasSealed ? wholeDay : touchedRange(where.day, recent, arrived)
  const range = presentRange(dayCells, slots, touched)
  const hasCounters = resolveCounters(context, where, dayCells, { slots, range })
  const hours = mergeHours(dayCells, slots, { range, hourCells })
  const days = mergeDay(hours, slots, wholeDayCells)
  const digests = new DayDigests(slots, hours, days)
  const sealed: { table: Table; key: Buffer; value: Uint8Array }[] = []
  for (let i = 0; i < windowsPerDay; i++) {
    const window = where.day * windowsPerDay + i
    const hasRecent = recent.raw.some((cycle) => Math.floor(cycle / cyclesPerWindow) === window)
    const merged = windowMerger.read({ window, block: where.block, slots, hasRecent }, arrived)
    if (merged === null) continue
    yield
    const key = periodKey(window, where.block)
    const value = encodeRecord(key, (writer) =>
      encodeCompactedRaw(writer, merged, window * windowMs),
    )
    sealed.push({ table: tables.raw, key, value })
    yield
    for (let hour = 0; hour < windowMs / hourMs; hour++) {
      digests.addHour(merged, i * (windowMs / hourMs) + hour, where.day)
      yield
    }
  }
  for (const [index, name] of cellColumnNames.entries()) {
    const key = columnKey(where.day, where.block, index)
    const value = packColumn(key, name, dayCells, { slots, range })
    sealed.push({ table: tables.cells, key, value })
    yield
  }
  const bands = yield* compactBands(tables, where, slots, recent.bands)
  if (bands !== null) {
    sealed.push({ table: tables.bands, key: periodKey(where.day, where.block), value: bands })
  }
  // In one commit: windows and columns of different compactions must not be mixed.
  for (const { table, key, value } of sealed) writes.put(table, key, value)
  requeueFollowingDays(context, where, days, slots)
  const key = periodKey(where.day, where.block)
  const { samples } = digests
  const hourShape = { slots, buckets: hoursPerDay, samples }
  writes.put(tables.hours, key, packCoarse(key, hours, hourShape, digests.hours))
  writes.put(
    tables.days,
    key,
    packCoarse(key, days, { slots, buckets: 1, samples }, digests.days()),
  )
  removeRecent(context, where, recent)
  writes.afterCommit(() => compactionQueue.remove(where.day, where.block))
  counters.compacted++
  context.compacting.day = -1
  if (!hasCounters) return
  // The next day to compact may read the last values of this day.
  writes.requestCommit()
  yield
}

/**
 * Fills `dayCells` with the compacted cells and the recent cells over them. Returns true if the day
 * was compacted before.
 */
function* loadCells(
  { tables }: JobDeps,
  where: DayOfBlock & { readonly slots: number; readonly recent: RecentDay },
): Generator<void, boolean> {
  const { day, block, slots, recent } = where
  const wasSealed = readDayCells(tables, where, dayCells, { columns: cellColumnNames, slots })
  for (const [i, cycle] of recent.cells.entries()) {
    if (i % cyclesPerStep === 0) yield
    readRecentCells(tables, cycle, block, recentCells)
    overlayCycle(recentCells, dayCells, cycle - day * cyclesPerDay)
  }
  return wasSealed
}

/** Returns the range of cycles of the day that have recent or incoming cells. */
function touchedRange(day: number, recent: RecentDay, arrived: CycleOverrides): CycleRange {
  const cycles = [...recent.cells, ...arrived.keys()]
  if (cycles.length === 0) return noCycles
  const first = day * cyclesPerDay
  return { from: smallestOf(cycles) - first, to: largestOf(cycles) + 1 - first }
}

const noIncoming: CycleOverrides = new Map()

/** Merges the incoming samples into `dayCells`; returns the raw samples of their cycles. */
function* mergeIncoming(context: JobDeps, incoming: IncomingDay): Generator<void, CycleOverrides> {
  const { cycleMerger } = context
  const arrived = new Map<number, RawColumns>()
  for (const group of incoming.groups) {
    cycleMerger.merge(incoming.samples, group)
    overlayCycle(cycleMerger.cells, dayCells, group.cycle % cyclesPerDay)
    arrived.set(group.cycle, cycleMerger.raw.copy())
    yield
  }
  return arrived
}

function removeRecent(context: JobDeps, where: DayOfBlock, recent: RecentDay): void {
  const { tables, writes } = context
  const remove = (table: Table, cycles: readonly number[]) => {
    for (const cycle of cycles) writes.remove(table, periodKey(cycle, where.block))
  }
  remove(tables.recentRaw, recent.raw)
  remove(tables.recentCells, recent.cells)
  remove(tables.recentBands, recent.bands)
  writes.remove(tables.openDays, periodKey(where.day, where.block))
}
