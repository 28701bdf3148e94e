/**
 * Mass curves: the share of a digest below a value, as knots with lines between them.
 *
 *     mass  ▲              ╭─● max     a centroid of weight w after a total weight of C: half of it
 *           │       ╭──●───╯           is below its mean, so its knot is at C + w / 2
 *           │  ●────●                  values do not change gradually across a wide gap: next to it
 *           └─min──────────────►       a centroid continues with its own slope to its end
 *                         value
 *
 * Several curves are stored one after the other. If many values are equal, several knots have the
 * same value: the curve jumps there.
 */

import { clamp } from "./clamp.ts"
import { centroidsMax, gapsMax } from "./cluster.ts"
import type { DigestState } from "./digest-state.ts"
import { lineBetween } from "./line-between.ts"

/** Input of a curve: ascending centroids, and the ends. */
export type Centroids = Omit<DigestState, "gridCode">

export class MassCurves {
  count = 0
  values = new Float64Array(16 * centroidsMax)
  masses = new Float64Array(16 * centroidsMax)
  /** First knot of each curve, and the end of the last one. */
  starts = new Int32Array(65)
  /** Total mass of each curve. */
  totals = new Float64Array(64)

  /** Removes all curves and keeps the memory. */
  reset(): void {
    this.count = 0
  }

  /** Adds the curve of at least one centroid. */
  add(centroids: Centroids): void {
    const { means, weights, length, count, min, max } = centroids
    this.reserve(length)
    const { values, masses } = this
    const gapMin = (means[length - 1]! - means[0]!) / gapsMax
    let at = this.starts[this.count]!
    values[at] = min
    masses[at++] = Math.min(0.5, weights[0]! / 2)
    let before = 0
    let last = means[0]!
    for (let i = 0; i < length; i++) {
      const mean = means[i]!
      const weight = weights[i]!
      if (mean - last > gapMin) at = this.addGap(centroids, i, before, at)
      values[at] = mean
      masses[at++] = before + weight / 2
      before += weight
      last = mean
    }
    values[at] = max
    masses[at++] = count - Math.min(0.5, weights[length - 1]! / 2)
    this.totals[this.count++] = count
    this.starts[this.count] = at
  }

  /** Mass of a curve below a value; `at` is the first knot that is not below the value. */
  massBelow(curve: number, at: number, value: number): number {
    const { values, masses, starts } = this
    if (at === starts[curve]) return 0
    if (at === starts[curve + 1]) return this.totals[curve]!
    const mass = masses[at - 1]!
    const left = values[at - 1]!
    return mass + (masses[at]! - mass) * partBetween(left, values[at]!, value)
  }

  /**
   * Mass of a curve up to and including a value that has knots; `above` is the first knot above it.
   */
  massUpTo(curve: number, above: number): number {
    return above === this.starts[curve + 1] ? this.totals[curve]! : this.masses[above - 1]!
  }

  /**
   * Adds the knots of a gap before centroid `right` if one of its neighbours represents several
   * values. Returns the index of the next knot.
   */
  private addGap(
    { means, weights, length }: Centroids,
    right: number,
    mass: number,
    at: number,
  ): number {
    const left = right - 1
    if (weights[left] === 1 && weights[right] === 1) return at
    const leftReach = left > 0 ? reach(means, weights, left, left - 1) : 0
    const rightReach = right + 1 < length ? reach(means, weights, right, right + 1) : 0
    const leftEnd = means[left]! + leftReach
    const rightEnd = means[right]! - rightReach
    if (!(leftEnd < rightEnd)) return at
    this.values[at] = leftEnd
    this.masses[at] = mass
    this.values[at + 1] = rightEnd
    this.masses[at + 1] = mass
    return at + 2
  }

  /** Ensures space for a curve of `length` centroids: at most three knots each, and two ends. */
  private reserve(length: number): void {
    const knots = this.starts[this.count]! + 3 * length + 2
    if (knots > this.values.length) {
      this.values = longer(this.values, knots)
      this.masses = longer(this.masses, knots)
    }
    if (this.count < this.totals.length) return
    this.totals = longer(this.totals, this.count + 1)
    const starts = new Int32Array(this.totals.length + 1)
    starts.set(this.starts)
    this.starts = starts
  }
}

/** Extent of a centroid: half of its weight along the slope to the other one. */
function reach(means: Float64Array, weights: Float64Array, at: number, from: number): number {
  const distance = Math.abs(means[at]! - means[from]!)
  return (distance * weights[at]!) / (weights[at]! + weights[from]!)
}

function longer(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(length, 2 * column.length))
  larger.set(column)
  return larger
}

/**
 * From this quotient on, neighbours are of different magnitudes, and the values between them are
 * taken as spread over the magnitudes: spread linearly, nearly all would be near the greater one.
 */
const magnitudeRatio = 16

function areFar(low: number, high: number): boolean {
  return low > 0 ? high / low > magnitudeRatio : high < 0 && low / high > magnitudeRatio
}

/** Position of `value` between `low` and `high`, which differ: 0 to 1. */
function partBetween(low: number, high: number, value: number): number {
  const part = areFar(low, high)
    ? (logOf(value) - logOf(low)) / (logOf(high) - logOf(low))
    : (value - low) / (high - low)
  // If their distance overflows, the position is somewhere between.
  return part <= 1 ? part : 0.5
}

/** The value at this position, which does not fall as the position grows. */
export function valueBetween(low: number, high: number, part: number): number {
  if (!areFar(low, high)) return lineBetween(low, high, part)
  const [from, to] = [logOf(low), logOf(high)]
  const value = Math.sign(low) * Math.exp(from + (to - from) * part)
  return clamp(value, low, high)
}

function logOf(value: number): number {
  return Math.log(value < 0 ? -value : value)
}
