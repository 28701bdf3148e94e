/** Puts units in order of what their window holds, and keeps the first of them. */

import { assert } from "../../base/assert.ts"
import type { BucketResolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import { StatisticsWorkspace } from "../../rollup/statistics.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type { SeriesOrder } from "../../wire/series/series-query-body.ts"
import type { BucketTotals } from "../../store/query-store.ts"
import type { QueryContext } from "../core/query-context.ts"
import { columnGrid } from "./column-grid.ts"
import { inWindow, summaryOf, type TimedValues } from "./column-values.ts"
import { shiftedBack } from "./series-reader.ts"
import { SeriesUnits } from "./series-units.ts"
import { readUnits, unitsPerRead, type UnitRead } from "./unit-reader.ts"

/** By what values are ordered; NaN without any. */
export function orderKeyOf(
  { timesMs, values }: TimedValues,
  by: SeriesOrder["by"],
  workspace: StatisticsWorkspace,
): number {
  const { length } = values
  if (length === 0) return NaN
  switch (by) {
    case "min":
      return values.reduce((least, value) => Math.min(least, value))
    case "max":
      return values.reduce((most, value) => Math.max(most, value))
    case "last":
      return values[length - 1]!
    case "change":
      return values[length - 1]! - values[0]!
    case "sum":
      return sumOf(values)
    case "p95":
      return summaryOf({ timesMs, values }, workspace).p95!
    case "avg":
      return sumOf(values) / length
  }
}

/**
 * The sum as it is added up: for an order its last digit does not matter, and the exact sum took
 * half of the time of ordering 1,000 series of a day.
 */
function sumOf(values: Float64Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum
}

/** Indexes of `ranks` in order, those without a rank last; equal ranks keep their order. */
export function inOrder(ranks: Float64Array, descending: boolean): number[] {
  const sign = descending ? -1 : 1
  return Array.from(ranks, (_, i) => i).sort((left, right) => {
    const [one, other] = [ranks[left]!, ranks[right]!]
    if (Number.isNaN(one) || Number.isNaN(other)) {
      return Number(Number.isNaN(one)) - Number(Number.isNaN(other)) || left - right
    }
    return one === other ? left - right : sign * (one < other ? -1 : 1)
  })
}

interface RankRead extends UnitRead {
  /** Window of the ranked values. */
  readonly window: Span
  readonly order: SeriesOrder
}

/** Calls `take` for each of these units that has a value; false if the time was over before. */
type RankUnits = (
  context: QueryContext,
  wanted: readonly number[],
  read: RankRead,
  take: (unit: number, rank: number) => void,
) => Promise<boolean>

/** Whether the order is known without the values of single buckets. */
function isOfTotals({ units, resolution, order }: RankRead): boolean {
  return !units.isGrouped && resolution !== "ZERO" && order.by !== "p95"
}

/** Ranks without columns of values and times: half of the time of these. */
const readTotals: RankUnits = async ({ store, budget }, wanted, read, take) => {
  const { units, window, resolution, shiftMs, unflushed, order } = read
  assert(resolution !== "ZERO", "Expected buckets")
  budget.check()
  const { series, unitOf } = units.singles(wanted)
  const span = shiftedBack({ span: window, shiftMs })
  await store.bucketTotals({ series, span, resolution }, unflushed, (one, totals) => {
    budget.step()
    take(unitOf(one), rankOfTotals(totals, order.by))
  })
  return true
}

function rankOfTotals(totals: BucketTotals, by: SeriesOrder["by"]): number {
  switch (by) {
    case "min":
    case "max":
    case "last":
    case "sum":
      return totals[by]
    case "change":
      return totals.last - totals.first
    default:
      return totals.sum / totals.count
  }
}

function valuesRanker(workspace: StatisticsWorkspace): RankUnits {
  return (context, wanted, read, take) =>
    readUnits(context, wanted, { ...read, field: "actual" }, (unit, found) => {
      take(unit, orderKeyOf(inWindow(found, read.window), read.order.by, workspace))
    })
}

/** The rank of each unit; NaN without a value, or if the time was over before it was read. */
async function ranksOf(
  context: QueryContext,
  read: RankRead,
  workspace: StatisticsWorkspace,
): Promise<{ readonly ranks: Float64Array; readonly isWhole: boolean }> {
  const { units } = read
  const rankUnits = isOfTotals(read) ? readTotals : valuesRanker(workspace)
  const ranks = new Float64Array(units.count).fill(NaN)
  const perRead = unitsPerRead(read)
  let isWhole = true
  let from = 0
  for (; from < units.count && !read.isOver(); from += perRead) {
    const length = Math.min(perRead, units.count - from)
    const wanted = Array.from({ length }, (_, i) => from + i)
    isWhole &&= await rankUnits(context, wanted, read, (unit, rank) => (ranks[unit] = rank))
  }
  return { ranks, isWhole: isWhole && from >= units.count }
}

/** The first `limit` units; partial if the time was over before all were read. */
export async function firstUnits(
  context: QueryContext,
  read: RankRead & { readonly limit: number },
  workspace: StatisticsWorkspace,
): Promise<{ readonly units: number[]; readonly isPartial: boolean }> {
  const { ranks, isWhole } = await ranksOf(context, read, workspace)
  const best = inOrder(ranks, read.order.descending).slice(0, read.limit)
  const found = best.filter((unit) => !Number.isNaN(ranks[unit]!))
  return { units: found, isPartial: !isWhole }
}

export interface SeriesRankRead {
  readonly window: Span
  readonly resolution: BucketResolution
  readonly by: SeriesOrder["by"]
  readonly unflushed: UnflushedSamples | null
}

/** A number that orders each series; NaN without a bucket that begins in the window. */
export async function rankSeries(
  context: QueryContext,
  series: Int32Array,
  { window, resolution, by, unflushed }: SeriesRankRead,
): Promise<Float64Array> {
  const { ranks } = await ranksOf(
    context,
    {
      units: SeriesUnits.of(context, series, { by: "series", name: "" }),
      aggregation: "avg",
      grid: columnGrid(window, { width: 1, resolution }),
      span: window,
      window,
      resolution,
      shiftMs: 0,
      unflushed,
      order: { by, descending: false },
      isOver: () => false,
    },
    new StatisticsWorkspace(),
  )
  return ranks
}
