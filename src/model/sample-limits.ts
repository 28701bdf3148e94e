/** The sample limit: how many raw samples the series of a block with very many samples may have. */

/** A series at its limit. */
export interface SampleLimitViolation {
  readonly series: number
  /** Number of the five-minute cycle since the epoch. */
  readonly cycle: number
  /** Samples that the series may have in such a cycle. */
  readonly samplesMax: number
}

export interface SampleLimits {
  /** Samples of a block in six hours from which on the limit applies. */
  readonly blockSamples: number
  /** Samples of a cycle that each of its series may then have. */
  readonly seriesSamples: number
}
