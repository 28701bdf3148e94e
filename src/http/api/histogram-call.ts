/** Calls for numbers by level in equal parts of a window, and their answers (spec/events §5). */

import { histogramBucketsDefault, histogramBucketsMax } from "../../base/limits/records.ts"
import { QueryParameters } from "../../query/query.ts"
import type { LevelHistogram } from "../../records/incidents/level-counts.ts"
import { described, flag, listOf, record, wholeNumber, type Written } from "../../wire/answer.ts"
import { Problems } from "../../wire/problems.ts"
import { queryParameter, wholeValue } from "../shared/parameters.ts"
import type { Call, Parameter } from "../shared/route.ts"
import { readCount } from "./event-filter-parameters.ts"

export const bucketsParameter: Parameter = queryParameter("buckets", "Parts of the window", {
  value: wholeValue(1, histogramBucketsMax, histogramBucketsDefault),
  example: "60",
})

/** Throws `invalid`. */
export function readBuckets(call: Call): number {
  const problems = new Problems()
  const params = new QueryParameters(call.query, problems)
  const read = readCount(params, { name: "buckets", max: histogramBucketsMax, problems })
  if (read === 0) problems.add(`buckets: expected a whole number, 1 to ${histogramBucketsMax}`)
  problems.throwIfAny()
  return read ?? histogramBucketsDefault
}

const countsRecord = listOf(wholeNumber)
export const histogramAnswer = record({
  start: described(wholeNumber, "Of the first part, in epoch milliseconds"),
  step: described(wholeNumber, "Width of a part in milliseconds"),
  count: wholeNumber,
  levels: described(
    record({ INFO: countsRecord, WARNING: countsRecord, CRITICAL: countsRecord }),
    "Numbers of each part",
  ),
  isPartial: described(flag, "True if there are more than were looked at: the newest count"),
})

export const histogramExample: Written<typeof histogramAnswer> = {
  start: 1_767_571_200_000,
  step: 1_800_000,
  count: 2,
  levels: { INFO: [0, 2], WARNING: [0, 0], CRITICAL: [1, 0] },
  isPartial: false,
}

export function histogramDocument(found: LevelHistogram): Written<typeof histogramAnswer> {
  const { startMs, stepMs, counts, isPartial } = found
  const levels = {
    INFO: [...counts.INFO],
    WARNING: [...counts.WARNING],
    CRITICAL: [...counts.CRITICAL],
  }
  return { start: startMs, step: stepMs, count: counts.INFO.length, levels, isPartial }
}
