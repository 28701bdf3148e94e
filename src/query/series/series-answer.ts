/** Second half of a series query: reads the units in their order and prints nothing. */

import { valuesPerAnswerMax } from "../../base/limits/queries.ts"
import { dayMs, type Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import { StatisticsWorkspace } from "../../rollup/statistics.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import { percentileFractions } from "../../wire/series/series-query-body.ts"
import type { SeriesLine, SeriesResult } from "../../wire/series/series-query-result.ts"
import type { QueryContext } from "../core/query-context.ts"
import { columnGrid, rawGrid, spanOfGrid } from "./column-grid.ts"
import { inWindow, spacingOf, summaryOf } from "./column-values.ts"
import { actualColumns, columnCountOf, inFieldOrder, readFields } from "./series-fields.ts"
import type { ColumnsByName } from "./series-percentiles.ts"
import { asksForPercentiles, type ResolvedQuery } from "./series-plan.ts"
import { firstUnits, inOrder, orderKeyOf } from "./series-rank.ts"
import { shiftedBack } from "./series-reader.ts"
import { readUnits, unitsPerRead, type UnitRead } from "./unit-reader.ts"
import { SeriesUnits, subjectOf } from "./series-units.ts"

/** The window and the limits that all queries of a request share. */
export interface SharedRead {
  readonly window: Span
  readonly width: number
  readonly unflushed: UnflushedSamples | null
  /** Start of what retention has kept of raw samples. */
  readonly rawFromMs: number
  /** Whether the time of reading is over. */
  readonly isOver: () => boolean
  /** Whether the time of finding the first lines is over, so that some is left to read them. */
  readonly isOrderOver: () => boolean
  /** Values that the answer may still have, which each query reduces. */
  readonly left: { values: number }
}

export function newSharedRead(rest: Omit<SharedRead, "left">): SharedRead {
  return { ...rest, left: { values: valuesPerAnswerMax } }
}

/** The lines of one query. Throws `invalid` for a problem of this query. */
export async function answerSeriesQuery(
  context: QueryContext,
  resolved: ResolvedQuery,
  shared: SharedRead,
): Promise<SeriesResult> {
  const left = shared.left.values
  const first = await read(context, resolved, shared)
  const next = first.isPartial ? null : coarserOf(resolved, first, shared)
  if (next === null) return first
  context.working.free((left - shared.left.values) * Float64Array.BYTES_PER_ELEMENT)
  shared.left.values = left
  const grid = columnGrid(shared.window, { width: shared.width, resolution: next })
  return read(context, { ...resolved, resolution: next, grid }, shared)
}

/** Shortest window of days that are taken because hours have no digest. */
const windowOfDaysMsMin = 2 * dayMs

/** The resolution that says more if the server chose one; null if this answer is the one. */
function coarserOf(
  { isChosen, resolution, query }: ResolvedQuery,
  { lines, matched }: SeriesResult,
  { window, rawFromMs }: SharedRead,
): Resolution | null {
  if (!isChosen) return null
  // A computed metric has buckets and no raw samples.
  if (resolution === "ZERO" && lines.length === 0 && matched > 0) return "PT5M"
  if (resolution !== "PT1H" || !asksForPercentiles(query)) return null
  const { startMs, endMs } = shiftedBack({ span: window, shiftMs: query.shiftMs })
  if (startMs >= rawFromMs || endMs - startMs < windowOfDaysMsMin) return null
  const isPercentile = (name: string): boolean => name in percentileFractions
  const columns = lines.flatMap((line) => line.columns).filter(({ name }) => isPercentile(name))
  return columns.every(({ values }) => values.every(Number.isNaN)) ? "PT24H" : null
}

async function read(
  context: QueryContext,
  resolved: ResolvedQuery,
  shared: SharedRead,
): Promise<SeriesResult> {
  const { query, resolution } = resolved
  const { aggregation, shiftMs } = query
  const { unflushed } = shared
  const units = SeriesUnits.of(context, resolved.series, query.grouping)
  const span = spanOfGrid(resolved.grid, resolution)
  const asked: UnitRead = {
    units,
    aggregation,
    resolution,
    span,
    shiftMs,
    unflushed,
    grid: resolved.grid,
    isOver: shared.isOver,
  }
  const workspace = new StatisticsWorkspace()
  const chosen = await chosenUnits(context, { asked, resolved, shared, workspace })
  const grid = await gridOf(context, { asked, resolved, shared, chosen: chosen.units })
  const most = linesMax({ ...resolved, grid }, shared)
  const shown = chosen.units.slice(0, most)
  const found = await readLines(context, shown, {
    asked: { ...asked, grid },
    resolved,
    shared,
    workspace,
  })
  if (!query.summaryOnly) {
    const values = found.lines.length * valuesPerLine({ ...resolved, grid })
    shared.left.values -= values
    context.working.take(values * Float64Array.BYTES_PER_ELEMENT)
  }
  const { lines } = found
  const unit = lines[0]?.subject.unit ?? null
  const isShared = lines.every(({ subject }) => subject.unit === unit)
  return {
    resolution,
    grid,
    matched: units.count,
    lines,
    isPartial: chosen.isPartial || found.isPartial || shown.length < chosen.units.length,
    unit: isShared ? unit : null,
  }
}

interface UnitsRead {
  readonly asked: UnitRead
  readonly resolved: ResolvedQuery
  readonly shared: SharedRead
}

/** The units to show; all of them, in any order, if there are no more than the limit. */
async function chosenUnits(
  context: QueryContext,
  { asked, resolved, shared, workspace }: UnitsRead & { readonly workspace: StatisticsWorkspace },
): Promise<{ readonly units: readonly number[]; readonly isPartial: boolean }> {
  const { order, limit } = resolved.query
  const { count } = asked.units
  if (order === null || count <= limit) {
    return { units: Array.from({ length: Math.min(count, limit) }, (_, i) => i), isPartial: false }
  }
  const { window, isOrderOver: isOver } = shared
  return firstUnits(context, { ...asked, window, order, limit, isOver }, workspace)
}

/** Series by which the distance of raw samples is judged. */
const spacedUnitsMax = 8

/** Columns of raw samples are no narrower than most of the samples are apart. */
async function gridOf(
  context: QueryContext,
  { asked, resolved, shared, chosen }: UnitsRead & { readonly chosen: readonly number[] },
) {
  if (asked.resolution !== "ZERO" || asked.units.isGrouped) return resolved.grid
  const distances: number[] = []
  const judged = chosen.slice(0, spacedUnitsMax)
  await readUnits(context, judged, { ...asked, field: "actual" }, (_, found) => {
    const distanceMs = spacingOf(found)
    if (distanceMs > 0) distances.push(distanceMs)
  })
  distances.sort((left, right) => left - right)
  return rawGrid(shared.window, shared.width, distances[distances.length >> 1] ?? 0)
}

function valuesPerLine({ query, grid }: Pick<ResolvedQuery, "query" | "grid">): number {
  return query.fields.reduce((sum, field) => sum + columnCountOf(field), 0) * grid.count
}

function linesMax(resolved: Pick<ResolvedQuery, "query" | "grid">, { left }: SharedRead): number {
  const perLine = valuesPerLine(resolved)
  if (resolved.query.summaryOnly || perLine === 0) return Infinity
  return Math.floor(left.values / perLine)
}

interface Lines {
  readonly lines: readonly SeriesLine[]
  readonly isPartial: boolean
}

/** Lines of the units that have a value, in order. */
async function readLines(
  context: QueryContext,
  wanted: readonly number[],
  { asked, resolved, shared, workspace }: UnitsRead & { readonly workspace: StatisticsWorkspace },
): Promise<Lines> {
  const { query } = resolved
  const { window, isOver, rawFromMs } = shared
  const { order, summaryOnly } = query
  const fields = summaryOnly ? [] : query.fields
  const given = { ...asked, fields, isOver, rawFromMs }
  const columns = new Map<number, ColumnsByName>()
  const summaries = new Map<number, { summary: SeriesLine["summary"]; rank: number }>()
  const perRead = unitsPerRead(asked)
  let from = 0
  for (; from < wanted.length && !isOver(); from += perRead) {
    const step = wanted.slice(from, from + perRead)
    await readUnits(context, step, { ...asked, field: "actual" }, (unit, found) => {
      const inside = inWindow(found, window)
      const rank = order === null ? 0 : orderKeyOf(inside, order.by, workspace)
      summaries.set(unit, { summary: summaryOf(inside, workspace), rank })
      columns.set(unit, actualColumns(found, given))
    })
  }
  const isWhole = (await readFields(context, columns, given)) && from >= wanted.length
  const kept = wanted.filter((unit) => summaries.has(unit))
  const ranks = Float64Array.from(kept, (unit) => summaries.get(unit)!.rank)
  const lines = inOrder(ranks, order?.descending ?? false).map((at): SeriesLine => {
    const unit = kept[at]!
    context.budget.step()
    return {
      subject: subjectOf(context, asked.units, unit),
      summary: summaries.get(unit)!.summary,
      columns: inFieldOrder(columns.get(unit)!, given),
    }
  })
  return { lines, isPartial: !isWhole }
}
