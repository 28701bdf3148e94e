/** How statistics of an implementation are judged against the reference store's. */

import assert from "node:assert/strict"
import type { Statistics } from "../../src/model/statistics.ts"
import type { SeriesStatistics } from "../../src/store/query-store.ts"

/** Sums may be added in another order: within this of the largest sum of magnitudes. */
const sumTolerance = 1e-12
/** A deviation merged from parts loses more than a sum does, but never a visible digit. */
const deviationTolerance = 1e-9
/** Rank error of percentiles from a digest, as a share of n (spec/statistics §3). */
export const rankTolerance = 0.005

const percentiles = {
  percentile5: 0.05,
  percentile25: 0.25,
  median: 0.5,
  percentile75: 0.75,
  percentile95: 0.95,
} as const

/**
 * Count, min and max are equal; sum, avg and stddev within rounding; percentiles equal, or with
 * `rankOnly` at most 0.5 % of n from their rank in `want.values`.
 */
export function assertStatistics(
  got: Statistics,
  want: SeriesStatistics,
  { rankOnly = false, about }: { readonly rankOnly?: boolean; readonly about: string },
): void {
  const exact = want.statistics
  const here = `${about}, series ${want.series}`
  for (const field of ["count", "min", "max"] as const) assertSame(got[field], exact[field], field)
  const magnitude = Math.max(Math.abs(exact.min), Math.abs(exact.max))
  assertClose(got.sum, exact.sum, sumTolerance * magnitude * Math.max(1, exact.count))
  assertClose(got.avg, exact.avg, sumTolerance * magnitude)
  assertClose(
    got.stddev,
    exact.stddev,
    deviationTolerance * exact.stddev + sumTolerance * magnitude,
  )
  const sorted = rankOnly ? want.values!.slice().sort() : undefined
  for (const [field, p] of Object.entries(percentiles)) {
    const value = got[field as keyof typeof percentiles]
    if (sorted) assertRank(value, { sorted, p, about: here })
    else assertSame(value, exact[field as keyof typeof percentiles], field)
  }

  function assertSame(value: number, wanted: number, field: string): void {
    assert.ok(value === wanted, `${here}: expected ${field} ${wanted}, got ${value}`)
  }
  function assertClose(value: number, wanted: number, tolerance: number): void {
    const off = Math.abs(value - wanted)
    assert.ok(off <= tolerance, `${here}: expected ${wanted} ± ${tolerance}, got ${value}`)
  }
}

/** `value` is in `sorted` at the rank of p, within the bound and the two neighbours. */
export function assertRank(
  value: number,
  at: { readonly sorted: Float64Array; readonly p: number; readonly about: string },
): void {
  const { sorted, p, about } = at
  const slack = rankTolerance * sorted.length + 1
  const below = countWhere(sorted, (one) => one < value)
  const notAbove = countWhere(sorted, (one) => one <= value)
  const rank = p * sorted.length
  assert.ok(
    below - slack <= rank && rank <= notAbove + slack,
    `${about}: expected rank ${rank} ± ${slack} for p ${p}, got ${below} to ${notAbove}`,
  )
}

function countWhere(sorted: Float64Array, holds: (value: number) => boolean): number {
  return sorted.reduce((count, value) => count + (holds(value) ? 1 : 0), 0)
}
