/** What `/samples` tells of a band: mean and deviation as they are kept, and the ends. */

import { lowerBound, upperBound } from "../model/band.ts"
import type { MetricSettings } from "../model/metric-settings.ts"
import type { RecordField } from "./query-store.ts"

type BandRecord = Partial<Record<RecordField, number>>

/**
 * The fields of baseline and contextual band; none of a band that lacks its mean or its deviation.
 * The ends are mean ± 4 deviations, within the ends of what the metric can be (spec/analytics §1).
 */
export function bandRecord(
  band: ArrayLike<number>,
  settings: MetricSettings | undefined,
): BandRecord {
  const fields: BandRecord = {}
  const add = (kind: "baseline" | "contextual", mean: number, stddev: number): void => {
    if (Number.isNaN(mean) || Number.isNaN(stddev)) return
    fields[`${kind}Mean`] = mean
    fields[`${kind}Stddev`] = stddev
    fields[`${kind}Upper`] = upperBound({ mean, stddev }, settings)
    fields[`${kind}Lower`] = lowerBound({ mean, stddev }, settings)
  }
  add("baseline", band[0]!, band[1]!)
  add("contextual", band[2]!, band[3]!)
  return fields
}
