/**
 * Sudden change: the distance of a value from the trend of the previous two hours.
 *
 * A straight line is fitted to the previous 24 PT5M values and extrapolated to the 25th cycle; the
 * change is |projected − observed| / |projected|. (The documentation page "Sudden Change
 * Detection" of the service; spec/analytics §4.) That page names the checks but not their numbers:
 * the fit is good, the observation is different enough, the trend was not already going there, and
 * no value is missing or sparse. The numbers below are ours.
 */

import { assert } from "../base/assert.ts"

/** Values before the observed one. */
export const suddenChangeValues = 24

/** Student's t with 22 degrees of freedom, both sides: 99.9 % for the observation. */
const observationT = 3.792
/** The same at 95 %: whether the line rises or falls at all. */
const trendT = 2.074
/** A projection that is uncertain by more than this share of itself says nothing. */
const uncertaintyShareMax = 0.25

const count = suddenChangeValues
const timeMean = (count - 1) / 2
/** Σ (i − mean)² for i in 0 … 23. */
const timeSquares = (count * (count * count - 1)) / 12
/** Standard error of a projection over that of a value: √(1 + 1/n + (25th − mean)² / Σ). */
const projectionFactor = Math.sqrt(1 + 1 / count + (count - timeMean) ** 2 / timeSquares)

export interface SuddenChange {
  readonly projected: number
  /** |projected − observed| / |projected|: 0.5 is 50 %. Above 0. */
  readonly change: number
  readonly direction: "upper" | "lower"
}

/**
 * The sudden change of `observed` after `previous`, which are the actual values of the 24 cycles
 * before it, earliest first. Callers pass NaN for what is missing or sparse, also for `observed`.
 * Undefined if there is no significant change.
 *
 * @example
 * const rising = Array.from({ length: suddenChangeValues }, (_, i) => 100 + (i % 2))
 * assert.equal(suddenChange(rising, 101), undefined)
 * assert.equal(suddenChange(rising, 300)?.direction, "upper")
 */
export function suddenChange(
  previous: ArrayLike<number>,
  observed: number,
): SuddenChange | undefined {
  assert(previous.length === count, `Expected ${count} previous values, got ${previous.length}`)
  let sum = 0
  let timed = 0
  for (let i = 0; i < count; i++) {
    sum += previous[i]!
    timed += (i - timeMean) * previous[i]!
  }
  if (!Number.isFinite(sum + timed) || !Number.isFinite(observed)) return undefined
  const mean = sum / count
  const slope = timed / timeSquares
  const projected = mean + slope * (count - timeMean)
  const error = standardError(previous, mean, slope)
  const distance = Math.abs(observed - projected)
  if (projected === 0 || distance === 0) return undefined
  const uncertainty = error * projectionFactor
  if (uncertainty > uncertaintyShareMax * Math.abs(projected)) return undefined
  if (distance < observationT * uncertainty) return undefined
  const isUpper = observed > projected
  if (isContinuation(isUpper ? slope : -slope, error, distance)) return undefined
  const direction = isUpper ? "upper" : "lower"
  return { projected, change: distance / Math.abs(projected), direction }
}

/** Standard error of the values about the line, with n − 2 degrees of freedom. */
function standardError(previous: ArrayLike<number>, mean: number, slope: number): number {
  let squares = 0
  for (let i = 0; i < count; i++) {
    const off = previous[i]! - mean - slope * (i - timeMean)
    squares += off * off
  }
  // Rounding error of a perfect line.
  const rounding = 1e-12 * Math.abs(mean)
  return Math.max(Math.sqrt(squares / (count - 2)), rounding)
}

/**
 * Whether the observation only continues the trend: the slope is significant in its direction, and
 * the step is within the change of the line over the whole window.
 */
function isContinuation(slopeThatWay: number, error: number, distance: number): boolean {
  const isKnown = slopeThatWay * Math.sqrt(timeSquares) > trendT * error
  return isKnown && distance <= slopeThatWay * count
}
