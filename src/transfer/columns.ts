/**
 * The columns of an exported file:
 *
 *   element, metric   FQNs
 *   timestamp         epoch milliseconds, UTC; the start of a bucket
 *   rollup            buckets only: PT5M, PT1H, PT24H
 *   values            raw: what was sent; buckets: what /samples answers
 *   about             JSON of the element and the metric as a collector posts them, in the first
 *                     row of a series; empty in its other rows
 */

import { isResolution, type Resolution } from "../model/resolution.ts"
import { sampleFields } from "../model/sample-batch.ts"

/** Values of a raw sample. */
const rawColumns: readonly string[] = sampleFields

/** Values of a bucket. */
export const bucketColumns = ["actual", "avg", "min", "max", "cnt", "sum", "sparseValue"] as const

/** The names of the values in a file of one resolution. */
export function valueColumns(resolution: Resolution): readonly string[] {
  return resolution === "ZERO" ? rawColumns : bucketColumns
}

/** All columns in their order. */
export function columnsOf(resolution: Resolution): readonly string[] {
  const rollup = resolution === "ZERO" ? [] : ["rollup"]
  return ["element", "metric", "timestamp", ...rollup, ...valueColumns(resolution), "about"]
}

/** The resolution of a file's row: buckets name theirs. */
export function rowResolution(rollup: unknown): Resolution | undefined {
  if (rollup === undefined || rollup === null || rollup === "") return "ZERO"
  return typeof rollup === "string" && isResolution(rollup) ? rollup : undefined
}
