/** The band fields of a `/samples` record: mean and deviation as stored, and the ends. */

import { lowerBound, upperBound } from "../model/band.ts"
import type { MetricSettings } from "../model/metric-settings.ts"
import type { RecordField } from "./query-store.ts"

type BandRecord = Partial<Record<RecordField, number>>

/**
 * Returns the fields of the baseline and the contextual band; none for a band without a mean or a
 * deviation. The ends are mean ± 4 deviations, within the range that the metric allows
 * (spec/analytics §1).
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
