/** The answer of `/elements/{elementId}/metrics/{metricId}/samples`: data for charts. */

import { formatInstant } from "../../base/iso8601.ts"
import { resolutions, type Resolution } from "../../model/resolution.ts"
import {
  described,
  instant,
  listOf,
  numberOrNull,
  oneOf,
  optional,
  orNull,
  record,
} from "../answer.ts"
import { number, uuid } from "../answer.ts"
import { jsonPieces, jsonNumber, jsonText, type JsonText } from "../json.ts"

const field = (meaning: string) => described(optional(numberOrNull), meaning)

/** Fields that it has not are absent. */
export const sampleFieldsRecord = record({
  actual: field("Value of the bucket: its average, or as the settings of its metric say"),
  val: field("ZERO: the value as it was sent"),
  avg: field("Average of the observations"),
  min: field("Smallest observation"),
  max: field("Greatest observation"),
  cnt: field("Number of observations; 0 in a filled bucket"),
  sum: field("Sum of the observations"),
  sparseValue: field("Value that filled a gap; `actual` is the same"),
  baselineMean: field("PT5M: value that the weekly pattern of the metric lets expect"),
  baselineStddev: field("Its standard deviation"),
  baselineUpper: field("Upper end of the band: mean + 4 standard deviations, at most `validMax`"),
  baselineLower: field("Lower end of the band: mean - 4 standard deviations, at least `validMin`"),
  contextualMean: field("PT5M: value that the other metrics of the element let expect"),
  contextualStddev: field("Its standard deviation"),
  contextualUpper: field("Upper end of that band"),
  contextualLower: field("Lower end of that band"),
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
