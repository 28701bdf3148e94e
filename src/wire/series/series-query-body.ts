/**
 * Reads the body of POST `/series/query` (spec/series §1): a window, and queries that are read one
 * by one, so that a bad one is an error of its own.
 */

import * as v from "valibot"
import {
  percentileSeriesMax,
  seriesColumnsDefault,
  seriesColumnsMax,
  seriesQueriesMax,
  seriesShownDefault,
  seriesShownMax,
  shiftMsMax,
} from "../../base/limits/series.ts"
import { parseDuration } from "../../base/iso8601.ts"
import { resolutions, type Resolution } from "../../model/resolution.ts"
import { booleanValue, objectValue, readWith, textValue, wholeNumberIn } from "../body.ts"
import { groupSchemas, readFilter } from "../filter/group-body.ts"
import type { Filter } from "../filter/list-group.ts"
import { seriesOrders, type SeriesOrderName } from "../filter/series-orders.ts"
import { didYouMean, Problems, shown } from "../problems.ts"
import { refuseUnknownNames } from "../unknown-names.ts"

/** Fields that are percentiles, and their fractions of 1. */
export const percentileFractions = {
  p1: 0.01,
  p5: 0.05,
  p25: 0.25,
  p50: 0.5,
  p75: 0.75,
  p95: 0.95,
  p99: 0.99,
} as const
export type PercentileField = keyof typeof percentileFractions
export const percentileFields = Object.keys(percentileFractions) as readonly PercentileField[]
export const bandNames = ["baseline", "contextual"] as const
export type BandName = (typeof bandNames)[number]

const seriesFields = [
  "actual",
  "low",
  "high",
  "avg",
  "min",
  "max",
  "sum",
  "cnt",
  "sparse",
  ...bandNames,
  "p1",
  "p5",
  "p25",
  "p50",
  "p75",
  "p95",
  "p99",
] as const
export type SeriesField = (typeof seriesFields)[number]

const seriesAggregations = [
  "avg",
  "sum",
  "min",
  "max",
  "cnt",
  "stddev",
  "p50",
  "p95",
  "p99",
] as const
export type SeriesAggregation = (typeof seriesAggregations)[number]

const seriesRollups = ["AUTO", ...resolutions] as const

/** How lines are made: of each series, or of all series with the same text. */
const seriesGroupings = [
  "series",
  "element",
  "metric",
  "type",
  "location",
  "tag",
  "attribute",
  "all",
] as const

export interface SeriesGrouping {
  readonly by: (typeof seriesGroupings)[number]
  /** Of a tag or attribute; otherwise empty. */
  readonly name: string
}

export interface SeriesOrder {
  readonly by: SeriesOrderName
  readonly descending: boolean
}

export interface SeriesName {
  /** Ids or FQNs. */
  readonly elementId: string
  readonly metricId: string
}

/** One query that was read. */
export interface SeriesQuery {
  readonly id: string
  /** Null if it names its series. */
  readonly filter: Filter | null
  readonly series: readonly SeriesName[] | null
  readonly fields: readonly SeriesField[]
  readonly grouping: SeriesGrouping
  readonly aggregation: SeriesAggregation
  /** Null keeps named series in the order of their names. */
  readonly order: SeriesOrder | null
  readonly limit: number
  /** How long before its columns the values are read, in milliseconds. */
  readonly shiftMs: number
  readonly summaryOnly: boolean
}

/** A query, or why it cannot be read. */
export type ReadSeriesQuery =
  | { readonly id: string; readonly query: SeriesQuery; readonly errors?: undefined }
  | { readonly id: string; readonly errors: readonly string[]; readonly query?: undefined }

export interface SeriesQueryBody {
  /** As sent; undefined if absent or empty. */
  readonly startTime: string | undefined
  readonly endTime: string | undefined
  readonly duration: string | undefined
  /** Wanted columns. */
  readonly width: number
  /** Null lets the server choose. */
  readonly resolution: Resolution | null
  readonly queries: readonly ReadSeriesQuery[]
}

const oneOfWords = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `one of ${words.join(", ")}`)

const rollupValue = v.pipe(
  v.string(),
  v.transform((text) => text.toUpperCase()),
  oneOfWords(seriesRollups),
)

const queryEntries = {
  id: textValue,
  series: v.nullish(
    v.pipe(
      v.array(objectValue({ elementId: textValue, metricId: textValue })),
      v.maxLength(seriesShownMax, `at most ${seriesShownMax} series`),
    ),
  ),
  fields: v.nullish(v.array(oneOfWords(seriesFields))),
  by: v.nullish(textValue, "series"),
  aggregation: v.nullish(oneOfWords(seriesAggregations), "avg"),
  order: v.nullish(
    objectValue({
      by: v.nullish(oneOfWords(seriesOrders), "avg"),
      direction: v.nullish(oneOfWords(["desc", "asc"]), "desc"),
    }),
  ),
  limit: v.nullish(wholeNumberIn(1, seriesShownMax)),
  shift: v.nullish(textValue, ""),
  summaryOnly: v.nullish(booleanValue, false),
}

/** Its filter is read by `readFilter`, which says more of what is wrong. */
const queryBody = objectValue({ ...queryEntries, filter: v.nullish(objectValue({})) })
const describedQuery = objectValue({
  ...queryEntries,
  filter: v.nullish(objectValue({ ...groupSchemas }, ["elementAttributes"])),
})

