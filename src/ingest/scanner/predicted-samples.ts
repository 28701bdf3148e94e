/**
 * The hottest loop: samples that look as predicted and are a timestamp and a value.
 *
 *   {"metricId":"cpu.user","timestamp": 1700000000123,"val": 25.37 }
 *   └────── first part ───────────────┘└── as before ──────┘└ read ┘
 *
 * One sample costs the comparison of its first part, of the last timestamp together with what
 * follows it, and the reading of one number, which goes straight into the columns.
 */

import { unknownSeries } from "./element-template-cache.ts"
import { matchesLiteral } from "./byte-literal.ts"
import { readNumber } from "./number.ts"
import type { ScanState } from "./scan-state.ts"
import type { SampleTemplates } from "./sample-templates.ts"
import { isRepeated, readNewTime } from "./sample-templates.ts"
import { closeBrace, comma, skipSpace } from "./skip.ts"

/**
 * Reads on from `scan.at` for as long as samples are as predicted. True where another sample has to
 * follow at `scan.at`, one that is not as predicted; false where no comma stands there. `series`
 * holds the element's series by template; where one is not known the walk ends as well.
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
