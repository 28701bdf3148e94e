/**
 * The answer of POST `/series/query` as CSV (RFC 4180, spec/series §5): a row for each column of a
 * line that has a value.
 */

import { csvField } from "../../base/text/csv-field.ts"
import { formatInstant } from "../../base/iso8601.ts"
import type { JsonText } from "../json.ts"
import type { SeriesLine, SeriesResult } from "./series-query-result.ts"

export interface CsvQuery {
  readonly id: string
  readonly result: SeriesResult
}

/** Columns besides time, element, metric and the fields. */
interface CsvShape {
  readonly fields: readonly string[]
  /** Whether the answer has several queries, or groups. */
  readonly withQuery: boolean
  readonly withGroup: boolean
}

export function printSeriesCsv(queries: readonly CsvQuery[]): JsonText {
  const lines = queries.flatMap(({ result }) => result.lines)
  const shape = {
    fields: [...new Set(lines.flatMap(({ columns }) => columns.map(({ name }) => name)))],
    withQuery: queries.length > 1,
    withGroup: lines.some(({ subject }) => subject.group !== null),
  }
  const { fields, withQuery, withGroup } = shape
  const more = [...(withGroup ? ["group"] : []), ...(withQuery ? ["query"] : [])]
  return (out, endPiece) => {
    out.text(row(["time", "element", "metric", ...more, ...fields]))
    for (const { id, result } of queries) {
      for (const line of result.lines) {
        out.text(rowsOf(line, id, result, shape))
        endPiece()
      }
    }
  }
}

function rowsOf(
  { subject, columns }: SeriesLine,
  id: string,
  { grid }: SeriesResult,
  { fields, withQuery, withGroup }: CsvShape,
): string {
  const { elementFqn, metricFqn, group } = subject
  const named = [elementFqn, metricFqn, ...(withGroup ? [group] : []), ...(withQuery ? [id] : [])]
  const words = named.map((text) => csvField(text ?? "")).join(",")
  const values = fields.map((field) => columns.find(({ name }) => name === field)?.values)
  let text = ""
  for (let i = 0; i < grid.count; i++) {
    const numbers = values.map((column) => numberText(column?.[i]))
    if (numbers.every((number) => number === "")) continue
    const time = formatInstant(grid.startMs + i * grid.stepMs)
    text += `${time},${words},${numbers.join(",")}\r\n`
  }
  return text
}

function row(texts: readonly string[]): string {
  return `${texts.map(csvField).join(",")}\r\n`
}

/** Empty if there is no value. */
function numberText(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? "" : `${value}`
}
