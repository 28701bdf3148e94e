/**
 * Imports CSV (RFC 4180) with a header that has the columns `element`, `metric` and `timestamp`,
 * and any of the others of an export; unknown columns are ignored.
 *
 * Lines without a quote, nearly all, are cut at their commas: 1.0 µs for a row of ten columns, of
 * which csv-parse took 4.5.
 */

import { invalid } from "../../base/errors.ts"
import { importLineCharactersMax } from "../../base/limits.ts"
import type { ImportTarget } from "./import-target.ts"
import { linesOf } from "./lines.ts"
import type { LineProblems } from "./problems.ts"
import { RowImport } from "./row-import.ts"
import { fieldIndex, instantOf, numberOf, RowFields } from "./values.ts"

export async function readCsv(
  chunks: AsyncIterable<Uint8Array>,
  target: ImportTarget,
  problems: LineProblems,
): Promise<void> {
  const rows = new CsvRows()
  const reader = new CsvReader(target)
  for await (const { firstLine, lines } of linesOf(chunks)) {
    for (const [i, line] of lines.entries()) {
      const line1 = firstLine + i
      const guarded = (): void => {
        const cells = rows.next(line)
        if (cells !== null) reader.read(cells)
      }
      // Without a header no row means anything.
      if (reader.hasHeader) problems.guard(line1, guarded)
      else readHeader(line1, guarded)
    }
    await target.drain()
  }
  if (rows.isOpen) problems.note(rows.lineCount, "a quote is not closed")
}

function readHeader(line: number, read: () => void): void {
  try {
    read()
  } catch (error) {
    throw invalid(`line ${line}: ${(error as Error).message}`)
  }
}

/** Joins the lines of a field between quotes, and cuts rows into cells. */
export class CsvRows {
  lineCount = 0
  private open: string | null = null

  get isOpen(): boolean {
    return this.open !== null
  }

  /** Cells of the row that ends with this line; null if it goes on, or if the line is empty. */
  next(text: string): readonly string[] | null {
    this.lineCount++
    const line = text.endsWith("\r") ? text.slice(0, -1) : text
    if (this.open === null && !line.includes('"')) return line === "" ? null : line.split(",")
    const row: string = this.open === null ? text : `${this.open}\n${text}`
    this.open = null
    if (isUnfinished(row)) {
      if (row.length > importLineCharactersMax) {
        throw invalid(`a field between quotes has more than ${importLineCharactersMax} characters`)
      }
      this.open = row
      return null
    }
    return cellsOf(row.endsWith("\r") ? row.slice(0, -1) : row)
  }
}

/** An odd number of quotes: a field goes on in the next line. */
function isUnfinished(row: string): boolean {
  let isOdd = false
  for (let at = row.indexOf('"'); at >= 0; at = row.indexOf('"', at + 1)) isOdd = !isOdd
  return isOdd
}

function cellsOf(row: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= row.length;) {
    if (row[at] !== '"') {
      const comma = row.indexOf(",", at)
      const end = comma < 0 ? row.length : comma
      cells.push(row.slice(at, end))
      at = end + 1
      continue
    }
    const end = closingQuote(row, at + 1)
    cells.push(row.slice(at + 1, end).replaceAll('""', '"'))
    if (end + 1 < row.length && row[end + 1] !== ",") {
      throw invalid(`column ${cells.length}: expected a comma after the closing quote`)
    }
    at = end + 2
  }
  return cells
}

/** The number of quotes is even, so there is one. */
function closingQuote(row: string, from: number): number {
  for (let at = row.indexOf('"', from); ; at = row.indexOf('"', at + 2)) {
    if (row[at + 1] !== '"') return at
  }
}

const required = ["element", "metric", "timestamp"] as const

class CsvReader {
  private readonly rows: RowImport
  private readonly fields = new RowFields()
  private header: readonly string[] = []
  /** Column of each name, -1 if it is absent. */
  private at = { element: -1, metric: -1, timestamp: -1, rollup: -1, about: -1 }
  private values: readonly { readonly column: number; readonly field: number }[] = []

  constructor(target: ImportTarget) {
    this.rows = new RowImport(target)
  }

  get hasHeader(): boolean {
    return this.header.length > 0
  }

  read(cells: readonly string[]): void {
    if (!this.hasHeader) return this.readHeader(cells)
    if (cells.length !== this.header.length) {
      throw invalid(`expected ${this.header.length} columns, got ${cells.length}`)
    }
    const { at, fields, rows } = this
    const about = at.about < 0 ? "" : cells[at.about]!
    if (about !== "") rows.declare(about)
    fields.clear()
    for (const { column, field } of this.values) {
      const text = cells[column]!
      if (text !== "") fields.add(field, numberOf(text, this.header[column]!))
    }
    const timeMs = instantOf(cells[at.timestamp]!)
    const element = cells[at.element]!
    const metric = cells[at.metric]!
    const rollup = at.rollup < 0 ? "" : cells[at.rollup]!
    if (rollup === "") rows.add(element, metric, timeMs, fields)
    else rows.addBucket(rollup, { element, metric, timeMs, fields })
  }

  private readHeader(cells: readonly string[]): void {
    const { at } = this
    for (const name of Object.keys(at) as (keyof typeof at)[]) at[name] = cells.indexOf(name)
    const missing = required.filter((name) => at[name] < 0)
    if (missing.length > 0) {
      throw invalid(
        `expected a header with element, metric and timestamp; ${missing.join(", ")} missing`,
      )
    }
    this.values = cells.flatMap((name, column) => {
      const field = fieldIndex.get(name)
      return field === undefined ? [] : [{ column, field }]
    })
    if (this.values.length === 0) {
      throw invalid(`expected a column of values: ${[...fieldIndex.keys()].join(", ")}`)
    }
    this.header = cells
  }
}
