/** Crowded blocks: series that have very many samples, and how many they may have. */

/** A series that has as many samples of a cycle as it may have, as its block has very many. */
export interface SampleLimitViolation {
  readonly series: number
  /** Number of the five-minute cycle since the epoch. */
  readonly cycle: number
  /** How many the series may have of such a cycle. */
  readonly samplesMax: number
}

export interface SampleLimits {
  /** Samples of a block in six hours from which on it is crowded. */
  readonly blockSamples: number
  /** What each of its series may bring of a cycle then. */
  readonly seriesSamples: number
}
