/** When a value lies outside of its band (field-facts §7). */

import type { Band } from "./element-cycle.ts"

/** Half the width of every band, in standard deviations (decisions §8). */
const bandSigmas = 4

/**
 * Which way a value lies outside of a band: by four standard deviations or more, and by something.
 * Judged by mean and deviation, not by the ends that are served, since those are clamped.
 * `undefined` where it lies inside, or where anything is NaN.
 */
export function deviationOf(value: number, { mean, stddev }: Band): "upper" | "lower" | undefined {
  const reach = bandSigmas * stddev
  if (value > mean && value - mean >= reach) return "upper"
  if (value < mean && mean - value >= reach) return "lower"
  return undefined
}
