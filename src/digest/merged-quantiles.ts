/**
 * Quantiles of several digests and values as one population. Merging them into one digest would
 * sort and cluster all of their centroids. Instead each stays a curve of its own (mass-curves.ts),
 * and a search finds the value below which all curves together have the wanted mass:
 *
 *     mass ▲              ╭──── curve 1      a and b are knots of some curve, without any knots
 *          │    ╭─────────│──── curve 2      between them: there each curve is a line, and so is
 *          │╭───│─────────╯                  their sum
 *          └────a─────────b──► value
 *
 * Takes less than half of the time of a merge, and the ranks are as accurate; more so if the
 * digests differ, since no centroid combines values of two of them.
 */

import { clamp } from "./clamp.ts"
import type { ByteReader } from "../codec/bytes.ts"
import { centroidsMax } from "./cluster.ts"
import { readCentroids } from "./codec.ts"
import { type Centroids, MassCurves, valueBetween } from "./mass-curves.ts"
import { Digest } from "./digest.ts"
import { Grid } from "./grid.ts"
import { sortPairs } from "./sort-pairs.ts"

/** Maximum number of values that are sorted; of more a digest is built first, which costs less. */
const valuesMax = 4096

const means = new Float64Array(centroidsMax)
const weights = new Float64Array(centroidsMax)

export class MergedQuantiles {
  /** Sum of all weights. */
  count = 0
  private min = Infinity
  private max = -Infinity
  private readonly grid = new Grid()
  private readonly curves = new MassCurves()
  /** By curve: the knots between the bounds of a search, [low, high). */
  private lows = new Int32Array(64)
  private highs = new Int32Array(64)
  /** By curve: the first knot at a value, and the first above it. */
  private from = new Int32Array(64)
  private above = new Int32Array(64)
  /** The lower bound of a search, and the mass up to it. */
  private low = NaN
  private lowMass = NaN
  /** Mass below the value that was weighed last, and up to it. */
  private under = NaN
  private upTo = NaN

  /** Removes everything and keeps the memory. */
  reset(): void {
    this.count = 0
    this.min = Infinity
    this.max = -Infinity
    this.grid.reset()
    this.curves.reset()
  }

  /** Adds `values[0..length)` (finite), each `weights[i]` (above 0) times; may sort them. */
  addValues(values: Float64Array, weights: Float64Array, length: number): void {
    if (length === 0) return
    for (let i = 0; i < length; i++) this.grid.add(values[i]!)
    if (length > valuesMax) {
      const digest = new Digest(valuesMax)
      for (let i = 0; i < length; i++) digest.add(values[i]!, weights[i]!)
      this.addCurve(digest.state())
      return
    }
    sortPairs(values, weights, length)
    let count = 0
    for (let i = 0; i < length; i++) count += weights[i]!
    this.addCurve({
      means: values,
      weights,
      length,
      count,
      min: values[0]!,
      max: values[length - 1]!,
    })
  }

  /** Adds the digest at the reader. Throws CorruptError. */
  readFrom(reader: ByteReader): void {
    const head = readCentroids(reader, means, weights)
    if (head.length === 0) return
    this.grid.addCode(head.gridCode)
    this.addCurve({ means, weights, ...head })
  }

  /** Writes the quantiles, as `Digest.quantile` defines them, for ascending `qs` to `out`. */
  quantiles(qs: Float64Array, out: Float64Array): void {
    if (this.curves.count === 0) {
      out.fill(NaN, 0, qs.length)
      return
    }
    this.reserve()
    this.low = this.min
    this.lowMass = 0
    this.lows.set(this.curves.starts.subarray(0, this.curves.count))
    for (let i = 0; i < qs.length; i++) {
      // Half of an observation is below its middle.
      const value = this.grid.nearest(this.valueAt((this.count + 1) * qs[i]! - 0.5))
      out[i] = clamp(value, this.min, this.max)
    }
  }

  private addCurve(centroids: Centroids): void {
    const { count, min, max } = centroids
    this.curves.add(centroids)
    this.count += count
    if (min < this.min) this.min = min
    if (max > this.max) this.max = max
  }

  /** The value with this mass below it; never less than the previous result. */
  private valueAt(mass: number): number {
    const { lows, highs, from, above } = this
    const { count, starts, values } = this.curves
    for (let c = 0; c < count; c++) highs[c] = starts[c + 1]!
    let high = this.max
    let highMass = this.count
    for (let pivot; (pivot = this.pivot()) >= 0;) {
      const value = values[pivot]!
      this.weigh(value)
      if (this.upTo <= mass) {
        this.low = value
        this.lowMass = this.upTo
        for (let c = 0; c < count; c++) lows[c] = above[c]!
      } else if (this.under <= mass) {
        return value
      } else {
        high = value
        highMass = this.under
        for (let c = 0; c < count; c++) highs[c] = from[c]!
      }
    }
    if (!(highMass > this.lowMass)) return this.low
    return valueBetween(this.low, high, (mass - this.lowMass) / (highMass - this.lowMass))
  }

  /** The middle knot of the curve with the most knots between the bounds; -1 if there are none. */
  private pivot(): number {
    const { lows, highs } = this
    let most = 0
    let pivot = -1
    for (let c = 0; c < this.curves.count; c++) {
      const size = highs[c]! - lows[c]!
      if (size <= most) continue
      most = size
      pivot = lows[c]! + (size >> 1)
    }
    return pivot
  }

  /** Computes the mass below a value between the bounds, and up to it. */
  private weigh(value: number): void {
    const { lows, highs, from, above, curves } = this
    const { count, values } = curves
    this.under = 0
    this.upTo = 0
    for (let c = 0; c < count; c++) {
      let low = lows[c]!
      let high = highs[c]!
      while (low < high) {
        const middle = (low + high) >> 1
        if (values[middle]! < value) low = middle + 1
        else high = middle
      }
      let next = low
      while (next < highs[c]! && values[next] === value) next++
      from[c] = low
      above[c] = next
      const under = curves.massBelow(c, low, value)
      this.under += under
      this.upTo += next > low ? curves.massUpTo(c, next) : under
    }
  }

  private reserve(): void {
    const { count } = this.curves
    if (count <= this.lows.length) return
    this.lows = new Int32Array(2 * count)
    this.highs = new Int32Array(2 * count)
    this.from = new Int32Array(2 * count)
    this.above = new Int32Array(2 * count)
  }
}
