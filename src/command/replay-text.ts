/** A replayed cycle as a line of CSV or JSON. */

import { cycleStartMs } from "../analysis/cycle.ts"
import { formatInstant } from "../base/iso8601.ts"
import type { ReplayCycle } from "./replay-cycle.ts"

const bandFields = [
  "baselineMean",
  "baselineStddev",
  "baselineUpper",
  "baselineLower",
  "contextualMean",
  "contextualStddev",
  "contextualUpper",
  "contextualLower",
] as const
const fields = ["actual", "sparseValue", ...bandFields]

/** The header; names of metrics stand before the fields where there are several. */
export function csvHeader(metrics: readonly string[]): string {
  const names = metrics.flatMap((metric) =>
    fields.map((field) => quoted(metrics.length === 1 ? field : `${metric}.${field}`)),
  )
  return `${["timestamp", ...names, "score"].join(",")}\n`
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line; what is not there is an empty cell. */
export function csvLine(cycle: number, closed: ReplayCycle): string {
  let line = formatInstant(cycleStartMs(cycle))
  for (let i = 0; i < closed.actual.length; i++) {
    line += cell(closed.actual[i]!) + cell(closed.sparseValue[i]!)
    for (const field of bandFields) line += cell(closed.bands[field][i]!)
  }
  return `${line},${rounded(closed.score)}\n`
}

function cell(value: number): string {
  return Number.isNaN(value) ? "," : `,${value}`
}

/** A line; what is not there is left out. */
export function jsonLine(cycle: number, metrics: readonly string[], closed: ReplayCycle): string {
  const entries = metrics.map((metric, i) => {
    const values: Record<string, number> = {}
    if (!Number.isNaN(closed.actual[i]!)) values["actual"] = closed.actual[i]!
    if (!Number.isNaN(closed.sparseValue[i]!)) values["sparseValue"] = closed.sparseValue[i]!
    for (const field of bandFields) {
      const value = closed.bands[field][i]!
      if (!Number.isNaN(value)) values[field] = value
    }
    return [metric, values] as const
  })
  const timestamp = formatInstant(cycleStartMs(cycle))
  const score = rounded(closed.score)
  return `${JSON.stringify({ timestamp, metrics: Object.fromEntries(entries), score })}\n`
}

/** Nine decimals tell one cycle in ten thousand years apart. */
function rounded(score: number): number {
  return Math.round(score * 1e9) / 1e9
}
