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
  const reader = new CsvReader(target)
  let current = ""
  const readCurrent = (): void => reader.readLine(current)
  for await (const { firstLine, lines } of linesOf(chunks)) {
    for (const [i, line] of lines.entries()) {
      current = line
      // Without a header no row means anything.
      if (reader.hasHeader) problems.guard(firstLine + i, readCurrent)
      else readHeader(firstLine + i, readCurrent)
    }
    await target.drain()
  }
  if (reader.isOpen) problems.note(reader.lineCount, "a quote is not closed")
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
  private open: string | null = null

  get isOpen(): boolean {
    return this.open !== null
  }

  /** Cells of the row that ends with this line; null if it goes on, or if the line is empty. */
  next(text: string): readonly string[] | null {
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
  lineCount = 0
  private readonly csv = new CsvRows()
  private readonly rows: RowImport
  private readonly fields = new RowFields()
  private header: readonly string[] = []
  /** True if the columns begin with element, metric, timestamp, val. */
  private isExportOrder = false
  /** The empty cells after `val`. */
  private tail = ""
  /** Element and metric of the row before, with their commas; empty if it had quotes. */
  private prefix = ""
  /** Column of each name, -1 if it is absent. */
  private at = { element: -1, metric: -1, timestamp: -1, rollup: -1, about: -1 }
  private values: readonly { readonly column: number; readonly field: number }[] = []

  constructor(target: ImportTarget) {
    this.rows = new RowImport(target)
  }

  get hasHeader(): boolean {
    return this.header.length > 0
  }

  /** True if a field between quotes goes on. */
  get isOpen(): boolean {
    return this.csv.isOpen
  }

  readLine(line: string): void {
    this.lineCount++
    if (this.prefix !== "" && !this.isOpen && this.readSimilar(line)) return
    const cells = this.csv.next(line)
    if (cells === null) return
    this.prefix = ""
    if (!this.hasHeader) return this.readHeader(cells)
    this.read(cells)
    const prefix = `${cells[0]},${cells[1]},`
    if (this.isExportOrder && line.startsWith(prefix)) this.prefix = prefix
  }

  /**
   * Reads a row of the series of the row before that has a plain value alone, in the order of an
   * export: nearly all rows of one. Returns false, and adds nothing, for any other. Cutting such a
   * row into ten cells takes half of the time of an import.
   */
  private readSimilar(line: string): boolean {
    const { prefix, fields } = this
    if (!line.startsWith(prefix)) return false
    const timeEnd = line.indexOf(",", prefix.length)
    const valueEnd = line.indexOf(",", timeEnd + 1)
    const hasReturn = line.endsWith("\r")
    const tail = line.length - valueEnd - (hasReturn ? 1 : 0)
    if (timeEnd < 0 || valueEnd <= timeEnd + 1 || tail !== this.tail.length) return false
    if (!line.startsWith(this.tail, valueEnd)) return false
    const timeMs = digitsOf(line, prefix.length, timeEnd)
    const value = line.slice(timeEnd + 1, valueEnd)
    if (timeMs < 0 || value.includes('"')) return false
    this.rows.addAgain(timeMs, fields.plainOf(numberOf(value, "val")))
    return true
  }

  private read(cells: readonly string[]): void {
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
    this.isExportOrder = [...required, "val"].every((name, column) => cells[column] === name)
    this.tail = ",".repeat(Math.max(0, cells.length - exportOrderColumns))
  }
}

/** Columns before the tail of empty cells: element, metric, timestamp, val. */
const exportOrderColumns = 4

/** The whole number of the digits `[from, to)`; -1 if there are others, or too many. */
function digitsOf(text: string, from: number, to: number): number {
  if (to <= from || to - from > 15) return -1
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}
