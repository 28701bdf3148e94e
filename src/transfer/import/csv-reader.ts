/**
 * Imports CSV (RFC 4180) with a header that has the columns `element`, `metric` and `timestamp`,
 * and any of the others of an export; unknown columns are ignored.
 *
 * Lines without a quote, nearly all, are cut at their commas: 1.0 µs for a row of ten columns, of
 * which csv-parse took 4.5.
 */

import { invalid } from "../../base/errors.ts"
import { CsvRows } from "./csv-rows.ts"
import type { ImportTarget } from "./import-target.ts"
import { isBlank, linesOf } from "./lines.ts"
import type { LineProblems } from "./problems.ts"
import { RowImport } from "./row-import.ts"
import { RowLines } from "./row-lines.ts"
import { fieldIndex, instantOf, numberOf, RowFields } from "./values.ts"

export async function readCsv(
  chunks: AsyncIterable<Uint8Array>,
  target: ImportTarget,
  problems: LineProblems,
): Promise<void> {
  const reader = new CsvReader(target)
  // Without a header no row means anything.
  const rows = new RowLines(reader, problems, (line, read) =>
    reader.hasHeader ? problems.guard(line, read) : readHeader(line, read),
  )
  for await (const { firstLine, lines } of linesOf(chunks)) {
    for (const [i, line] of lines.entries()) rows.take(firstLine + i, line)
    await target.drain()
  }
  rows.end()
}

function readHeader(line: number, read: () => void): void {
  try {
    read()
  } catch (error) {
    throw invalid(`line ${line}: ${(error as Error).message}`)
  }
}

const required = ["element", "metric", "timestamp"] as const

class CsvReader {
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

  /** True if a cell between quotes goes on. */
  get isOpen(): boolean {
    return this.csv.isOpen
  }

  /** Forgets the row that goes on. */
  abandonRow(): void {
    this.csv.abandon()
  }

  readLine(line: string): void {
    if (!this.isOpen && isBlank(line)) return
    if (this.prefix !== "" && !this.isOpen && this.readSimilar(line)) return
    const cells = this.csv.next(line)
    if (cells === null) return
    this.prefix = ""
    if (!this.hasHeader || isHeader(cells)) return this.readHeader(cells)
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

  private readHeader([first, ...others]: readonly string[]): void {
    const { at } = this
    const cells = [first!.replace(/^\ufeff/, ""), ...others]
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

/** Files that are put together have a header each. */
function isHeader(cells: readonly string[]): boolean {
  return required.every((name) => cells.includes(name))
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
