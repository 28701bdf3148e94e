/** The request and the answer of POST `/series/query`. */

import * as v from "valibot"
import { knownUnit } from "../format/units.ts"
import type { FilterGroups } from "../url/filter-groups.ts"

export const percentileNames = ["p5", "p25", "p50", "p75", "p95", "p99"] as const
export type PercentileName = (typeof percentileNames)[number]

export type SeriesField =
  "actual" | "low" | "high" | "sparse" | "baseline" | "contextual" | PercentileName

export const groupAggregations = ["avg", "sum", "min", "max", "cnt", "p50", "p95", "p99"] as const
export type GroupAggregation = (typeof groupAggregations)[number]
export const seriesOrders = ["avg", "max", "min", "last", "sum", "p95", "change"] as const
export type SeriesOrder = (typeof seriesOrders)[number]

/** One query of a request. */
export interface SeriesQuery {
  readonly id: string
  /** Either this or `series`. */
  readonly filter?: FilterGroups
  readonly series?: readonly { readonly elementId: string; readonly metricId: string }[]
  readonly fields: readonly SeriesField[]
  /** `series`, `element`, `metric`, `type`, `location`, `tag.KEY`, `attribute.KEY` or `all`. */
  readonly by: string
  readonly aggregation: GroupAggregation
  readonly order: { readonly by: SeriesOrder; readonly direction: "desc" | "asc" }
  readonly limit: number
  /** ISO duration back, such as P7D. */
  readonly shift?: string
  /** Leaves out the values. */
  readonly summaryOnly?: boolean
}

export interface SeriesRequest {
  /** ISO times. */
  readonly startTime: string
  readonly endTime: string
  /** Columns wanted: pixels of the chart. */
  readonly width: number
  /** Left out for the one that suits window and width. */
  readonly rollup?: string
  readonly queries: readonly SeriesQuery[]
}

const numberOrNull = v.nullable(v.number())
const column = v.array(numberOrNull)
const textOrEmpty = v.optional(v.nullable(v.string(), ""), "")

const summarySchema = v.object({
  min: numberOrNull,
  avg: numberOrNull,
  max: numberOrNull,
  last: numberOrNull,
  lastTime: numberOrNull,
  sum: numberOrNull,
  count: v.number(),
  p95: v.optional(numberOrNull, null),
})
export type SeriesSummary = v.InferOutput<typeof summarySchema>

const valuesSchema = v.object({
  ...v.entriesFromList(["actual", "low", "high", ...percentileNames], v.optional(column)),
  ...v.entriesFromList(
    ["baselineLower", "baselineUpper", "contextualLower", "contextualUpper"],
    v.optional(column),
  ),
})

const lineSchema = v.object({
  elementId: textOrEmpty,
  elementFqn: textOrEmpty,
  elementName: textOrEmpty,
  elementType: textOrEmpty,
  metricId: textOrEmpty,
  metricFqn: textOrEmpty,
  unit: v.pipe(textOrEmpty, v.transform(knownUnit)),
  /** Of a grouped line: the text that its series share. */
  group: v.optional(v.nullable(v.string()), null),
  isCounter: v.optional(v.boolean(), false),
  summary: summarySchema,
  values: v.optional(valuesSchema, {}),
})
export type SeriesLine = v.InferOutput<typeof lineSchema>

const columnsSchema = v.object({ start: v.number(), step: v.number(), count: v.number() })
export type SeriesColumns = v.InferOutput<typeof columnsSchema>

const goodResult = v.object({
  id: v.string(),
  status: v.literal("ok"),
  rollup: v.string(),
  columns: columnsSchema,
  matched: v.number(),
  shown: v.number(),
  isPartial: v.boolean(),
  series: v.array(lineSchema),
})
const badResult = v.object({
  id: v.string(),
  status: v.literal("error"),
  errors: v.pipe(v.array(v.string()), v.nonEmpty()),
})
export type SeriesResult = v.InferOutput<typeof goodResult>
export type SeriesFailure = v.InferOutput<typeof badResult>

export const seriesAnswer = v.object({
  startTime: v.number(),
  endTime: v.number(),
  serverTime: v.number(),
  queries: v.array(v.variant("status", [goodResult, badResult])),
})
export type SeriesAnswer = v.InferOutput<typeof seriesAnswer>

/** Names a single series, in answers of several calls. */
export function seriesKey(elementId: string, metricId: string): string {
  return `${elementId} ${metricId}`
}
