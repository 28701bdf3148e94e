/** First half of a series query: which series it is about, from which resolution, in which columns. */

import { invalid, ServiceError } from "../../base/errors.ts"
import { seriesBucketsMax, seriesMatchedMax } from "../../base/limits/series.ts"
import { isCounter } from "../../model/effective-settings.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import {
  bandNames,
  percentileFields,
  type ReadSeriesQuery,
  type SeriesField,
  type SeriesName,
  type SeriesQuery,
} from "../../wire/series/series-query-body.ts"
import type { ColumnGrid } from "../../wire/series/series-query-result.ts"
import type { QueryContext } from "../core/query-context.ts"
import { unflushedSpan } from "../core/window.ts"
import { findSeries } from "../filter/search.ts"
import { bucketMsOf, chosenResolution, columnGrid, spanOfGrid } from "./column-grid.ts"
import { shiftedBack } from "./series-reader.ts"

/** A query whose series are known, without the filter that found them. */
export interface ResolvedQuery {
  readonly id: string
  readonly query: Omit<SeriesQuery, "filter" | "series">
  readonly series: Int32Array
  readonly resolution: Resolution
  /** Whether the server chose the resolution. */
  readonly isChosen: boolean
  readonly grid: ColumnGrid
}

export type PlannedSeriesQuery =
  | (ResolvedQuery & { readonly errors?: undefined })
  | { readonly id: string; readonly errors: readonly string[] }

export interface PlanInput {
  readonly tenant: TenantIndex
  readonly span: Span
  readonly width: number
  readonly resolution: Resolution | null
  readonly retainedFromMs: RetainedFromMs
}

/** Start of what retention has kept of each resolution. */
export type RetainedFromMs = Readonly<Record<Resolution, number>>

/** Read once for all queries of a request. */
export async function readRetention({ store }: QueryContext): Promise<RetainedFromMs> {
  return {
    ZERO: await store.retainedFromMs("ZERO"),
    PT5M: await store.retainedFromMs("PT5M"),
    PT1H: await store.retainedFromMs("PT1H"),
    PT24H: await store.retainedFromMs("PT24H"),
  }
}

export async function planSeriesQuery(
  context: QueryContext,
  read: ReadSeriesQuery,
  input: PlanInput,
): Promise<PlannedSeriesQuery> {
  const { id, query } = read
  if (query === undefined) return { id, errors: read.errors }
  return orErrors(id, () => resolved(context, query, input))
}

/** Runs `work`; problems of the query of this id become its errors. */
export async function orErrors<T>(
  id: string,
  work: () => Promise<T>,
): Promise<T | { readonly id: string; readonly errors: readonly string[] }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError && error.code === "invalid") {
      return { id, errors: error.problems }
    }
    throw error
  }
}

async function resolved(
  context: QueryContext,
  { filter, series: names, ...query }: SeriesQuery,
  input: PlanInput,
): Promise<ResolvedQuery> {
  const { tenant, span, width } = input
  const series =
    filter === null
      ? namedSeries(context, tenant, names!)
      : (await findSeries(context, tenant, filter)).toArray()
  if (series.length > seriesMatchedMax) {
    throw invalid(
      `filter: ${series.length} series pass it, more than ${seriesMatchedMax}: name the metric ` +
        `in metricFqns, or its elements by more groups`,
    )
  }
  const resolution = input.resolution ?? chosen(context, { query, series, input })
  checkBuckets(span, resolution)
  const grid = columnGrid(span, { width, resolution })
  const isChosen = input.resolution === null
  return { id: query.id, query, series, resolution, isChosen, grid }
}

/** In the order of their names; those that do not exist are left out. */
function namedSeries(
  { ids, budget }: QueryContext,
  tenant: TenantIndex,
  names: readonly SeriesName[],
): Int32Array {
  const found = new Set<number>()
  for (const { elementId, metricId } of names) {
    budget.step()
    const element = ids.findElement(tenant, elementId)
    if (element >= 0) found.add(ids.findMetric(element, metricId))
  }
  found.delete(-1)
  return Int32Array.from(found)
}

interface Choice {
  readonly query: ResolvedQuery["query"]
  readonly series: Int32Array
  readonly input: PlanInput
}

function chosen(context: QueryContext, { query, series, input }: Choice): Resolution {
  const span = shiftedBack({ span: input.span, shiftMs: query.shiftMs })
  const { ZERO } = input.retainedFromMs
  // Of what is older than raw samples, hours and days alone have digests.
  const needsDigests = asksForPercentiles(query) && ZERO > span.startMs
  const retainedFromMs = (resolution: Resolution): number =>
    needsDigests && resolution === "PT5M" ? Infinity : input.retainedFromMs[resolution]
  const allowsRaw = isShownRaw(query) && !hasCounter(context, series)
  return chosenResolution(span, input.width, { allowsRaw, retainedFromMs })
}

export function asksForPercentiles({ fields, summaryOnly }: ResolvedQuery["query"]): boolean {
  return !summaryOnly && percentileFields.some((field) => fields.includes(field))
}

/**
 * Groups combine what has a bucket in common, only buckets have bands and fillings, and percentiles
 * of a few samples say nothing.
 */
function isShownRaw({ grouping, fields }: ResolvedQuery["query"]): boolean {
  const ofBuckets: readonly SeriesField[] = ["sparse", ...bandNames, ...percentileFields]
  return grouping.by === "series" && !fields.some((field) => ofBuckets.includes(field))
}

/** The raw samples of a counter only rise: what is looked for is the increase in a bucket. */
function hasCounter({ store, budget }: QueryContext, series: Int32Array): boolean {
  return series.some((one) => {
    budget.step()
    return isCounter(store.catalogue.seriesDefinition(one))
  })
}

function checkBuckets(span: Span, resolution: Resolution): void {
  if (resolution === "ZERO") return
  const buckets = Math.ceil((span.endMs - span.startMs) / bucketMsOf(resolution))
  if (buckets <= seriesBucketsMax) return
  throw invalid(
    `rollup: expected at most ${seriesBucketsMax} buckets of ${resolution} in the window, got ` +
      `${buckets}: ask for a shorter window or a coarser rollup`,
  )
}

/** The spans of the unflushed samples that these queries need, as one; null if they need none. */
export function unflushedSpanOf(planned: readonly PlannedSeriesQuery[]): Span | null {
  let hull: Span | null = null
  for (const one of planned) {
    if (one.errors !== undefined || one.series.length === 0) continue
    const { grid, resolution, query } = one
    const { shiftMs } = query
    const span = unflushedSpan(shiftedBack({ span: spanOfGrid(grid, resolution), shiftMs }))
    const { startMs, endMs }: Span = hull ?? span
    hull = { startMs: Math.min(startMs, span.startMs), endMs: Math.max(endMs, span.endMs) }
  }
  return hull
}
