/** Bands, their ends, and when a value lies outside of one. */

import type { MetricSettings } from "./metric-settings.ts"

/** What is expected of a value: both numbers are in the metric's unit, stddev ≥ 0. */
export interface Band {
  readonly mean: number
  readonly stddev: number
}

/** Half the width of every band, in standard deviations (spec/analytics §1). */
export const bandSigmas = 4

export type Deviation = "upper" | "lower"

/**
 * Which way a value deviates from a band: outside by at least four standard deviations, counting
 * exactly four as outside (spec/analytics §1). Judged by mean and stddev, not by the ends that are
 * served, since those are clamped: a percentage at its validMax of 100 is no deviation where
 * mean + 4σ would be 106. `undefined` where it does not deviate or anything is NaN.
 */
export function deviationOf(value: number, { mean, stddev }: Band): Deviation | undefined {
  const reach = bandSigmas * stddev
  if (value > mean && value - mean >= reach) return "upper"
  if (value < mean && mean - value >= reach) return "lower"
  return undefined
}

/** The bounds of what a metric can be; what is absent does not bound. */
export type ValidRange = Pick<MetricSettings, "validMin" | "validMax">

/** mean + 4σ, within what the metric can be. */
export function upperBound({ mean, stddev }: Band, valid?: ValidRange): number {
  return within(mean + bandSigmas * stddev, valid)
}

/** mean − 4σ, within what the metric can be. */
export function lowerBound({ mean, stddev }: Band, valid?: ValidRange): number {
  return within(mean - bandSigmas * stddev, valid)
}

function within(value: number, valid: ValidRange | undefined): number {
  const { validMin = -Infinity, validMax = Infinity } = valid ?? {}
  return Math.min(Math.max(value, validMin), validMax)
}
