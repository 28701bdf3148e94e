/** The answer of `/metrics/crosselementagg`: one value a bucket. */

import { formatInstant } from "../../base/iso8601.ts"
import { resolutions } from "../../model/resolution.ts"
import { constant, instant, listOf, numberOrNull, oneOf, orNull, record } from "../answer.ts"
import { text, uuid, wholeNumber } from "../answer.ts"
import { jsonArray, jsonNumber, jsonText, type JsonText } from "../json.ts"

export const crossElementAnswer = record({
  metricFqn: orNull(text),
  rollup: oneOf(resolutions),
  aggregation: text,
  statistic: text,
  data: record({
    jobId: uuid,
    result: record({
      status: constant("SUCCESS"),
      message: text,
      data: listOf(record({ timestamp: instant, value: numberOrNull })),
    }),
  }),
  foundMetrics: wholeNumber,
  aggregatedMetrics: wholeNumber,
})

export interface CrossElementResult {
  readonly metricFqn: string | null
  readonly resolution: string
  readonly aggregation: string
  readonly statistic: string
  /** A UUID. */
  readonly jobId: string
  /** Duration of the query. */
  readonly seconds: number
  /** Oldest first. */
  readonly values: readonly CrossElementValue[]
  /** Metrics that match, and those of them that have values. */
  readonly foundMetrics: number
  readonly aggregatedMetrics: number
}

export interface CrossElementValue {
  readonly timeMs: number
  readonly value: number
}

export function printCrossElementResult(result: CrossElementResult): JsonText {
  const { metricFqn, resolution, aggregation, statistic, jobId, seconds, values } = result
  const data = jsonArray(
    values,
    ({ timeMs, value }) => `{"timestamp":"${formatInstant(timeMs)}","value":${jsonNumber(value)}}`,
  )
  const name = metricFqn === null ? "null" : jsonText(metricFqn)
  return (
    `{"metricFqn":${name},"rollup":"${resolution}","aggregation":"${aggregation}",` +
    `"statistic":"${statistic}","data":{"jobId":${jsonText(jobId)},"result":{` +
    `"status":"SUCCESS","message":"Job Completed in ${seconds.toFixed(3)}s","data":${data}}},` +
    `"foundMetrics":${result.foundMetrics},"aggregatedMetrics":${result.aggregatedMetrics}}`
  )
}
