/** Reads the body of an aggregation: the filter of a query, and how its values are ordered. */

import type { Problems } from "../problems.ts"
import { readQueryBody, type QueryBody } from "./query-body.ts"

/** The values themselves, by whatever field of a document they are named, or their counts. */
export const aggregationFields = ["fieldValue", "count"] as const
export type AggregationField = (typeof aggregationFields)[number]

export type AggregationBody = QueryBody<AggregationField>

/** Real clients send the sort of the query beside: any field of a document names the values. */
const sort = {
  plain: aggregationFields,
  tags: [],
  otherwise: "fieldValue",
} as const

/** null where something is wrong, and then `problems` says all that is. */
export function readAggregationBody(raw: unknown, problems: Problems): AggregationBody | null {
  return readQueryBody(raw, { sort, all: aggregationFields, kept: [] }, problems)
}
