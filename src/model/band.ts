/** Bands, their bounds, and when a value is outside of one. */

import type { MetricSettings } from "./metric-settings.ts"

/** The expectation of a value: both numbers are in the metric's unit, stddev ≥ 0. */
export interface Band {
  readonly mean: number
  readonly stddev: number
}

/** Half the width of every band, in standard deviations (spec/analytics §1). */
export const bandSigmas = 4

export type Deviation = "upper" | "lower"

/**
 * The direction in which a value deviates from a band: outside by at least four standard
 * deviations, exactly four included (spec/analytics §1). Uses mean and stddev and not the bounds in
 * answers, which are clamped: a percentage at its validMax of 100 is no deviation if mean + 4σ is
 * 106. `undefined` if it does not deviate or any number is NaN.
 */
export function deviationOf(value: number, { mean, stddev }: Band): Deviation | undefined {
  const reach = bandSigmas * stddev
  if (value > mean && value - mean >= reach) return "upper"
  if (value < mean && mean - value >= reach) return "lower"
  return undefined
}

/** The valid range of a metric; an absent bound is open. */
export type ValidRange = Pick<MetricSettings, "validMin" | "validMax">

/** mean + 4σ, clamped to the valid range. */
export function upperBound({ mean, stddev }: Band, valid?: ValidRange): number {
  return within(mean + bandSigmas * stddev, valid)
}

/** mean − 4σ, clamped to the valid range. */
export function lowerBound({ mean, stddev }: Band, valid?: ValidRange): number {
  return within(mean - bandSigmas * stddev, valid)
}

function within(value: number, valid: ValidRange | undefined): number {
  const { validMin = -Infinity, validMax = Infinity } = valid ?? {}
  return Math.min(Math.max(value, validMin), validMax)
}
