/** The request of a page: its queries, filter, range and width as one call. */

import {
  percentileNames,
  type SeriesField,
  type SeriesQuery,
  type SeriesRequest,
} from "../../api/series-answer.ts"
import { drawnLinesMax } from "../../chart/model.ts"
import type { PercentileShape } from "../../chart/plot/plot-input.ts"
import { filterGroups, type FilterGroup, type FilterGroups } from "../../url/filter-groups.ts"
import { parseFilter, type FilterTerm } from "../../url/filter-language.ts"
import { isoTimes, type TimeRange } from "../../url/time-range.ts"
import { isoShift, type ExploreQuery } from "./query-codec.ts"

export interface RequestInput {
  readonly queries: readonly ExploreQuery[]
  /** Of the filter bar. */
  readonly terms: readonly FilterTerm[]
  readonly range: TimeRange
  readonly width: number
  readonly hasBands: boolean
  readonly percentiles: PercentileShape
}

export const letters = "ABCDEFGH"

/**
 * Values of an answer: 1,000 series of a day in buckets of 5 minutes, one field. More columns of so
 * many lines show nothing else. 20 series of three fields have a column for each pixel.
 */
const valuesMax = 300_000
const columnsMin = 150

const plainFields: readonly SeriesField[] = ["actual", "low", "high"]
/** Envelopes are shown for few lines; of many they are two thirds of an answer. */
const denseFields: readonly SeriesField[] = ["actual"]

/** Series whose percentiles the server computes in one query. */
const percentileSeriesMax = 50

/** Added to the id of a query for the query of its percentiles. */
export const percentileMark = ".p"

/** Null if no query has a metric. */
export function seriesRequest(input: RequestInput): SeriesRequest | null {
  const queries = input.queries.flatMap((query, i): SeriesQuery[] => {
    return query.metric === "" || query.isOff ? [] : queriesOf(query, letters[i]!, input)
  })
  if (queries.length === 0) return null
  const lines = queries
    .filter(({ id }) => !id.endsWith(percentileMark))
    .reduce((sum, { limit, fields }) => sum + limit * fields.length, 0)
  const width = Math.min(input.width, Math.max(columnsMin, Math.floor(valuesMax / lines)))
  return { ...isoTimes(input.range), width, queries }
}

/** Percentiles are a query of their own: if they fail, the lines are there all the same. */
function queriesOf(query: ExploreQuery, id: string, input: RequestInput): SeriesQuery[] {
  const { by, aggregation, order, direction, limit, shift } = query
  const isSeries = by === "series"
  const hasPercentiles = isSeries && input.percentiles !== "none" && limit <= percentileSeriesMax
  const bands: SeriesField[] = isSeries && input.hasBands ? ["baseline", "contextual"] : []
  const iso = isoShift(shift)
  const lines: SeriesQuery = {
    id,
    filter: queryFilter(query, input.terms),
    fields: [...(limit > drawnLinesMax ? denseFields : plainFields), ...bands],
    by,
    aggregation,
    order: { by: order, direction },
    limit,
    ...(iso !== undefined && { shift: iso }),
  }
  if (!hasPercentiles) return [lines]
  return [lines, { ...lines, id: id + percentileMark, fields: percentileNames }]
}

/** The metric, the query's own filter, and that of the page. */
export function queryFilter(
  { metric, where }: Pick<ExploreQuery, "metric" | "where">,
  terms: readonly FilterTerm[],
): FilterGroups {
  const groups = filterGroups([...terms, ...parseFilter(where).terms])
  const own = metricGroup(metric)
  const { metricFqns } = groups
  // Terms about metrics restrict the choice further.
  const both =
    metricFqns === undefined ? own : { and: true, items: [], nestedItems: [own, metricFqns] }
  return { ...groups, metricFqns: both }
}

/** A name, a text with * for any part, or a regular expression between slashes. */
export function metricGroup(metric: string): FilterGroup {
  const pattern = /^\/(.+)\/$/s.exec(metric)?.[1]
  if (pattern !== undefined) return { and: true, items: [{ item: pattern, queryType: "REGEX" }] }
  const isWild = metric.includes("*")
  const how = isWild ? { queryType: "WILDCARD", literal: false } : { literal: true }
  return { and: true, items: [{ item: metric, ...how }] }
}
