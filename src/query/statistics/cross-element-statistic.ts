/** The statistic of a bucket or raw sample that is combined across elements. */

import { fieldCount, sampleFields } from "../../model/sample-batch.ts"
import { Contributions, sampleMean } from "../../rollup/contribution.ts"
import type { SampleRecord } from "../../store/query-store.ts"

/** `val` of a bucket is the value that it is used by: its actual. */
export const crossElementStatistics = ["val", "min", "avg", "max", "cnt", "sum", "actual"] as const
export type CrossElementStatistic = (typeof crossElementStatistics)[number]

/** True for what a raw sample shows as its one value. */
export function isSampleValue(statistic: CrossElementStatistic): boolean {
  return statistic === "val" || statistic === "actual" || statistic === "avg"
}

const fields = new Float64Array(fieldCount)
const contributions = new Contributions()

/**
 * The number of a raw sample, whatever a collector sent of it (spec/samples §4); null where the
 * sample counts no observation. Its actual is the value that ZERO shows of it.
 */
export function rawValue(
  record: SampleRecord["fields"],
  statistic: CrossElementStatistic,
): number | null {
  let mask = 0
  for (const [bit, field] of sampleFields.entries()) {
    fields[bit] = record[field] ?? 0
    if (record[field] !== undefined) mask |= 1 << bit
  }
  contributions.clear()
  contributions.pushSample(mask, fields)
  if (contributions.count[0] === 0) return null
  switch (statistic) {
    case "min":
      return contributions.min[0]!
    case "max":
      return contributions.max[0]!
    case "cnt":
      return contributions.count[0]!
    case "sum":
      return contributions.sum[0]!
    default:
      return sampleMean(mask, fields)
  }
}
