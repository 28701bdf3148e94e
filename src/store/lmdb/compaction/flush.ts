/**
 * Flush: unflushed samples → recent records of raw samples and PT5M cells.
 *
 *   freeze the memtable ─► group by block ─► per block: by cycle and slot ─► per cycle:
 *     multiset union with the stored record ─► raw record, cells record ─► … ─► release the WAL
 *
 * Most of a past day is compacted directly; see `isWorthCompacting`.
 *
 * Each step may be committed separately: flushing the same batches again gives the same records.
 */

import { assert } from "../../../base/assert.ts"
import { cyclesPerDay, cycleMs } from "../../../model/resolution.ts"
import { assertCells } from "../../../rollup/cell.ts"
import { isFilledFromPast, lateNoteBytes, lateNoteKey, lateNoteKind } from "../../late-notes.ts"
import type { CycleGroup } from "../merge/cycle-merge.ts"
import {
  type GroupedSamples,
  groupPass,
  type IncomingSamples,
  planGroups,
} from "../merge/group-by-block.ts"
import type { Job, JobDeps } from "./job.ts"
import { orderByCycleAndSlot } from "../merge/sort-samples.ts"
import { compactedSamples } from "../tiers/compacted-cells.ts"
import { packRecentCells, packRecentRaw } from "../tiers/recent.ts"
import { isDayOver } from "./compaction-queue.ts"
import { compactIncoming } from "./compact.ts"
import type { PendingBatch } from "../wal/memtable.ts"
import { newestClosed, putState } from "../metadata/states.ts"
import { flushedKey, packSequence, periodKey, type BlockIndex } from "../disk/tables.ts"

/**
 * Minimum number of samples of a past day and block that are compacted directly. A compaction costs
 * 5 ms and 0.25 µs per sample, recent records 0.17 µs per sample and a compaction later.
 */
const compactSamplesMin = 16_384
/**
 * Minimum number of cycles that these samples have. Each compaction writes all of a day again, and
 * a flush onto a compacted day reads its samples. So it only pays if most of the day arrives
 * together: in order of time, a day of two flushes costs the same either way, one of ten three
 * times as much.
 */
const compactCyclesMin = cyclesPerDay / 2

/** Flushes the active memtable. `compactionMs` is the clock for compactions. */
export function* flushJob(deps: JobDeps, nowMs: number, compactionMs = nowMs): Job {
  const { memtable, wal, catalogue, writes, tables, counters, compactionQueue } = deps
  const batches = memtable.freeze()
  assertInOrder(batches)
  compactionQueue.beginFlush(memtable.frozenSamples)
  deps.compactedWindows.invalidate()
  // A clock that was set back does not reopen a closed cycle.
  const closedUpTo = newestClosed(tables)
  const closedMs = (closedUpTo + 1) * cycleMs
  deps.cycleMerger.closedMs = Math.max(nowMs - deps.cycleGraceMs, closedMs)
  const flush = { closedUpTo, number: batches.at(-1)?.sequence ?? 0, nowMs: compactionMs }
  assert(flush.closedUpTo >= -1 && flush.number >= 0, "Expected a cycle and a sequence number")
  const plan = yield* planGroups(batches, catalogue)
  for (let pass = 0; pass + 1 < plan.passes.length; pass++) {
    const workspace = deps.groups
    const grouped = yield* groupPass(batches, catalogue, { plan, pass, workspace })
    for (let i = 0; i < grouped.blocks.length; i++) {
      yield* flushBlock(deps, grouped, i, flush)
      counters.flushed += grouped.starts[i + 1]! - grouped.starts[i]!
    }
  }
  deps.groups.shrink()
  // In the last commit: after an earlier crash the batches are flushed again.
  writes.put(tables.meta, flushedKey, packSequence(flush.number))
  writes.afterCommit(() => {
    memtable.dropFrozen()
    // Segments that a backup still reads are released by a later flush.
    if (!wal.areSegmentsRetained(nowMs)) wal.release(flush.number)
  })
}

/** Asserts that the last batch has the newest number, up to which a flush marks all as flushed. */
function assertInOrder(batches: readonly PendingBatch[]): void {
  for (let i = 1; i < batches.length; i++) {
    assert(batches[i - 1]!.sequence < batches[i]!.sequence, "Expected batches by their numbers")
  }
}

/** Values that all blocks of one flush share. */
interface Flush {
  /** The newest cycle of which a batch is closed, or -1. */
  readonly closedUpTo: number
  /** Sequence number of its newest batch. */
  readonly number: number
  /** The clock for compactions. */
  readonly nowMs: number
}

/** Flushes block `i` of the groups, day by day. */
function* flushBlock(deps: JobDeps, grouped: GroupedSamples, i: number, flush: Flush): Job {
  const { nowMs } = flush
  const block = grouped.blocks[i]!
  const range = { from: grouped.starts[i]!, to: grouped.starts[i + 1]! }
  assert(range.from < range.to, "Expected samples of the block")
  for (const groups of dayGroups(cycleGroups(grouped, block, range))) {
    countForLimit(deps, block, groups)
    const day = Math.floor(groups[0]!.cycle / cyclesPerDay)
    const lastDay = Math.floor(groups.at(-1)!.cycle / cyclesPerDay)
    assert(lastDay === day, "Expected samples of one day")
    if (isWorthCompacting(deps, { day, block, groups, nowMs })) {
      yield* compactIncoming(deps, { day, block }, { samples: grouped, groups })
    } else yield* flushDay(deps, grouped, groups)
    recordLateSeries(deps, { grouped, groups, block, day }, flush)
  }
}

