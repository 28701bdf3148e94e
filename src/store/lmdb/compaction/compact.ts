/**
 * Compaction: the recent records and the compacted chunks of a block's day → new compacted chunks.
 *
 *   recent raw    ┐                               ┌ raw      four windows per day
 *                 ├─► window by window ─► merged ─┤ digests  of hours and days with many samples
 *   compacted raw ┘                               │
 *   recent, compacted cells ─► 288 per series ────┴ cells, hours, days ─► recent records removed
 *
 * All of a block is written in one commit, including the removal of its recent records. Until then
 * a reader sees the previous state, and after a crash the compaction runs again, with the same
 * result.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { largestOf, smallestOf } from "../../../base/iterables.ts"
import { cyclesPerDay, dayMs, hourMs } from "../../../model/resolution.ts"
import { assertCells, type CellColumns } from "../../../rollup/cell.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import { packCoarse, totalOf } from "../encoding/coarse-record.ts"
import { hoursPerDay, mergeDay, mergeHours } from "../tiers/coarse-cells.ts"
import { DayDigests } from "../merge/day-digests.ts"
import { requeueFollowingDays, resolveCounters } from "./compact-counters.ts"
import type { CycleGroup } from "../merge/cycle-merge.ts"
import type { IncomingSamples } from "../merge/group-by-block.ts"
import type { Job, JobDeps } from "./job.ts"
import type { SampleRun } from "../encoding/sample-run.ts"
import { encodeCompactedRaw } from "../encoding/raw-codec.ts"
import { readRecentSlots, recentDay, type RecentCycles, type RecentDay } from "../tiers/recent.ts"
import { compactBands } from "./compact-bands.ts"
import { encodeRecord } from "../disk/record.ts"
import {
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
import { columnKey, cyclesPerWindow, periodKey, windowMs, type BlockIndex } from "../disk/tables.ts"
import type { CycleOverrides } from "../merge/window-merge.ts"

const windowsPerDay = dayMs / windowMs
const hoursPerWindow = windowMs / hourMs
/** Reading the cells of one cycle takes about 10 µs. */
const cyclesPerStep = 32

/** Unflushed samples of one day and block that are compacted without recent records. */
export interface IncomingDay {
  readonly samples: IncomingSamples
  /** By cycle, ascending. */
  readonly groups: readonly CycleGroup[]
}

/** The day of a block that is compacted, and its recent records. */
interface CompactionTarget extends DayOfBlock {
  readonly slots: number
  readonly recent: RecentDay
}

/** A record that the commit at the end of a compaction stores. */
interface CompactedRecord {
  readonly table: Table
  readonly key: Buffer
  readonly value: Uint8Array
}

/** Blocks of one day that are compacted together. */
export interface DayOfBlocks {
  readonly day: number
  readonly blocks: readonly BlockIndex[]
}

/**
 * Compacts the blocks one after the other, each as a whole. Their records go into one commit if the
 * write buffer has room: LMDB writes whole pages, and one page of a recent table has the records of
 * several blocks with few series.
 */
export function* compactionJob(deps: JobDeps, { day, blocks }: DayOfBlocks): Job {
  for (const block of blocks) yield* compactBlock(deps, { day, block }, null)
}

/** Compacts one block's day together with `incoming` samples. */
export function* compactIncoming(deps: JobDeps, where: DayOfBlock, incoming: IncomingDay): Job {
  if (!(yield* compactBlock(deps, where, incoming))) return
  // The next day to compact may read the last values of this day.
  deps.writes.requestCommit()
  yield
}

