/** A chart as a sentence, for readers who do not see it. */

import { valueText, type NumberStyle } from "../format/numbers.ts"
import { shortTimeText, type TimeStyle } from "../format/times.ts"
import type { ChartLine } from "./model.ts"
import { text } from "./text.ts"

export interface SentenceInput {
  readonly title: string
  /** The name of the range: "last 6 hours". */
  readonly rangeName: string
  readonly nowMs: number
  readonly timeStyle: TimeStyle
  readonly numberStyle: NumberStyle
}

/** `cpu.total, 20 lines, last 6 hours: 12 % to 98 %, highest web-03 at 14:05`. */
export function chartSentence(lines: readonly ChartLine[], input: SentenceInput): string {
  const { title, rangeName, nowMs, timeStyle, numberStyle } = input
  const peaks = lines.map(peakOf).filter((peak) => peak !== null)
  const [first] = peaks
  if (first === undefined) return text.noValues(title, rangeName)
  const highest = peaks.reduce((most, peak) => (peak.value > most.value ? peak : most), first)
  const lowest = lines.reduce<ChartLine>(
    (least, line) =>
      (line.summary.min ?? Infinity) < (least.summary.min ?? Infinity) ? line : least,
    first.line,
  )
  return text.sentence({
    title,
    lines: lines.length,
    range: rangeName,
    least: valueText(lowest.summary.min, lowest.unit, numberStyle),
    greatest: valueText(highest.value, highest.line.unit, numberStyle),
    highest: highest.line.name,
    at: shortTimeText(highest.ms, nowMs, timeStyle),
  })
}

interface Peak {
  readonly line: ChartLine
  readonly value: number
  readonly ms: number
}

/** The greatest value of a line; null for one without values. */
function peakOf(line: ChartLine): Peak | null {
  const { start, step } = line.columns
  const values = line.envelope?.high ?? line.values
  let peak: Peak | null = null
  for (const [i, value] of values.entries()) {
    if (value !== null && (peak === null || value > peak.value)) {
      peak = { line, value, ms: start + i * step }
    }
  }
  return peak
}
