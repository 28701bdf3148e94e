/**
 * Cuts the series of a query into partitions of whole blocks, because a column of a day is stored
 * block by block. All buckets of a block come from one snapshot, so a compaction between the
 * snapshots of two threads loses or doubles none.
 */

import { pushAll } from "../../../base/iterables.ts"
import type { SeriesIndex } from "../../../model/ids.ts"
import { dayMs, type Resolution } from "../../../model/resolution.ts"
import type { PartitionRequest } from "../../query-store.ts"

/**
 * Estimated milliseconds to read one block and day, and to print a series without values: of an
 * hour to twelve days of 1,000 elements, which are four blocks.
 */
const blockDayMs: Readonly<Record<Resolution, number>> = {
  ZERO: 1,
  PT5M: 0.7,
  PT1H: 0.4,
  PT24H: 0.03,
}
const seriesMs = 0.006
/** Reading and printing with all values, relative to reading. */
const withValuesFactor = 2.5

/**
 * Partitions of at least `partitionMs` of estimated work each; one if there is less than twice as
 * much.
 */
export function partitionByBlock(
  blockOf: (series: SeriesIndex) => number,
  { series, span, resolution, withValues, partitionMs }: PartitionRequest,
): Int32Array[] {
  const blockMs =
    ((blockDayMs[resolution] * (span.endMs - span.startMs)) / dayMs) *
    (withValues ? withValuesFactor : 1)
  const partitions: SeriesIndex[][] = []
  let waiting: SeriesIndex[] = []
  let waitingMs = 0
  for (const block of seriesByBlock(blockOf, series)) {
    pushAll(waiting, block)
    waitingMs += blockMs + seriesMs * block.length
    if (waitingMs < partitionMs) continue
    partitions.push(waiting)
    waiting = []
    waitingMs = 0
  }
  if (partitions.length === 0) return [Int32Array.from(waiting)]
  pushAll(partitions.at(-1)!, waiting)
  return partitions.map((one) => Int32Array.from(one))
}

function seriesByBlock(
  blockOf: (series: SeriesIndex) => number,
  series: Int32Array,
): Iterable<SeriesIndex[]> {
  const byBlock = new Map<number, SeriesIndex[]>()
  for (const one of series) {
    const block = blockOf(one)
    const found = byBlock.get(block)
    if (found === undefined) byBlock.set(block, [one])
    else found.push(one)
  }
  return byBlock.values()
}
