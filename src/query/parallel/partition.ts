/**
 * Partitions: the series of a large query, cut by the store so that several threads can read them,
 * each with its own snapshot. All snapshots are taken after the writer was asked for unflushed
 * samples.
 */

import { valuesPerAnswerMax } from "../../base/limits/queries.ts"
import { bucketWidthMs } from "../../model/resolution.ts"
import type { PartitionRequest } from "../../store/query-store.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { Partitioning } from "../core/query-plan.ts"

/** The properties of a query that decide whether it is partitioned. */
type PartitionInput = Omit<PartitionRequest, "partitionMs">

/** Undefined if one thread reads all: no other can, or fewer than two partitions result. */
export function partitioningOf(
  { sharing }: Pick<QueryContext, "sharing">,
  asked: PartitionInput,
): Partitioning | undefined {
  if (sharing === null) return undefined
  if (asked.withValues && valuesMax(asked) > valuesPerAnswerMax) return undefined
  const { source, partitionMs } = sharing
  const partitions = source.partition({ ...asked, partitionMs })
  if (partitions.length < 2) return undefined
  return { partitions, locations: source.locationsOf(asked.series) }
}

function valuesMax({ series, span, resolution }: PartitionInput): number {
  if (resolution === "ZERO") return Infinity
  return series.length * (Math.ceil((span.endMs - span.startMs) / bucketWidthMs[resolution]) + 1)
}
