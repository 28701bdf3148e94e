/** Statistics of a population of values, as the API serves them (spec/statistics §4). */

export interface Statistics {
  readonly avg: number
  readonly min: number
  readonly median: number
  readonly max: number
  readonly percentile5: number
  readonly percentile25: number
  readonly percentile75: number
  readonly percentile95: number
  readonly count: number
  readonly sum: number
  /** Sample standard deviation (n − 1); 0 for one value. */
  readonly stddev: number
}
