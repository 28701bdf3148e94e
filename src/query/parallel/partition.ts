/**
 * Partitions: the series of a large query, cut so that several threads can read them, each with its
 * own snapshot. A partition consists of whole blocks, because a column of a day is stored block by
 * block. All buckets of a block come from one snapshot, so a compaction between two snapshots loses
 * or doubles none. All snapshots are taken after the writer was asked for unflushed samples.
 */

import { valuesPerAnswerMax } from "../../base/limits.ts"
import { bucketWidthMs, dayMs, type Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import { serializeLocations } from "../../store/series-location.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { Partitioning } from "../core/query-plan.ts"

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

/** The properties of a query that decide whether it is partitioned. */
export interface PartitionInput {
  readonly series: Int32Array
  readonly span: Span
  readonly resolution: Resolution
  /** Whether the answer contains all values, whose number is limited. */
  readonly withValues: boolean
}

/** Undefined if fewer than two partitions of `context.partitionMs` result: one thread reads all. */
export function partitioningOf(
  context: QueryContext,
  asked: PartitionInput,
): Partitioning | undefined {
  const { span, resolution } = asked
  if (asked.withValues && valuesMax(asked) > valuesPerAnswerMax) return undefined
  const costMs = blockDayMs[resolution] * Math.ceil((span.endMs - span.startMs) / dayMs)
  const partitions = partsOf(context, asked.series, context.partitionMs / costMs)
  if (partitions.length < 2) return undefined
  return { partitions, locations: serializeLocations(context.store.catalogue, asked.series) }
}

function valuesMax({ series, span, resolution }: PartitionInput): number {
  if (resolution === "ZERO") return Infinity
  return series.length * (Math.ceil((span.endMs - span.startMs) / bucketWidthMs[resolution]) + 1)
}

/** The series in partitions of at least `blocks` blocks each, except the last one. */
function partsOf({ store }: QueryContext, series: Int32Array, blocks: number): Int32Array[] {
  const byBlock = new Map<number, number[]>()
  for (const one of series) {
    const block = store.catalogue.seriesBlock(one)
    const found = byBlock.get(block)
    if (found === undefined) byBlock.set(block, [one])
    else found.push(one)
  }
  const lists = [...byBlock.values()]
  const step = Math.min(Math.max(1, Math.ceil(blocks)), Math.max(1, lists.length))
  const count = Math.ceil(lists.length / step)
  return Array.from({ length: count }, (_, i) => {
    return Int32Array.from(lists.slice(i * step, (i + 1) * step).flat())
  })
}