/** Stores a note for each series that received samples of closed cycles, after these samples. */
function recordLateSeries(
  { catalogue, tables, writes }: JobDeps,
  of: {
    readonly grouped: GroupedSamples
    readonly groups: readonly CycleGroup[]
    readonly block: BlockIndex
    readonly day: number
  },
  flush: Flush,
): void {
  const { grouped, groups, block, day } = of
  const slots = new Set<number>()
  for (const { cycle, order, from, to } of groups) {
    if (cycle > flush.closedUpTo) break
    for (let at = from; at < to; at++) slots.add(grouped.slots[order[at]!]!)
  }
  const members = catalogue.partitionSeries(block)
  for (const slot of slots) {
    const series = members[slot]!
    if (!isFilledFromPast(catalogue.seriesDefinition(series))) continue
    const element = catalogue.seriesElement(series)
    const key = lateNoteKey({ element, series, flush: flush.number, day })
    putState(tables, writes, { kind: lateNoteKind, key, bytes: lateNoteBytes })
  }
}

/** Counts samples for the sample limit; warns when a block reaches it. */
function countForLimit(deps: JobDeps, block: BlockIndex, groups: readonly CycleGroup[]): void {
  const { sampleLimiter, catalogue, warn } = deps
  for (const { cycle, from, to } of groups) {
    if (!sampleLimiter.countFlushed(cycle, block, to - from)) continue
    const { fqn: metric } = catalogue.name(catalogue.partitionName(block))
    const sinceMs = cycle * cycleMs
    warn(
      { metric, block, sinceMs },
      "a block of series reached the sample limit: each series takes few more samples",
    )
  }
}

/** Writes recent records, one cycle per step. */
function* flushDay(deps: JobDeps, grouped: GroupedSamples, groups: readonly CycleGroup[]): Job {
  const { tables, writes, compactionQueue, elapsedMs, cycleMerger } = deps
  for (const group of groups) {
    const { cycle, block } = group
    assertInCycle(grouped, group)
    cycleMerger.merge(grouped, group)
    const { raw, cells, slots } = cycleMerger
    assertCells(cells, 0, slots)
    const key = periodKey(cycle, block)
    const day = Math.floor(cycle / cyclesPerDay)
    compactionQueue.touch(
      day,
      block,
      { tables, writes, elapsedMs: elapsedMs() },
      group.to - group.from,
    )
    const before = cycleMerger.hasStored ? undefined : 0
    writes.put(tables.recentRaw, key, packRecentRaw(key, raw, cycle), before)
    writes.put(tables.recentCells, key, packRecentCells(key, cells, slots), before)
    yield
  }
}

/** Asserts that the group has samples of its cycle; checks the first and the last one. */
function assertInCycle({ timesMs }: GroupedSamples, { cycle, order, from, to }: CycleGroup): void {
  assert(from < to && to <= order.length, "Expected samples in the group")
  const startMs = cycle * cycleMs
  for (const at of [from, to - 1]) {
    const timeMs = timesMs[order[at]!]!
    assert(timeMs >= startMs && timeMs < startMs + cycleMs, "Expected samples inside the cycle")
  }
}

function isWorthCompacting(
  deps: JobDeps,
  what: { day: number; block: BlockIndex; groups: readonly CycleGroup[]; nowMs: number },
): boolean {
  const { day, block, groups, nowMs } = what
  const count = groups.at(-1)!.to - groups[0]!.from
  assert(count > 0, "Expected samples of the day")
  if (count < compactSamplesMin || groups.length < compactCyclesMin) return false
  return isDayOver(day, nowMs) && count >= compactedSamples(deps.tables, day, block)
}

/** Groups cycles, which are in order, by day. */
function* dayGroups(cycles: Iterable<CycleGroup>): Generator<CycleGroup[]> {
  let groups: CycleGroup[] = []
  for (const group of cycles) {
    const [first] = groups
    const isSameDay =
      first !== undefined &&
      Math.floor(first.cycle / cyclesPerDay) === Math.floor(group.cycle / cyclesPerDay)
    if (!isSameDay && first !== undefined) {
      yield groups
      groups = []
    }
    groups.push(group)
  }
  if (groups.length > 0) yield groups
}

/** Yields the samples of one block, cycle by cycle, oldest first. */
export function* cycleGroups(
  samples: IncomingSamples,
  block: BlockIndex,
  range: { readonly from: number; readonly to: number },
): Generator<CycleGroup> {
  const order = orderByCycleAndSlot(samples, range.from, range.to)
  let from = 0
  while (from < order.length) {
    const cycle = Math.floor(samples.timesMs[order[from]!]! / cycleMs)
    const to = firstAtOrAfter(samples.timesMs, order, { from, timeMs: (cycle + 1) * cycleMs })
    yield { cycle, block, order, from, to }
    from = to
  }
}

/** Returns the index in `order`, from `from` on, of the first sample at or after a time. */
function firstAtOrAfter(
  timesMs: Float64Array,
  order: Int32Array,
  { from, timeMs }: { readonly from: number; readonly timeMs: number },
): number {
  let at = from
  while (at < order.length && timesMs[order[at]!]! < timeMs) at++
  return at
}