/** Returns true if the block has counters. */
function* compactBlock(
  deps: JobDeps,
  where: DayOfBlock,
  incoming: IncomingDay | null,
): Generator<void, boolean> {
  const { catalogue, tables, compaction } = deps
  const { dayCells, coarse, contributions } = compaction
  const slots = catalogue.partitionSeries(where.block).length
  assert(slots <= seriesPerBlock, "Expected at most one slot per series")
  deps.compactedWindows.invalidate()
  deps.compacting.day = where.day
  const target = { slots, recent: recentDay(tables, where.day, where.block), ...where }
  const wasCompacted = yield* loadCells(deps, target)
  const arrived = incoming === null ? noIncoming : yield* mergeIncoming(deps, target, incoming)
  const touched = wasCompacted ? wholeDay : touchedRange(target, arrived)
  const range = presentRange(dayCells, slots, touched)
  const hasCounters = resolveCounters(deps, where, dayCells, { slots, range })
  const hours = mergeHours(dayCells, slots, coarse, range)
  const days = mergeDay(hours, slots, coarse)
  const digests = new DayDigests(slots, { hours, days }, contributions)
  const records = [
    ...(yield* compactRaw(deps, target, arrived, digests)),
    ...(yield* compactCells(deps, target, range)),
  ]
  const bands = yield* compactBands(deps, where, slots, [...target.recent.bands.keys()])
  if (bands !== null) {
    records.push({ table: tables.bands, key: periodKey(where.day, where.block), value: bands })
  }
  putDay(deps, target, records, { hours, days, digests })
  return hasCounters
}

/**
 * Fills `dayCells` with the compacted cells and the recent cells over them. Returns true if the day
 * was compacted before.
 */
function* loadCells(deps: JobDeps, where: CompactionTarget): Generator<void, boolean> {
  const { tables, compaction } = deps
  const { dayCells, recentCells } = compaction
  const { day, block, slots, recent } = where
  const wasCompacted = readDayCells(tables, where, dayCells, { columns: cellColumnNames, slots })
  let read = 0
  for (const cycle of recent.cells.keys()) {
    if (read++ % cyclesPerStep === 0) yield
    assert(Math.floor(cycle / cyclesPerDay) === day, "Expected cycles of the day")
    const found = Math.min(slots, readRecentSlots(tables, cycle, block, recentCells))
    assert(found >= 0, "Expected the record whose size was found")
    assertCells(recentCells, 0, found)
    overlayCycle(recentCells, found, dayCells, cycle - day * cyclesPerDay)
  }
  return wasCompacted
}

/** Merges and encodes the raw samples window by window; adds them to `digests`. */
function* compactRaw(
  { tables, windowMerger }: JobDeps,
  { day, block, slots, recent }: CompactionTarget,
  arrived: CycleOverrides,
  digests: DayDigests,
): Generator<void, CompactedRecord[]> {
  const records: CompactedRecord[] = []
  const windowOf = (cycle: number): number => Math.floor(cycle / cyclesPerWindow)
  const recentWindows = new Set(Array.from(recent.raw.keys(), windowOf))
  for (let i = 0; i < windowsPerDay; i++) {
    const window = day * windowsPerDay + i
    const hasRecent = recentWindows.has(window)
    const merged = windowMerger.read({ window, block, slots, hasRecent }, arrived)
    if (merged === null) continue
    yield
    assertInWindow(merged, window)
    const key = periodKey(window, block)
    const value = encodeRecord(key, (writer) =>
      encodeCompactedRaw(writer, merged, window * windowMs),
    )
    records.push({ table: tables.raw, key, value })
    yield
    for (let hour = 0; hour < hoursPerWindow; hour++) {
      digests.addHour(merged, i * hoursPerWindow + hour, day)
      yield
    }
  }
  return records
}

/** Encodes the columns of `dayCells`. */
function* compactCells(
  { tables, compaction }: JobDeps,
  { day, block, slots }: CompactionTarget,
  range: CycleRange,
): Generator<void, CompactedRecord[]> {
  const { dayCells } = compaction
  assertCells(dayCells, 0, slots * cyclesPerDay)
  const records: CompactedRecord[] = []
  for (const [index, name] of cellColumnNames.entries()) {
    const key = columnKey(day, block, index)
    records.push({
      table: tables.cells,
      key,
      value: packColumn(key, name, dayCells, { slots, range }),
    })
    yield
  }
  return records
}

