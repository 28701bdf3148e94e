/** Percentiles of the values of a group at each time, with the interface of `GroupAggregator`. */

import { invalid } from "../../base/errors.ts"
import { valuesPerAnswerMax } from "../../base/limits/queries.ts"
import { GroupAggregator, type Aggregation } from "../../rollup/group-aggregator.ts"
import { interpolate } from "../../rollup/statistics.ts"
import type { SeriesAggregation } from "../../wire/series/series-query-body.ts"

/** Combines the values that were added to an index. The caller releases it after the last value. */
export type ValueAggregator = Pick<
  GroupAggregator,
  "add" | "addRun" | "has" | "value" | "release" | "length"
>

const fractions: Readonly<Record<string, number>> = { p50: 0.5, p95: 0.95, p99: 0.99 }

export function createAggregator(aggregation: SeriesAggregation): ValueAggregator {
  const fraction = fractions[aggregation]
  if (fraction !== undefined) return new PercentileAggregator(fraction)
  return new GroupAggregator(aggregation as Aggregation)
}

/** Keeps every value, as percentiles need them all; each is at (n + 1) · p of the sorted values. */
class PercentileAggregator implements ValueAggregator {
  private readonly fraction: number
  private readonly byIndex: number[][] = []
  private values = 0

  constructor(fraction: number) {
    this.fraction = fraction
  }

  get length(): number {
    return this.byIndex.length
  }

  release(): void {}

  /** Throws `invalid` if there are too many values. */
  add(indexes: Int32Array, values: Float64Array): void {
    this.count(values.length)
    for (let i = 0; i < indexes.length; i++) this.addOne(indexes[i]!, values[i]!)
  }

  addRun(first: number, values: Float64Array): void {
    this.count(values.length)
    for (let i = 0; i < values.length; i++) this.addOne(first + i, values[i]!)
  }

  has(index: number): boolean {
    return this.byIndex[index] !== undefined
  }

  value(index: number): number {
    const sorted = Float64Array.from(this.byIndex[index]!).sort()
    const position = (sorted.length + 1) * this.fraction
    const below = Math.floor(position)
    const at = (rank: number) => sorted[Math.min(Math.max(rank, 0), sorted.length - 1)]!
    return interpolate(at(below - 1), at(below), position - below)
  }

  private count(more: number): void {
    this.values += more
    if (this.values > valuesPerAnswerMax) throw tooManyValues()
  }

  private addOne(index: number, value: number): void {
    const known = this.byIndex[index]
    if (known === undefined) this.byIndex[index] = [value]
    else known.push(value)
  }
}

function tooManyValues(): Error {
  return invalid(
    `aggregation: a percentile would be of more than ${valuesPerAnswerMax} values: ask for fewer ` +
      `series, a shorter window or a coarser rollup`,
  )
}
