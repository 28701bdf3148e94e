/** The law of quantiles that are estimates: how far off their ranks may be. */

import assert from "node:assert/strict"
import { type Shape, seededNumbers, shapes } from "../support/ingest/samples.ts"

/** Ascending. */
export const assertedQuantiles = [
  0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.95, 0.99, 0.999,
]

export function populationOf(shape: Shape, length: number, seed: number): Float64Array {
  const random = seededNumbers(seed)
  return Float64Array.from({ length }, (_, i) => shapes[shape](random, i * 60_000))
}

/** How many values are below `x`, or with `orEqual` at most `x`. */
export function rankOf(sorted: Float64Array, x: number, orEqual: boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < x || (orEqual && sorted[middle] === x)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * By which part of n the rank of `x`, as answer for percentile `p`, is off; any rank that equal
 * values share is right.
 */
function rankError(sorted: Float64Array, x: number, p: number): number {
  const position = (sorted.length + 1) * p
  const below = rankOf(sorted, x, false)
  const until = rankOf(sorted, x, true) + 1
  return Math.max(0, below - position, position - until) / sorted.length
}

/** Within 0.5 % of rank in the body, 0.05 % at the ends. */
export function assertQuantiles(
  values: Float64Array,
  quantile: (p: number) => number,
  what: string,
): void {
  const sorted = values.slice().sort()
  for (const p of assertedQuantiles) {
    const allowed = p <= 0.01 || p >= 0.99 ? 0.0005 : 0.005
    const error = rankError(sorted, quantile(p), p)
    assert.ok(error <= allowed, `${what}: p ${p} is off by ${error} of n`)
  }
  assert.equal(quantile(0), sorted[0])
  assert.equal(quantile(1), sorted.at(-1))
}
