/** The answer of `/elements/{elementId}/metrics/{metricId}/samples`: data for charts. */

import { formatInstant } from "../../base/iso8601.ts"
import { resolutions, type Resolution } from "../../model/resolution.ts"
import { instant, listOf, numberOrNull, oneOf, optional, orNull, record } from "../answer.ts"
import { number, uuid } from "../answer.ts"
import { jsonPieces, jsonNumber, jsonText, type JsonText } from "../json.ts"

const value = optional(numberOrNull)

/** Fields that it has not are absent. */
export const sampleFieldsRecord = record({
  actual: value,
  val: value,
  avg: value,
  min: value,
  max: value,
  cnt: value,
  sum: value,
  sparseValue: value,
  baselineMean: value,
  baselineStddev: value,
  baselineUpper: value,
  baselineLower: value,
  contextualMean: value,
  contextualStddev: value,
  contextualUpper: value,
  contextualLower: value,
})

export const sampleRecord = record({
  metricId: uuid,
  timestamp: instant,
  rollup: oneOf(resolutions),
  data: sampleFieldsRecord,
})

export const samplesAnswer = record({ samples: listOf(sampleRecord) })

export const samplesWithSummaryAnswer = record({
  samples: listOf(sampleRecord),
  sampleMin: orNull(number),
  sampleAvg: orNull(number),
  sampleMax: orNull(number),
  sampleSum: orNull(number),
})

export interface SamplesResult {
  /** A UUID in lower case. */
  readonly metricId: string
  readonly resolution: Resolution
  /** Oldest first. */
  readonly samples: readonly SampleEntry[]
  /** The `/ui` variant's figures over all samples. */
  readonly summary?: SampleSummary
}

export interface SampleEntry {
  readonly timeMs: number
  /** Printed as `data`, in the order of its keys. */
  readonly fields: Readonly<Partial<Record<string, number>>>
}

/** `null` if no sample has an actual value. */
export interface SampleSummary {
  readonly min: number | null
  readonly avg: number | null
  readonly max: number | null
  readonly sum: number | null
}

export function printSamplesResult(result: SamplesResult): JsonText {
  const rest = `","rollup":"${result.resolution}","data":`
  const head = `{"metricId":"${result.metricId}","timestamp":"`
  return jsonPieces(
    `{"samples":`,
    result.samples,
    (sample) => head + formatInstant(sample.timeMs) + rest + fields(sample.fields) + "}",
    `${summary(result.summary)}}`,
  )
}

function fields(of: SampleEntry["fields"]): string {
  let text = ""
  for (const name in of) {
    const value = of[name]
    if (value !== undefined) text += `${text && ","}${jsonText(name)}:${jsonNumber(value)}`
  }
  return `{${text}}`
}

function summary(of: SampleSummary | undefined): string {
  if (of === undefined) return ""
  const { min, avg, max, sum } = of
  const print = (value: number | null) => (value === null ? "null" : jsonNumber(value))
  return (
    `,"sampleMin":${print(min)},"sampleAvg":${print(avg)},` +
    `"sampleMax":${print(max)},"sampleSum":${print(sum)}`
  )
}
