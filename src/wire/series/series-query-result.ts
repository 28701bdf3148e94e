/** The answer of POST `/series/query` (spec/series §2). All times are epoch milliseconds. */

import { resolutions, type Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import {
  described,
  flag,
  listOf,
  mapOf,
  numberOrNull,
  oneOf,
  orNull,
  record,
  text,
  wholeNumber,
} from "../answer.ts"
import { jsonArray, jsonItems, jsonText, type JsonText } from "../json.ts"
import type { JsonBytes } from "../json-bytes.ts"

const summaryRecord = record({
  min: numberOrNull,
  avg: numberOrNull,
  max: numberOrNull,
  last: numberOrNull,
  lastTime: orNull(wholeNumber),
  sum: numberOrNull,
  count: described(wholeNumber, "Buckets of the window with an actual; raw samples of ZERO"),
  p95: numberOrNull,
})

const lineRecord = record({
  elementId: described(orNull(text), "Null for groups, unless all of their series share it"),
  elementFqn: orNull(text),
  elementName: orNull(text),
  elementType: orNull(text),
  metricId: orNull(text),
  metricFqn: orNull(text),
  unit: described(
    orNull(text),
    "Tag `unit` of the metric, otherwise its unit; null if they differ",
  ),
  group: described(orNull(text), "What its series share; null without groups"),
  isCounter: described(flag, "An actual is the increase in its bucket"),
  summary: described(summaryRecord, "Statistics of the actuals of the window"),
  values: described(
    mapOf(listOf(numberOrNull)),
    "By field one value a column, null if there is none; a band has three: `baselineMean`, " +
      "`baselineLower`, `baselineUpper`",
  ),
})

const columnsRecord = record({
  start: described(wholeNumber, "Start of the first column, epoch milliseconds"),
  step: described(wholeNumber, "Width of a column in milliseconds"),
  count: wholeNumber,
})

const queryRecord = record({
  id: text,
  status: oneOf(["ok", "error"]),
  errors: described(listOf(text), "What is wrong with this query; the others are answered"),
  rollup: described(orNull(oneOf(resolutions)), "Resolution that was read; null after an error"),
  columns: columnsRecord,
  matched: described(wholeNumber, "Series, or groups, that the query is about"),
  shown: wholeNumber,
  isPartial: described(flag, "True if a limit of time or values left something out"),
  unit: orNull(text),
  series: listOf(lineRecord),
})

export const seriesQueryAnswer = record({
  startTime: wholeNumber,
  endTime: wholeNumber,
  serverTime: wholeNumber,
  queries: listOf(queryRecord),
})

/** Columns of equal width on a grid from the epoch on, UTC. */
export interface ColumnGrid {
  readonly startMs: number
  readonly stepMs: number
  readonly count: number
}

export interface SeriesSummary {
  readonly min: number | null
  readonly avg: number | null
  readonly max: number | null
  readonly last: number | null
  readonly lastTime: number | null
  readonly sum: number | null
  readonly count: number
  readonly p95: number | null
}

/** The subject of a line; null for facts that the series of a group do not share. */
export interface SeriesSubject {
  readonly elementId: string | null
  readonly elementFqn: string | null
  readonly elementName: string | null
  readonly elementType: string | null
  readonly metricId: string | null
  readonly metricFqn: string | null
  readonly unit: string | null
  readonly group: string | null
  readonly isCounter: boolean
}

/** The values of one field by column; NaN if there is none. */
export interface FieldColumn {
  readonly name: string
  readonly values: Float64Array
}

export interface SeriesLine {
  readonly subject: SeriesSubject
  readonly summary: SeriesSummary
  readonly columns: readonly FieldColumn[]
}

/** The lines of one query. */
export interface SeriesResult {
  readonly resolution: Resolution
  readonly grid: ColumnGrid
  readonly matched: number
  readonly isPartial: boolean
  readonly unit: string | null
  readonly lines: readonly SeriesLine[]
}

export type SeriesQueryResult =
  | { readonly id: string; readonly result: SeriesResult; readonly errors?: undefined }
  | { readonly id: string; readonly errors: readonly string[]; readonly result?: undefined }

export interface SeriesAnswer {
  readonly span: Span
  readonly nowMs: number
  readonly queries: readonly SeriesQueryResult[]
}

export function printSeriesAnswer({ span, nowMs, queries }: SeriesAnswer): JsonText {
  const head = `{"startTime":${span.startMs},"endTime":${span.endMs},"serverTime":${nowMs}`
  return jsonItems(`${head},"queries":`, queries, printQuery, "}")
}

const nothing = '"columns":{"start":0,"step":1,"count":0},"matched":0,"shown":0,"isPartial":false'

/** A piece a line: an answer of 1,000 lines is never whole in memory. */
function printQuery(
  out: JsonBytes,
  { id, errors, result }: SeriesQueryResult,
  endPiece: () => void,
): void {
  if (errors !== undefined) {
    const sentences = jsonArray(errors, jsonText)
    out.text(`{"id":${jsonText(id)},"status":"error","errors":${sentences},"rollup":null,`)
    return out.text(`${nothing},"unit":null,"series":[]}`)
  }
  const { resolution, grid, matched, isPartial, unit, lines } = result
  const columns = `{"start":${grid.startMs},"step":${grid.stepMs},"count":${grid.count}}`
  const head =
    `{"id":${jsonText(id)},"status":"ok","errors":[],"rollup":"${resolution}",` +
    `"columns":${columns},"matched":${matched},"shown":${lines.length},` +
    `"isPartial":${isPartial},"unit":${textOrNull(unit)},"series":`
  jsonItems(head, lines, printLine, "}")(out, endPiece)
}

function printLine(out: JsonBytes, { subject, summary, columns }: SeriesLine): void {
  out.text(JSON.stringify(subject).slice(0, -1))
  out.text(`,"summary":${JSON.stringify(summary)},"values":{`)
  for (const [i, { name, values }] of columns.entries()) {
    out.text(`${i > 0 ? "," : ""}"${name}":`)
    out.numbers(values)
  }
  out.text("}}")
}

function textOrNull(value: string | null): string {
  return value === null ? "null" : jsonText(value)
}
