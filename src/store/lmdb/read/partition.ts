/**
 * Cuts the series of a query into partitions of whole blocks, because a column of a day is stored
 * block by block. All buckets of a block come from one snapshot, so a compaction between the
 * snapshots of two threads loses or doubles none.
 */

import type { SeriesIndex } from "../../../model/ids.ts"
import { dayMs, type Resolution } from "../../../model/resolution.ts"
import type { PartitionRequest } from "../../query-store.ts"

/**
 * Estimated milliseconds to read one block and day (bench/README.md: two weeks of 1,000 elements,
 * which are four blocks).
 */
const blockDayMs: Readonly<Record<Resolution, number>> = {
  ZERO: 2.4,
  PT5M: 3,
  PT1H: 0.4,
  PT24H: 0.03,
}

/** Partitions of at least `partitionMs` of estimated work each, except the last one. */
export function partitionByBlock(
  blockOf: (series: SeriesIndex) => number,
  { series, span, resolution, partitionMs }: PartitionRequest,
): Int32Array[] {
  const byBlock = new Map<number, number[]>()
  for (const one of series) {
    const block = blockOf(one)
    const found = byBlock.get(block)
    if (found === undefined) byBlock.set(block, [one])
    else found.push(one)
  }
  const lists = [...byBlock.values()]
  const costMs = blockDayMs[resolution] * Math.ceil((span.endMs - span.startMs) / dayMs)
  const wanted = Math.max(1, Math.ceil(partitionMs / costMs))
  const step = Math.min(wanted, Math.max(1, lists.length))
  return Array.from({ length: Math.ceil(lists.length / step) }, (_, i) => {
    return Int32Array.from(lists.slice(i * step, (i + 1) * step).flat())
  })
}
