/**
 * Interpolation between centroids. A centroid of weight w after a total weight of C covers the
 * ranks C + 1 to C + w, with its mean at the middle rank; min is at rank 1 and max at the last one:
 *
 *     value ▲                      ● max
 *           │              ●───────┘     ranks in between are interpolated; so a digest in which
 *           │       ●──────┘             every value is a centroid gives the exact percentiles
 *           │  min ●
 *           └──────1───────────────count► rank
 *
 * Across a gap that is wide against both neighbours' own slopes the values do not change gradually:
 * the left centroid continues with its slope to its last rank, and the right one begins with its
 * own.
 */

import { clamp } from "./clamp.ts"
import type { Grid } from "./grid.ts"
import { lineBetween } from "./line-between.ts"
import type { DigestState } from "./digest-state.ts"

/** A gap is a range whose slope exceeds those on both sides by this factor. */
const gapRatio = 6

/** Corner points of the curve between two neighbouring centroids: four ranks, four values. */
const segment = new Float64Array(8)

/**
 * Value at rank (count + 1) × q. Inside a centroid of several values the result is rounded to a
 * possible value: with values in steps, a number between two steps has the rank of neither.
 */
export function interpolateQuantile(state: DigestState, grid: Grid, q: number): number {
  if (state.length === 0) return NaN
  const rank = (state.count + 1) * q
  if (!(rank > 1)) return state.min
  if (rank >= state.count) return state.max
  const { weights, length } = state
  let before = 0
  let at = 0
  // Finds the last centroid whose middle is at or before the rank; -1 if there is none.
  while (at < length && before + (weights[at]! + 1) / 2 <= rank) before += weights[at++]!
  layOut(state, at - 1, before - (at > 0 ? weights[at - 1]! : 0))
  const isExact = (at === 0 || weights[at - 1] === 1) && (at === length || weights[at] === 1)
  const value = valueAt(rank)
  return clamp(isExact ? value : grid.nearest(value), state.min, state.max)
}

/** Rank of `x` as a share of the count. */
export function interpolateCdf(state: DigestState, x: number): number {
  if (state.length === 0) return NaN
  if (x < state.min) return 0
  if (x >= state.max) return 1
  const { means, weights, length } = state
  let before = 0
  let at = 0
  while (at < length && means[at]! <= x) before += weights[at++]!
  layOut(state, at - 1, before - (at > 0 ? weights[at - 1]! : 0))
  return clamp(rankAt(x) / state.count, 0, 1)
}

/**
 * Sets `segment` to the curve from centroid `at` to the next; before the first it begins at min,
 * after the last it ends at max.
 */
function layOut(state: DigestState, at: number, before: number): void {
  const { means, weights, length, count, min, max } = state
  const hasLeft = at >= 0
  const hasRight = at + 1 < length
  const leftWeight = hasLeft ? weights[at]! : 1
  const rightWeight = hasRight ? weights[at + 1]! : 1
  const after = hasLeft ? before + leftWeight : 0
  const leftRank = hasLeft ? before + (leftWeight + 1) / 2 : 1
  const rightRank = hasRight ? after + (rightWeight + 1) / 2 : count
  const left = !hasLeft ? min : isAlone(state, at) ? edge(state, at) : means[at]!
  const right = !hasRight ? max : isAlone(state, at + 1) ? edge(state, at + 1) : means[at + 1]!

  set(0, leftRank, left)
  set(1, leftRank, left)
  set(2, rightRank, right)
  set(3, rightRank, right)
  if (!hasLeft || !hasRight) return
  const slope = (right - left) / (rightRank - leftRank)
  const leftSlope = slopeBefore(state, at, leftRank)
  const rightSlope = slopeAfter(state, at + 1, rightRank)
  if (slope <= gapRatio * Math.max(leftSlope, rightSlope)) return
  const leftReach = Math.max(0, (leftWeight - 1) / 2)
  const rightReach = Math.max(0, (rightWeight - 1) / 2)
  set(1, leftRank + leftReach, left + leftReach * leftSlope)
  set(2, rightRank - rightReach, right - rightReach * rightSlope)
}

/**
 * True for a single value at an end: it is min or max itself, though its mean may have been
 * rounded.
 */
function isAlone({ weights, length }: DigestState, at: number): boolean {
  return (at === 0 || at === length - 1) && weights[at] === 1
}

function edge({ min, max }: DigestState, at: number): number {
  return at === 0 ? min : max
}

function slopeBefore({ means, weights, min }: DigestState, at: number, rank: number): number {
  if (at === 0) return rank > 1 ? (means[0]! - min) / (rank - 1) : 0
  return (means[at]! - means[at - 1]!) / ((weights[at]! + weights[at - 1]!) / 2)
}

function slopeAfter(
  { means, weights, length, count, max }: DigestState,
  at: number,
  rank: number,
): number {
  if (at === length - 1) return count > rank ? (max - means[at]!) / (count - rank) : 0
  return (means[at + 1]! - means[at]!) / ((weights[at]! + weights[at + 1]!) / 2)
}

function set(corner: number, rank: number, value: number): void {
  segment[2 * corner] = rank
  segment[2 * corner + 1] = value
}

function valueAt(rank: number): number {
  let corner = 1
  while (corner < 3 && segment[2 * corner]! < rank) corner++
  const fromRank = segment[2 * corner - 2]!
  const toRank = segment[2 * corner]!
  const from = segment[2 * corner - 1]!
  const to = segment[2 * corner + 1]!
  if (toRank <= fromRank || from === to) return to
  const part = (rank - fromRank) / (toRank - fromRank)
  if (part <= 0) return from
  return part >= 1 ? to : lineBetween(from, to, part)
}

function rankAt(value: number): number {
  let corner = 1
  while (corner < 3 && segment[2 * corner + 1]! < value) corner++
  const fromRank = segment[2 * corner - 2]!
  const toRank = segment[2 * corner]!
  const from = segment[2 * corner - 1]!
  const to = segment[2 * corner + 1]!
  if (value <= from) return fromRank
  if (value >= to || to <= from) return toRank
  const width = to - from
  const part =
    width < Infinity ? (value - from) / width : (value / 2 - from / 2) / (to / 2 - from / 2)
  return fromRank + part * (toRank - fromRank)
}
