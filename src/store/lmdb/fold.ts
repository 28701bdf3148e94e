/**
 * Fold: what waits in the inbox → recent records of raw samples and PT5M cells.
 *
 *   freeze the memtable ─► group by block ─► per block: by cycle and slot ─► per cycle:
 *     union with what is there ─► raw record, cells record ─► … ─► drop inbox frames
 *
 * Each step may be committed by itself: folding the same frames once more gives the same records.
 */

import { cycleMs, dayMs } from "../../model/resolution.ts"
import { CycleMerger, type CycleGroup } from "./cycle-merge.ts"
import { groupByBlock, type GroupedSamples, type IncomingSamples } from "./grouping.ts"
import type { Job, JobContext } from "./job.ts"
import { orderByCycleAndSlot } from "./order.ts"
import { packRecentCells, packRecentRaw } from "./recent.ts"
import { SealedWindows } from "./sealed-windows.ts"
import { periodKey, sequenceKey } from "./tables.ts"

/** Folds everything that is active when it begins. */
export function* foldJob(context: JobContext): Job {
  const { memtable, catalogue, writes, tables, counters, openDays } = context
  const frames = memtable.freeze()
  openDays.beginFold()
  const grouped = yield* groupByBlock(frames, catalogue)
  const merger = new CycleMerger(tables, new SealedWindows(tables))
  for (let i = 0; i < grouped.blocks.length; i++) {
    yield* foldBlock(context, merger, { grouped, i })
    counters.folded += grouped.starts[i + 1]! - grouped.starts[i]!
  }
  // In the last commit: until then a crash finds the frames, and folds them again.
  for (const { sequence } of frames) writes.remove(tables.inbox, sequenceKey(sequence))
  writes.afterCommit(() => memtable.dropFrozen())
}

/** Folds block `i` of the groups, a cycle a step. */
function* foldBlock(
  context: JobContext,
  merger: CycleMerger,
  which: { readonly grouped: GroupedSamples; readonly i: number },
): Job {
  const { tables, writes, openDays, elapsedMs } = context
  const { grouped, i } = which
  const block = grouped.blocks[i]!
  const range = { from: grouped.starts[i]!, to: grouped.starts[i + 1]! }
  for (const group of cycleGroups(grouped, block, range)) {
    merger.merge(grouped, group)
    const day = Math.floor((group.cycle * cycleMs) / dayMs)
    const key = periodKey(group.cycle, block)
    openDays.touch(day, block, { tables, writes, elapsedMs: elapsedMs() })
    writes.put(tables.recentRaw, key, packRecentRaw(merger.raw, group.cycle))
    writes.put(tables.recentCells, key, packRecentCells(merger.cells))
    yield
  }
}

/** The arrived samples of one block, cycle by cycle, oldest first. */
export function* cycleGroups(
  samples: IncomingSamples,
  block: number,
  range: { readonly from: number; readonly to: number },
): Generator<CycleGroup> {
  const order = orderByCycleAndSlot(samples, range.from, range.to)
  let from = 0
  while (from < order.length) {
    const cycle = Math.floor(samples.timesMs[order[from]!]! / cycleMs)
    const endMs = (cycle + 1) * cycleMs
    let to = from + 1
    while (to < order.length && samples.timesMs[order[to]!]! < endMs) to++
    yield { cycle, block, order, from, to }
    from = to
  }
}
