/**
 * Curves: how much of a digest lies below a value, as knots with lines between them.
 *
 *     mass  ▲              ╭─● max     a centroid of weight w behind weights of C in sum: half of
 *           │       ╭──●───╯           it lies below its mean, so its knot stands at C + w / 2
 *           │  ●────●                  across a wide gap the values do not pass gradually: beside
 *           └─min──────────────►       it a centroid goes on with its own slope to where it ends
 *                          value
 *
 * Several curves stand one behind the other. Where many values are equal, knots stand one above the
 * other: there the curve jumps.
 */

import { centroidsMax, gapsMax } from "./cluster.ts"
import type { DigestState } from "./digest-state.ts"

/** What a curve is made of: centroids, ascending, and the ends. */
export type Centroids = Omit<DigestState, "gridCode">

export class MassCurves {
  count = 0
  values = new Float64Array(16 * centroidsMax)
  masses = new Float64Array(16 * centroidsMax)
  /** Where each curve begins; one more tells where the last one ends. */
  starts = new Int32Array(65)
  /** All of the mass of each curve. */
  totals = new Float64Array(64)

  /** Takes all curves away and keeps the memory. */
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

  /** How much of a curve lies below a value, of which `at` is the first knot that is not below. */
  massBelow(curve: number, at: number, value: number): number {
    const { values, masses, starts } = this
    if (at === starts[curve]) return 0
    if (at === starts[curve + 1]) return this.totals[curve]!
    const mass = masses[at - 1]!
    const left = values[at - 1]!
    return mass + (masses[at]! - mass) * partBetween(left, values[at]!, value)
  }

  /** How much of a curve lies below the first knot above a value that has knots itself. */
  massUpTo(curve: number, above: number): number {
    return above === this.starts[curve + 1] ? this.totals[curve]! : this.masses[above - 1]!
  }

  /**
   * Adds the knots of a gap before centroid `right`, where one of its neighbours stands for several
   * values. Gives the place of the next knot.
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

  /** Makes room for a curve of so many centroids: three knots each at most, and two ends. */
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

/** How far a centroid goes on: half of its weight with the slope from another one to it. */
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
 * From this quotient on neighbours are of different magnitudes. What lies between them is taken for
 * spread over the magnitudes: spread over the values, nearly all of it would be near the greater.
 */
const magnitudeRatio = 16

function areFar(low: number, high: number): boolean {
  return low > 0 ? high / low > magnitudeRatio : high < 0 && low / high > magnitudeRatio
}

/** Where `value` lies on the way from `low` to `high`, which are not equal: 0 to 1. */
export function partBetween(low: number, high: number, value: number): number {
  const part = areFar(low, high)
    ? (logOf(value) - logOf(low)) / (logOf(high) - logOf(low))
    : (value - low) / (high - low)
  // Where they are so far apart that their distance is no number, it is somewhere between.
  return part <= 1 ? part : 0.5
}

/** The value at that part of the way. */
export function valueBetween(low: number, high: number, part: number): number {
  const value = areFar(low, high)
    ? Math.sign(low) * Math.exp(logOf(low) * (1 - part) + logOf(high) * part)
    : low * (1 - part) + high * part
  return value < low ? low : value > high ? high : value
}

function logOf(value: number): number {
  return Math.log(value < 0 ? -value : value)
}
