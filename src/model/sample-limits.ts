/** The sample limit: raw samples that series may have if their partition has very many. */

import type { SeriesIndex } from "./ids.ts"

/** A series at its limit. */
export interface SampleLimitViolation {
  readonly series: SeriesIndex
  /** Number of the five-minute cycle since the epoch. */
  readonly cycle: number
  /** Samples that the series may have in such a cycle. */
  readonly samplesMax: number
}

export interface SampleLimits {
  /** Samples of a partition in six hours from which on the limit applies. */
  readonly partitionSamples: number
  /** Samples of a cycle that each of its series may then have. */
  readonly seriesSamples: number
}
