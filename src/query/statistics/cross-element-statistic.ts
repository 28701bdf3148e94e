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

/** Reads the statistic of raw samples, whatever a collector sent of them (spec/samples §4). */
export class RawSampleReader {
  private readonly statistic: CrossElementStatistic
  private readonly fields = new Float64Array(fieldCount)
  private readonly contributions = new Contributions()

  constructor(statistic: CrossElementStatistic) {
    this.statistic = statistic
  }

  /**
   * The number of a raw sample; null if the sample counts no observation. Its actual is the value
   * that ZERO shows of it.
   */
  value(record: SampleRecord["fields"]): number | null {
    const { fields, contributions } = this
    let mask = 0
    for (const [bit, field] of sampleFields.entries()) {
      fields[bit] = record[field] ?? 0
      if (record[field] !== undefined) mask |= 1 << bit
    }
    contributions.clear()
    contributions.pushSample(mask, fields)
    if (contributions.count[0] === 0) return null
    switch (this.statistic) {
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
}
