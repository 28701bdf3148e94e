/** Reads the body of a metric query (spec/queries §1) into plain data. */

import type { MetricField } from "../metric-document.ts"
import { metricFieldNames } from "../metric-document.ts"
import type { Problems } from "../problems.ts"
import { readQueryBody, type QueryBody } from "./query-body.ts"
import { sortFieldsOf } from "./sort-body.ts"

export type MetricQueryBody = QueryBody<MetricField>

const tagFields = ["serviceTags", "netuitiveTags", "sourceTags"] as const

/** `elementId` remains too, so that the ids can feed `/metrics/statistics`. */
const fields = {
  sort: sortFieldsOf(metricFieldNames, { tagFields, unsorted: ["processingFlags"] }),
  all: metricFieldNames,
  kept: ["elementId"],
}

/** null if invalid; each reason is added to `problems`. No body selects everything. */
export function readMetricQueryBody(raw: unknown, problems: Problems): MetricQueryBody | null {
  return readQueryBody(raw, fields, problems)
}