const windowEntries = {
  startTime: v.nullish(textValue, ""),
  endTime: v.nullish(textValue, ""),
  duration: v.nullish(textValue, ""),
  width: v.nullish(wholeNumberIn(1, seriesColumnsMax), seriesColumnsDefault),
  rollup: v.nullish(rollupValue, "AUTO"),
}
const queryCount = `1 to ${seriesQueriesMax} queries`
const body = objectValue({
  ...windowEntries,
  queries: v.pipe(
    v.array(v.unknown(), queryCount),
    v.minLength(1, queryCount),
    v.maxLength(seriesQueriesMax, queryCount),
  ),
})

/** The whole body, for the API description. */
export const seriesQuerySchema = objectValue({
  ...windowEntries,
  rollup: v.nullish(oneOfWords(seriesRollups), "AUTO"),
  queries: v.pipe(v.array(describedQuery), v.minLength(1), v.maxLength(seriesQueriesMax)),
})

/** Null if the body is invalid as a whole; each reason is added to `problems`. */
export function readSeriesQueryBody(raw: unknown, problems: Problems): SeriesQueryBody | null {
  refuseUnknownNames(body, raw, { path: "", problems })
  const read = readWith(body, raw ?? {}, { path: "", problems })
  if (read === null) return null
  const { startTime, endTime, duration, width, rollup } = read
  const ids = new Set<string>()
  return {
    startTime: startTime || undefined,
    endTime: endTime || undefined,
    duration: duration || undefined,
    width,
    resolution: rollup === "AUTO" ? null : rollup,
    queries: read.queries.map((one, i) => readQuery(one, i, ids)),
  }
}

/** `ids`: of the queries before it, to which its own is added. */
function readQuery(raw: unknown, index: number, ids: Set<string>): ReadSeriesQuery {
  const problems = new Problems()
  refuseUnknownNames(describedQuery, raw, { path: "", problems })
  const read = readWith(queryBody, raw, { path: "", problems })
  if (read === null) return { id: idOf(raw, index), errors: problems.sentences() }
  const { id, series = null, limit, order, summaryOnly, aggregation } = read
  if (ids.has(id)) problems.add(`id: expected an id of its own, got ${shown(id)} again`)
  ids.add(id)
  const hasFilter = read.filter !== null && read.filter !== undefined
  if (hasFilter === (series !== null)) {
    problems.add(`filter: expected either filter or series, got ${hasFilter ? "both" : "neither"}`)
  }
  const given = (raw as { readonly filter?: Readonly<Record<string, unknown>> }).filter ?? {}
  const query: SeriesQuery = {
    id,
    filter: hasFilter ? readFilter(given, problems).filter : null,
    series,
    fields: [...new Set(read.fields ?? (["actual", "low", "high"] as const))],
    grouping: readGrouping(read.by ?? "series", problems),
    aggregation: aggregation ?? "avg",
    order: readOrder(order, series === null),
    limit: limit ?? series?.length ?? seriesShownDefault,
    shiftMs: readShift(read.shift ?? "", problems),
    summaryOnly: summaryOnly ?? false,
  }
  checkFields(query, problems)
  const errors = problems.sentences()
  return errors.length > 0 ? { id, errors } : { id, query }
}

/** The id of a query that cannot be read, if it has one; otherwise its position. */
function idOf(raw: unknown, index: number): string {
  const id = typeof raw === "object" && raw !== null ? (raw as { id?: unknown }).id : undefined
  return typeof id === "string" || typeof id === "number" ? String(id) : String(index)
}

type OrderBody = v.InferOutput<typeof queryBody>["order"]

function readOrder(order: OrderBody, isFilter: boolean): SeriesOrder | null {
  if (order === null || order === undefined) {
    return isFilter ? { by: "avg", descending: true } : null
  }
  return { by: order.by ?? "avg", descending: (order.direction ?? "desc") === "desc" }
}

function readGrouping(text: string, problems: Problems): SeriesGrouping {
  const dot = text.indexOf(".")
  const word = dot < 0 ? text : text.slice(0, dot)
  const name = dot < 0 ? "" : text.slice(dot + 1)
  const by = seriesGroupings.find((one) => one === word)
  const isNamed = by === "tag" || by === "attribute"
  if (by !== undefined && isNamed === (name !== "")) return { by, name }
  const accepted = seriesGroupings.map((one) =>
    one === "tag" || one === "attribute" ? `${one}.<name>` : one,
  )
  const hint = didYouMean(word, seriesGroupings)
  problems.add(`by: expected one of ${accepted.join(", ")}, got ${shown(text)}${hint}`)
  return { by: "series", name: "" }
}

function readShift(text: string, problems: Problems): number {
  if (text === "") return 0
  const ms = parseDuration(text)
  if (ms !== undefined && ms <= shiftMsMax) return ms
  problems.add(
    `shift: expected an ISO 8601 duration of at most ten years such as P7D, got ${shown(text)}`,
  )
  return 0
}

/** Fields of which groups have none. */
const fieldsOfSeries: ReadonlySet<SeriesField> = new Set([
  "sparse",
  ...bandNames,
  ...percentileFields,
])

function checkFields({ fields, grouping, limit }: SeriesQuery, problems: Problems): void {
  const hasPercentile = percentileFields.some((field) => fields.includes(field))
  if (hasPercentile && limit > percentileSeriesMax) {
    problems.add(`limit: expected at most ${percentileSeriesMax} with percentiles, got ${limit}`)
  }
  if (fields.length === 0) problems.add("fields: expected at least one field, got none")
  if (grouping.by === "series") return
  for (const field of fields) {
    if (!fieldsOfSeries.has(field)) continue
    problems.add(`fields: expected no ${field} with by ${grouping.by}: only a series has it`)
  }
}
