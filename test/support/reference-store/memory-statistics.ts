/**
 * Statistics of the reference store: the whole population sorted, every time (spec/statistics §3).
 *
 *   bucket actuals   one observation each
 *   raw samples      as many observations as a sample's count, all at its mean; min and max are
 *                    those of the samples
 */

import type { Statistics } from "../../../src/model/statistics.ts"
import type { Observations } from "../../../src/rollup/weighted-values.ts"
import { interpolate, stddevOf } from "../../../src/rollup/statistics.ts"
import { averageOf, averageOfOverflowed, exactSum, isOverflowed } from "../../../src/rollup/sum.ts"
import { contributionsOf, type RawSample } from "./memory-series.ts"

/** One member of a population, observed `count` times; `count` is above 0. */
export interface Member {
  readonly timeMs: number
  /** The value that the API shows. */
  readonly value: number
  /** The value at which its observations are ordered: `value`, clamped to [min, max]. */
  readonly mean: number
  readonly count: number
  readonly sum: number
  readonly min: number
  readonly max: number
}

/** The input of percentiles (population.ts). */
export function observationsOf(members: readonly Member[]): Observations {
  const values = Float64Array.from(members, ({ mean }) => mean)
  const weights = Float64Array.from(members, ({ count }) => count)
  return { values, weights, m2: squaresOf(members) }
}

/** Statistics of at least one member. */
export function statisticsOfMembers(members: readonly Member[]): Statistics {
  const count = sumOf(members, (member) => member.count)
  const sum = sumOf(members, (member) => member.sum)
  const min = members.reduce((least, one) => Math.min(least, one.min), Infinity)
  const max = members.reduce((most, one) => Math.max(most, one.max), -Infinity)
  const sorted = [...members].sort((left, right) => left.mean - right.mean)
  return {
    count,
    sum,
    avg: Math.min(max, Math.max(min, averageOfMembers(members))),
    stddev: stddevOf(squaresOf(members), count),
    min,
    max,
    percentile5: percentile(sorted, { p: 0.05, count }),
    percentile25: percentile(sorted, { p: 0.25, count }),
    median: percentile(sorted, { p: 0.5, count }),
    percentile75: percentile(sorted, { p: 0.75, count }),
    percentile95: percentile(sorted, { p: 0.95, count }),
  }
}

/** Squared deviations from the average; all observations of a member are its value. */
function squaresOf(members: readonly Member[]): number {
  const avg = averageOfMembers(members)
  return sumOf(members, ({ value, count }) => count * (value - avg) ** 2)
}

function averageOfMembers(members: readonly Member[]): number {
  const sum = sumOf(members, (member) => member.sum)
  if (!isOverflowed(sum))
    return averageOf(
      sum,
      sumOf(members, ({ count }) => count),
    )
  const values = Float64Array.from(members, ({ mean }) => mean)
  const counts = Float64Array.from(members, ({ count }) => count)
  return averageOfOverflowed(values, counts, 0, values.length)
}

function sumOf(members: readonly Member[], numberOf: (member: Member) => number): number {
  return exactSum(Float64Array.from(members, numberOf), 0, members.length)
}

/** Position (n + 1) · p with linear interpolation, clamped to the ends (spec/statistics §3). */
function percentile(
  sorted: readonly Member[],
  { p, count }: { readonly p: number; readonly count: number },
): number {
  const position = Math.min(Math.max((count + 1) * p, 1), Math.max(count, 1))
  const rank = Math.floor(position)
  return interpolate(meanAtRank(sorted, rank), meanAtRank(sorted, rank + 1), position - rank)
}

/** The observation of this rank, from 1; the last one beyond the end. */
function meanAtRank(sorted: readonly Member[], rank: number): number {
  let seen = 0
  for (const { mean, count } of sorted) {
    seen += count
    if (seen >= rank) return mean
  }
  return sorted.at(-1)!.mean
}

/** The members that a population has of raw samples; those without an observation have none. */
export function membersOfSamples(samples: readonly RawSample[]): Member[] {
  const told = contributionsOf(samples)
  return samples
    .map(({ timeMs, value }, at) => ({
      timeMs,
      value,
      mean: told.digestMean(at),
      count: told.count[at]!,
      sum: told.sum[at]!,
      min: told.min[at]!,
      max: told.max[at]!,
    }))
    .filter(({ count }) => count > 0)
}
