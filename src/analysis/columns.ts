/** The columns that an element's analysis reads and writes: one row a metric. */

/** The value is a gap fill: it is learned with a quarter of the weight. */
export const inputSparse = 1
/** A sample was a partial aggregate: no bands, nothing learned (spec/samples §4). */
export const inputPartial = 2
/** An ACE configuration says `baseline: false`. */
export const inputBaselineOff = 4
/** An ACE configuration says `correlation: false`. */
export const inputCorrelationOff = 8
/** Maintenance mode: bands are served, nothing is learned. */
export const inputPaused = 16

/** Values of a cycle. Columns may be longer than the range of one step. */
export interface CycleInputs {
  /** The metrics' actual values; NaN if there is none. */
  readonly actual: Float64Array
  /** Sums of the `input…` flags. */
  readonly flags: Uint8Array
}

/** The bands of a cycle, predicted before its values are learned; NaN if there is none. */
export interface CycleBands {
  readonly baselineMean: Float64Array
  readonly baselineStddev: Float64Array
  readonly contextualMean: Float64Array
  readonly contextualStddev: Float64Array
  /** The baseline's mean and σ from the second value on: for the score, never served. */
  readonly expectedMean: Float64Array
  readonly expectedStddev: Float64Array
}

export function createCycleInputs(length: number): CycleInputs {
  return {
    actual: new Float64Array(length).fill(NaN),
    flags: new Uint8Array(length),
  }
}

export function createCycleBands(length: number): CycleBands {
  const column = (): Float64Array => new Float64Array(length).fill(NaN)
  return {
    baselineMean: column(),
    baselineStddev: column(),
    contextualMean: column(),
    contextualStddev: column(),
    expectedMean: column(),
    expectedStddev: column(),
  }
}