/**
 * Puts all records of the day into the write buffer, for one commit: windows and columns of
 * different compactions must not be mixed.
 */
function putDay(
  deps: JobDeps,
  target: CompactionTarget,
  records: readonly CompactedRecord[],
  { hours, days, digests }: Record<"hours" | "days", CellColumns> & { digests: DayDigests },
): void {
  const { tables, writes, counters, compactionQueue, compacting } = deps
  const { day, block, slots } = target
  const { samples } = digests
  assert(compacting.day === day, "Expected the day that is being compacted")
  assert(records.length >= cellColumnNames.length, "Expected each column of the day")
  assertCells(hours, 0, slots * hoursPerDay)
  assertCells(days, 0, slots)
  for (const { table, key, value } of records) writes.put(table, key, value)
  requeueFollowingDays(deps, target, days, slots)
  const key = periodKey(day, block)
  const hourShape = { slots, buckets: hoursPerDay, samples }
  const dayShape = { slots, buckets: 1, samples }
  writes.put(tables.hours, key, packCoarse(key, hours, hourShape, digests.hours))
  writes.put(tables.days, key, packCoarse(key, days, dayShape, digests.days()))
  removeRecent(deps, target)
  const total = totalOf(samples, slots)
  writes.afterCommit(() => compactionQueue.remove(day, block, total))
  counters.compacted++
  compacting.day = -1
}

/**
 * Asserts that the samples are ordered by slot and inside the window; checks ends of slots only.
 */
function assertInWindow(raw: SampleRun, window: number): void {
  const startMs = window * windowMs
  for (let slot = 0; slot < raw.slotCount; slot++) {
    const from = raw.slotFrom(slot)
    const to = raw.slotTo(slot)
    assert(from <= to, "Expected samples in order of their slots")
    if (from === to) continue
    const isInside = raw.timesMs[from]! >= startMs && raw.timesMs[to - 1]! < startMs + windowMs
    assert(isInside, "Expected samples inside their window")
    assert(raw.timesMs[from]! <= raw.timesMs[to - 1]!, "Expected samples in order of time")
  }
}

/** Returns the range of cycles of the day that have recent or incoming cells. */
function touchedRange({ day, recent }: CompactionTarget, arrived: CycleOverrides): CycleRange {
  const cycles = [...recent.cells.keys(), ...arrived.keys()]
  if (cycles.length === 0) return noCycles
  const first = day * cyclesPerDay
  const range = { from: smallestOf(cycles) - first, to: largestOf(cycles) + 1 - first }
  assert(range.from >= 0 && range.to <= cyclesPerDay, "Expected cycles of the day")
  return range
}

const noIncoming: CycleOverrides = new Map()

/** Merges the incoming samples into `dayCells`; returns the raw samples of their cycles. */
function* mergeIncoming(
  deps: JobDeps,
  { day, slots }: CompactionTarget,
  incoming: IncomingDay,
): Generator<void, CycleOverrides> {
  const { cycleMerger, compaction } = deps
  const arrived = new Map<number, SampleRun>()
  for (const group of incoming.groups) {
    assert(Math.floor(group.cycle / cyclesPerDay) === day, "Expected samples of the day")
    cycleMerger.merge(incoming.samples, group)
    overlayCycle(cycleMerger.cells, slots, compaction.dayCells, group.cycle % cyclesPerDay)
    arrived.set(group.cycle, cycleMerger.raw.copy())
    yield
  }
  return arrived
}

function removeRecent({ tables, writes }: JobDeps, { day, block, recent }: CompactionTarget): void {
  const remove = (table: Table, cycles: RecentCycles) => {
    for (const [cycle, bytes] of cycles) writes.remove(table, periodKey(cycle, block), bytes)
  }
  remove(tables.recentRaw, recent.raw)
  remove(tables.recentCells, recent.cells)
  remove(tables.recentBands, recent.bands)
  writes.remove(tables.openDays, periodKey(day, block))
}
