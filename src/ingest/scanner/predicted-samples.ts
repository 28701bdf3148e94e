/**
 * The hottest loop: samples that match their predicted template and consist of a timestamp and a
 * value.
 *
 *   {"metricId":"cpu.user","timestamp": 1700000000123,"val": 25.37 },{…
 *   ▲                                   ▲                    ▲     ▲ ▲
 *   at                               timeAt            valueAt   end at of the next sample
 *   └────── first literal ──────────────┘└── as before ──────┘└ read ┘
 *
 * One sample costs the comparison of its first literal, of the previous timestamp together with the
 * literal after it, and the parsing of one number, which is written directly into the columns.
 *
 * `at`, `template`, `previousTemplate` and `count` are local copies of `scan` and `columns`; they
 * are written back once after the loop, and describe the last complete sample.
 */

import { unknownSeries } from "./element-template-cache.ts"
import { matchesLiteral } from "./byte-literal.ts"
import { readNumber } from "./number.ts"
import type { ScanState } from "./scan-state.ts"
import type { SampleTemplates } from "./sample-templates.ts"
import { isRepeated, readNewTime } from "./sample-templates.ts"
import { closeBrace, comma, skipSpace } from "./skip.ts"

/**
 * Reads from `scan.at` as long as samples match their prediction. Returns true if another sample,
 * which does not match, must follow at `scan.at`; false if no comma follows. `series` has the
 * element's series by template; the loop also ends at a template whose series is unknown.
 */
export function readPredictedSamples(
  scan: ScanState,
  templates: SampleTemplates,
  series: Int32Array,
): boolean {
  const { bytes, view, limit, columns } = scan
  const { words, next, simple, firstLiterals, literalStarts, literalLengths } = templates
  const seriesColumn = columns.series
  const valuesColumn = columns.values
  let { at, template, previousTemplate } = scan
  let count = columns.count
  let isRunOpen = false
  let isCommaMissing = false

  while (template >= 0 && template < series.length && simple[template] === 1) {
    const part = firstLiterals[template]!
    const length = literalLengths[part]!
    const timeAt = at + length
    if (timeAt > limit || !matchesLiteral(view, at, words, literalStarts[part]!, length)) break
    if (series[template] === unknownSeries || count === valuesColumn.length) break
    const isAsBefore = isRepeated(scan, templates, literalStarts[part + 1]!, timeAt)
    const valueAt = isAsBefore
      ? timeAt + scan.repeatedLength
      : readNewTime(scan, templates, part + 1, timeAt)
    if (valueAt < 0) break
    const end = readNumber(bytes, valueAt, valuesColumn, count)
    if (end < 0 || bytes[end] !== closeBrace) break

    if (isAsBefore && isRunOpen) seriesColumn[count] = series[template]!
    else {
      const ms = isAsBefore ? scan.repeatedMs[0]! : scan.timeMs[0]!
      columns.count = count
      columns.push(series[template]!, ms, valuesColumn[count]!)
      isRunOpen = true
    }
    count++
    previousTemplate = template
    template = next[template]!
    at = end + 1
    if (bytes[at]! <= 32) at = skipSpace(bytes, at)
    isCommaMissing = bytes[at] !== comma
    if (isCommaMissing) break
    if (bytes[++at]! <= 32) at = skipSpace(bytes, at)
  }
  columns.count = count
  scan.at = at
  scan.template = template
  scan.previousTemplate = previousTemplate
  return !isCommaMissing
}
