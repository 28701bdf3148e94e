/**
 * Spread: a query about many series is cut into parts that several threads can read, each with
 * a snapshot of its own. A part is of whole blocks, since a column of a day is stored a block at a
 * time; a block's buckets, recent or sealed meanwhile, are all of one snapshot, so none is lost or
 * counted twice. All snapshots are taken after the writer was asked for unflushed samples.
 */

import { valuesPerAnswerMax } from "../../base/limits.ts"
import { bucketWidthMs, dayMs, type Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import { serializeLocations } from "../../store/store.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { Partitioning } from "../core/query-plan.ts"

/**
 * Milliseconds that one block and day takes, about (bench/README.md: two weeks of 1,000 elements,
 * which are four blocks).
 */
const blockDayMs: Readonly<Record<Resolution, number>> = {
  ZERO: 2.4,
  PT5M: 3,
  PT1H: 0.4,
  PT24H: 0.03,
}

/** What decides whether a query is spread. */
export interface PartitionInput {
  readonly series: Int32Array
  readonly span: Span
  readonly resolution: Resolution
  /** Whether answers hold all values, of which there may be more than is allowed together. */
  readonly withValues: boolean
}

/** Undefined where the query stays on one thread: parts of `context.partMs` are fewer than two. */
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

/** The series of at least so many blocks a part, but for the last one. */
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
