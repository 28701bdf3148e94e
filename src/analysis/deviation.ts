/** Bands, and when a value lies outside of one. */

/** Half the width of every band, in standard deviations (decisions §8). */
export const bandSigmas = 4

export type Deviation = "upper" | "lower"

/**
 * Which way a value deviates from a band: outside by at least four standard deviations, counting
 * exactly four as outside (field-facts §7). Judged by mean and stddev, not by the ends that are
 * served, since those are clamped: a percentage at its validMax of 100 is no deviation where
 * mean + 4σ would be 106. `undefined` where it does not deviate or anything is NaN.
 */
export function deviationOf(value: number, mean: number, stddev: number): Deviation | undefined {
  const reach = bandSigmas * stddev
  if (value - mean >= reach && value > mean) return "upper"
  if (mean - value >= reach && value < mean) return "lower"
  return undefined
}

/** mean + 4σ, at most `validMax`; NaN there stands for no bound. */
export function upperEnd(mean: number, stddev: number, validMax: number): number {
  const end = mean + bandSigmas * stddev
  return end > validMax ? validMax : end
}

/** mean − 4σ, at least `validMin`; NaN there stands for no bound. */
export function lowerEnd(mean: number, stddev: number, validMin: number): number {
  const end = mean - bandSigmas * stddev
  return end < validMin ? validMin : end
}
