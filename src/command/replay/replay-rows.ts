/** Rows of a history as the values of cycles. */

import { cycleOf } from "../../analysis/cycle.ts"
import { invalid } from "../../base/errors.ts"
import { parseInstant } from "../../base/iso8601.ts"
import type { CsvRow } from "./csv-rows.ts"

/** Columns of metrics in one file: their score and bands take a few microseconds each. */
const replayMetricsMax = 1000

/** Samples of one metric in one cycle, in canonical order: time, then value. */
export class MetricValues {
  values = new Float64Array(4)
  count = 0
  /** Index of the first sample with the latest time. */
  #tiedFrom = 0
  #latestMs = -Infinity

  clear(): void {
    this.count = 0
    this.#latestMs = -Infinity
  }

  /** Adds a sample that is not earlier than the others. */
  add(timeMs: number, value: number): void {
    if (timeMs !== this.#latestMs) this.#tiedFrom = this.count
    this.#latestMs = timeMs
    if (this.count === this.values.length) this.#grow()
    let at = this.count++
    for (; at > this.#tiedFrom && this.values[at - 1]! > value; at--) {
      this.values[at] = this.values[at - 1]!
    }
    this.values[at] = value
  }

  #grow(): void {
    const values = new Float64Array(2 * this.values.length)
    values.set(this.values)
    this.values = values
  }
}

/** Values of a cycle by metric; reused for the next cycle. */
export interface CycleRows {
  cycle: number
  readonly values: readonly MetricValues[]
}

/** Names of the metrics. */
export function readHeader({ line, cells }: CsvRow): string[] {
  const metrics = cells.slice(1)
  if (metrics.length === 0 || metrics.length > replayMetricsMax) {
    const columns = `a column of times and 1 to ${replayMetricsMax} of values`
    throw invalid(`Line ${line}: expected ${columns}, got ${cells.length} columns`)
  }
  if (parseTime(cells[0]!) !== undefined) {
    throw invalid(`Line ${line}: expected a header such as timestamp,value, got "${cells[0]}"`)
  }
  metrics.forEach((name, i) => {
    if (name === "") throw invalid(`Line ${line}, column ${i + 2}: expected a name, got ""`)
    if (metrics.indexOf(name) !== i) {
      throw invalid(`Line ${line}, column ${i + 2}: expected names once, got "${name}" again`)
    }
  })
  return metrics
}

/** Groups rows by cycle, as they arrive. */
export class RowsByCycle {
  readonly #header: readonly string[]
  readonly #group: CycleRows
  #latestMs = -Infinity

  /** `header`: the first column is the time's. */
  constructor(header: readonly string[]) {
    this.#header = header
    this.#group = { cycle: NaN, values: header.slice(1).map(() => new MetricValues()) }
  }

  /** Cycles that are complete now. Fails with `invalid` for a row that cannot be read. */
  *addRows(rows: readonly CsvRow[]): Generator<CycleRows> {
    const group = this.#group
    for (const row of rows) {
      const timeMs = this.#readTime(row)
      const cycle = cycleOf(timeMs)
      if (cycle !== group.cycle) {
        yield* this.end()
        group.cycle = cycle
      }
      for (let i = 0; i < group.values.length; i++) {
        const value = readValue(row, this.#header, i + 1)
        if (!Number.isNaN(value)) group.values[i]!.add(timeMs, value)
      }
    }
  }

  /** The cycle that was not complete yet. */
  *end(): Generator<CycleRows> {
    if (Number.isNaN(this.#group.cycle)) return
    yield this.#group
    for (const values of this.#group.values) values.clear()
  }

  #readTime(row: CsvRow): number {
    const timeMs = readTime(row, this.#header)
    if (timeMs < this.#latestMs) {
      const position = cellPosition(row, this.#header, 0)
      throw invalid(`${position}: expected ascending times, got "${row.cells[0]}"`)
    }
    this.#latestMs = timeMs
    return timeMs
  }
}

function readTime(row: CsvRow, header: readonly string[]): number {
  if (row.cells.length !== header.length) {
    const { line, cells } = row
    throw invalid(`Line ${line}: expected ${header.length} columns, got ${cells.length}`)
  }
  const text = row.cells[0]!
  const timeMs = parseTime(text)
  if (timeMs === undefined) {
    const forms = "epoch milliseconds, ISO 8601 or yyyy-MM-dd HH:mm:ss"
    throw invalid(`${cellPosition(row, header, 0)}: expected ${forms}, got "${text}"`)
  }
  if (Math.abs(timeMs) < secondsBelow && /^[\d.]+$/.test(text)) {
    const hint = `got "${text}", which looks like seconds`
    throw invalid(`${cellPosition(row, header, 0)}: expected epoch milliseconds, ${hint}`)
  }
  return timeMs
}

/** In milliseconds an instant of 1973, in seconds one of the year 5138. */
const secondsBelow = 1e11

/** `2026-01-05 10:00:00`, `2026-01-05T10:00`: no zone is UTC, which the API refuses. */
const zoneless = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?$/i

function parseTime(text: string): number | undefined {
  return parseInstant(zoneless.test(text) ? `${text}Z` : text)
}

function readValue(row: CsvRow, header: readonly string[], column: number): number {
  const text = row.cells[column]!
  if (text === "" || text === "NaN" || text === "nan" || text === "null") return NaN
  const value = Number(text)
  // Number() also accepts 0x10 and the like, which no exporter writes.
  if (Number.isFinite(value) && decimal.test(text)) return value
  throw invalid(`${cellPosition(row, header, column)}: expected a number, got "${text}"`)
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

function cellPosition(row: CsvRow, header: readonly string[], column: number): string {
  return `Line ${row.line}, column "${header[column]}"`
}
