/** Reads the body of an aggregation: the filter of a query, and how its values are ordered. */

import type { Problems } from "../problems.ts"
import { readQueryBody, type QueryBody } from "./query-body.ts"

/** Sort fields of aggregations: the value, under any field name of a document, or its count. */
const aggregationFields = ["fieldValue", "count"] as const
export type AggregationField = (typeof aggregationFields)[number]

export type AggregationBody = QueryBody<AggregationField>

/** Real clients also send the sort of the query: any document field sorts by value. */
const sort = {
  plain: aggregationFields,
  tags: [],
  otherwise: "fieldValue",
} as const

/** null if the body is invalid; each reason is added to `problems`. */
export function readAggregationBody(raw: unknown, problems: Problems): AggregationBody | null {
  return readQueryBody(raw, { sort, all: aggregationFields, kept: [] }, problems)
}
