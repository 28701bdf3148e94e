/**
 * The decimal grid to which the means of a digest are rounded, so that they take a byte or two each
 * instead of eight. Telemetry is decimal text: as long as every value added is a whole number of
 * 10^-scale, the grid is at least that fine, and every value that is alone in its centroid (or only
 * among equals) stays exact: a value that makes up half of the population must be returned
 * unchanged. Means of several values are rounded; an 8192nd of the middle spread changes no rank by
 * a measurable amount.
 *
 * Values that are not decimals are rounded too, on a finer grid, unless some of them repeat. The
 * closest neighbours decide how fine, not the spread alone: half of the values may have a scale far
 * below the other half, and a grid for the larger ones would put all of these on one point.
 */

import { decimalScaleOf, powersOfTen, scaledMax, scaleMax } from "../codec/decimal.ts"

const decimalSteps = 2 ** 13
const otherSteps = 2 ** 20

const tiedBit = 16
const floorShift = 5
/** A code is one byte. */
const floorMax = 7

/** Maximum share of all values whose rank changes by rounding. */
const shiftMax = 0.0001

interface Centroids {
  readonly means: Float64Array
  readonly weights: Float64Array
  readonly count: number
  /** Sum of the weights. */
  readonly total: number
}

export class Grid {
  /** Scale of all values so far, or -1. */
  private scale = 0
  private power = 1
  /** True if a value that is not a decimal occurred twice: nothing may be rounded then. */
  private tied = false
  /**
   * If some values are not decimals: the scale of those decimals that may represent many values.
   */
  private floor = 0
  /** The scale of the existing centroids, some of which may represent many equal values. */
  private centroidScale = 0

  /** Records the scale of a value. */
  add(value: number): void {
    if (this.scale < 0 || Math.round(value * this.power) / this.power === value) return
    this.widenTo(decimalScaleOf(value, this.scale))
  }

  addGrid(other: Grid): void {
    this.addCode(other.code)
  }

  /** Records a grid by its `code`. */
  addCode(code: number): void {
    const scale = scaleOfCode(code)
    this.centroidScale = Math.max(this.centroidScale, scale)
    if (this.scale < 0) this.raiseFloor(scale)
    else if (scale < 0 || scale > this.scale) this.widenTo(scale)
    this.raiseFloor(code >> floorShift)
    this.tied ||= (code & tiedBit) !== 0
  }

  /** Searches equal neighbours among sorted values, some of which are not decimals. */
  detectTies(means: Float64Array, count: number): void {
    if (this.scale >= 0 || this.tied) return
    let known = NaN
    for (let i = 1; i < count; i++) {
      const mean = means[i]!
      if (mean !== means[i - 1] || mean === known) continue
      known = mean
      const scale = decimalScaleOf(mean, 0)
      if (scale < 0) this.tied = true
      else this.raiseFloor(scale)
      if (this.tied) return
    }
  }

  /** Rounds the sorted `means[0..count)`, inside [min, max]; they stay sorted. */
  round(
    means: Float64Array,
    weights: Float64Array,
    count: number,
    { min, max, total }: { min: number; max: number; total: number },
  ): void {
    this.centroidScale = Math.max(0, this.scale)
    const size = Math.max(Math.abs(min), Math.abs(max))
    const scale = this.chooseScale({ means, weights, count, total }, size)
    if (scale < 0) return
    const power = powersOfTen[scale]!
    for (let i = 0; i < count; i++) {
      const mean = Math.round(means[i]! * power) / power + 0
      means[i] = mean < min ? min : mean > max ? max : mean
    }
  }

  /** The nearest number that a value can be, if all are decimals. */
  nearest(value: number): number {
    if (this.scale < 0) return value
    const nearest = Math.round(value * this.power) / this.power
    return Number.isFinite(nearest) ? nearest : value
  }

  reset(): void {
    this.setScale(0)
    this.tied = false
    this.floor = 0
    this.centroidScale = 0
  }

  /** The whole state as one number, for the codec. */
  get code(): number {
    return this.scale + 1 + (this.tied ? tiedBit : 0) + (this.floor << floorShift)
  }

  set code(code: number) {
    this.setScale(scaleOfCode(code))
    this.tied = (code & tiedBit) !== 0
    this.floor = code >> floorShift
    this.centroidScale = Math.max(0, this.scale)
  }

  private setScale(scale: number): void {
    this.scale = scale
    this.power = scale < 0 ? 1 : powersOfTen[scale]!
  }

  /** Continues with a finer scale, or with none; existing centroids keep the previous one. */
  private widenTo(scale: number): void {
    if (scale < 0) this.raiseFloor(this.centroidScale)
    this.setScale(scale)
  }

  private raiseFloor(scale: number): void {
    if (scale > floorMax) this.tied = true
    else if (scale > this.floor) this.floor = scale
  }

  private chooseScale(of: Centroids, size: number): number {
    if (this.scale < 0 && this.tied) return -1
    const { means, count } = of
    const step = spreadOf(means, count) / (this.scale < 0 ? otherSteps : decimalSteps)
    let scale = this.scale < 0 ? this.floor : this.scale
    while (scale < scaleMax && powersOfTen[scale]! * step < 1) scale++
    if (this.scale < 0) {
      const finest = stepAllowed(of)
      while (scale < scaleMax && powersOfTen[scale]! * finest < 1) scale++
      if (powersOfTen[scale]! * Math.min(step, finest) < 1) return -1
    }
    if (size * powersOfTen[scale]! <= scaledMax) return scale
    if (this.scale >= 0 && size * powersOfTen[this.scale]! <= scaledMax) return this.scale
    return -1
  }
}

/**
 * The widest step of a grid that changes no rank by more than `shiftMax` of the total: of two
 * neighbours, half of the weight is passed as the value goes from one to the other.
 */
function stepAllowed({ means, weights, count, total }: Centroids): number {
  const shift = Math.max(shiftMax * total, 1)
  let widest = Infinity
  for (let i = 1; i < count; i++) {
    const gap = means[i]! - means[i - 1]!
    const allowed = (gap * 2 * shift) / (weights[i]! + weights[i - 1]!)
    if (allowed < widest && gap > 0) widest = allowed
  }
  return widest
}

function scaleOfCode(code: number): number {
  return Math.min((code & 15) - 1, scaleMax)
}

/** The range of the middle half of the centroids; of all if that is 0. */
function spreadOf(means: Float64Array, count: number): number {
  const middle = means[(count * 3) >> 2]! - means[count >> 2]!
  return middle > 0 ? middle : means[count - 1]! - means[0]!
}
