/**
 * The decimal grid on which a digest's means stand, so that they cost a byte or two each instead of
 * eight. Telemetry is decimal text: as long as every value added is a whole number of 10^-scale,
 * the grid is at least that fine, and every value that stands alone (or only among equals) stays
 * exact: a value that makes up half of the population must come out as itself. Means of several
 * values are rounded; an 8192nd of the middle spread moves no rank by a measurable amount.
 *
 * Values that are no decimals are rounded too, on a finer grid, unless some of them repeat.
 */

import { decimalScaleOf, powersOfTen, scaledMax, scaleMax } from "../codec/decimal.ts"

const decimalSteps = 2 ** 13
const otherSteps = 2 ** 20

const tiedBit = 16

export class Grid {
  /** Scale of all values so far, or -1. */
  private scale = 0
  private power = 1
  /** Some value that is no decimal was met twice: nothing may be rounded. */
  private tied = false

  /** Takes note of a value. */
  hold(value: number): void {
    if (this.scale < 0 || Math.round(value * this.power) / this.power === value) return
    this.setScale(decimalScaleOf(value, this.scale))
  }

  holdGrid(other: Grid): void {
    this.holdCode(other.code)
  }

  /** Takes note of a grid by its `code`. */
  holdCode(code: number): void {
    const scale = scaleOfCode(code)
    if (scale < 0 || this.scale < 0) this.setScale(-1)
    else if (scale > this.scale) this.setScale(scale)
    this.tied ||= (code & tiedBit) !== 0
  }

  /** Looks for equal neighbours among sorted values that are no decimals. */
  noticeTies(means: Float64Array, count: number): void {
    if (this.scale >= 0 || this.tied) return
    for (let i = 1; i < count; i++) {
      if (means[i] !== means[i - 1] || decimalScaleOf(means[i]!, 0) >= 0) continue
      this.tied = true
      return
    }
  }

  /** Rounds the sorted `means[0..count)`, inside [min, max]; they stay sorted. */
  round(means: Float64Array, count: number, min: number, max: number): void {
    const scale = this.chooseScale(means, count, Math.max(Math.abs(min), Math.abs(max)))
    if (scale < 0) return
    const power = powersOfTen[scale]!
    for (let i = 0; i < count; i++) {
      const mean = Math.round(means[i]! * power) / power + 0
      means[i] = mean < min ? min : mean > max ? max : mean
    }
  }

  /** The nearest number that a value can be, where all are decimals. */
  nearest(value: number): number {
    if (this.scale < 0) return value
    const nearest = Math.round(value * this.power) / this.power
    return Number.isFinite(nearest) ? nearest : value
  }

  reset(): void {
    this.setScale(0)
    this.tied = false
  }

  /** All of it in one number below 32, for the codec. */
  get code(): number {
    return this.scale + 1 + (this.tied ? tiedBit : 0)
  }

  set code(code: number) {
    this.setScale(scaleOfCode(code))
    this.tied = (code & tiedBit) !== 0
  }

  private setScale(scale: number): void {
    this.scale = scale
    this.power = scale < 0 ? 1 : powersOfTen[scale]!
  }

  private chooseScale(means: Float64Array, count: number, size: number): number {
    if (this.scale < 0 && this.tied) return -1
    const spread = spreadOf(means, count)
    const step = spread / (this.scale < 0 ? otherSteps : decimalSteps)
    let scale = this.scale < 0 ? 0 : this.scale
    while (scale < scaleMax && powersOfTen[scale]! * step < 1) scale++
    if (this.scale < 0 && powersOfTen[scale]! * step < 1) return -1
    if (size * powersOfTen[scale]! <= scaledMax) return scale
    if (this.scale >= 0 && size * powersOfTen[this.scale]! <= scaledMax) return this.scale
    return -1
  }
}

function scaleOfCode(code: number): number {
  return Math.min((code & 15) - 1, scaleMax)
}

/** The distance that the middle half of the centroids covers; of all where that is 0. */
function spreadOf(means: Float64Array, count: number): number {
  const middle = means[(count * 3) >> 2]! - means[count >> 2]!
  return middle > 0 ? middle : means[count - 1]! - means[0]!
}
