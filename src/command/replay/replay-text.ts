/** A replayed cycle as a line of CSV or JSON. */

import { csvField } from "../../base/text/csv-field.ts"
import { cyclesPerDay } from "../../model/resolution.ts"
import { cycleStartMs } from "../../analysis/cycle.ts"
import { formatInstant } from "../../base/iso8601.ts"
import { lowerBound, upperBound } from "../../model/band.ts"
import { bandRecordFields } from "../../store/query-store.ts"
import type { ReplayCycle } from "./replay-cycle.ts"

const fields = ["actual", "sparseValue", ...bandRecordFields] as const

/** Printed values of a metric, in the order of `fields`; NaN for an absent one. */
function valuesOf({ rows, sparseValue }: ReplayCycle, row: number): readonly number[] {
  const { inputs, bands } = rows
  const baseline = { mean: bands.baselineMean[row]!, stddev: bands.baselineStddev[row]! }
  const contextual = { mean: bands.contextualMean[row]!, stddev: bands.contextualStddev[row]! }
  return [
    inputs.actual[row]!,
    sparseValue[row]!,
    baseline.mean,
    baseline.stddev,
    upperBound(baseline),
    lowerBound(baseline),
    contextual.mean,
    contextual.stddev,
    upperBound(contextual),
    lowerBound(contextual),
  ]
}

/** The header; if there are several metrics, their names precede the fields. */
export function csvHeader(metrics: readonly string[]): string {
  const names = metrics.flatMap((metric) =>
    fields.map((field) => csvField(metrics.length === 1 ? field : `${metric}.${field}`)),
  )
  return `${["timestamp", ...names, "score"].join(",")}\n`
}

/** A line of CSV; an absent value is an empty cell. */
export function csvLine(cycle: number, closed: ReplayCycle): string {
  let line = timeText(cycle)
  for (let row = 0; row < closed.rows.count; row++) {
    const values = valuesOf(closed, row)
    for (let i = 0; i < values.length; i++) line += Number.isNaN(values[i]) ? "," : `,${values[i]}`
  }
  return `${line},${rounded(closed.score)}\n`
}

/** A line of JSON without absent values. */
export function jsonLine(cycle: number, metrics: readonly string[], closed: ReplayCycle): string {
  const entries = metrics.map((metric, row) => {
    const values = valuesOf(closed, row)
    const present = fields.flatMap((field, i) =>
      Number.isNaN(values[i]) ? [] : [[field, values[i]!] as const],
    )
    return [metric, Object.fromEntries(present)] as const
  })
  const timestamp = timeText(cycle)
  const score = rounded(closed.score)
  return `${JSON.stringify({ timestamp, metrics: Object.fromEntries(entries), score })}\n`
}

/** Nine decimals distinguish a cycle that occurs once in ten thousand years. */
function rounded(score: number): number {
  return Math.round(score * 1e9) / 1e9
}

/** Times of day, which repeat every day: formatting a date takes as long as its score. */
const timesOfDay = Array.from({ length: cyclesPerDay }, (_, cycle) =>
  formatInstant(cycleStartMs(cycle)).slice("1970-01-01".length),
)
let day = NaN
let dayText = ""

/** The start of a cycle in ISO 8601. */
function timeText(cycle: number): string {
  const cycleDay = Math.floor(cycle / cyclesPerDay)
  const start = cycleDay * cyclesPerDay
  if (cycleDay !== day) dayText = formatInstant(cycleStartMs(start)).split("T")[0]!
  day = cycleDay
  return dayText + timesOfDay[cycle - start]!
}
