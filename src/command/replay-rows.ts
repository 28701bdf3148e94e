/** Rows of a history as the values of cycles. */

import { cycleOf } from "../analysis/cycle.ts"
import { invalid } from "../base/errors.ts"
import { parseInstant } from "../base/iso8601.ts"
import type { CsvRow } from "./csv-rows.ts"

/** Columns of metrics in one file: their score and bands take a few microseconds each. */
export const replayMetricsMax = 1000

/** What came in a cycle, metric by metric; reused from one cycle to the next. */
export interface CycleRows {
  cycle: number
  /** Average of the cycle's values; NaN where there is none. */
  readonly average: Float64Array
  /** The latest of them. */
  readonly last: Float64Array
}

export interface History {
  readonly metrics: readonly string[]
  /** Cycles that have a row, ascending. */
  readonly cycles: AsyncIterable<CycleRows>
}

/** Reads the header and gives the rest to be read. */
export async function readHistory(rows: AsyncGenerator<CsvRow>): Promise<History> {
  const head = await rows.next()
  if (head.done === true) throw invalid("Expected a header and rows, got an empty file")
  const metrics = readHeader(head.value)
  return { metrics, cycles: groupByCycle(rows, head.value.cells) }
}

function readHeader({ line, cells }: CsvRow): string[] {
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

async function* groupByCycle(
  rows: AsyncIterable<CsvRow>,
  header: readonly string[],
): AsyncGenerator<CycleRows> {
  const count = header.length - 1
  const sums = new Float64Array(count)
  const counts = new Uint32Array(count)
  const group = { cycle: NaN, average: new Float64Array(count), last: new Float64Array(count) }
  let latestMs = -Infinity
  const finish = (): CycleRows => {
    for (let i = 0; i < count; i++) group.average[i] = sums[i]! / counts[i]!
    sums.fill(0)
    counts.fill(0)
    return group
  }
  group.last.fill(NaN)
  for await (const row of rows) {
    const timeMs = readTime(row, header)
    if (timeMs < latestMs) {
      throw invalid(`${placeOf(row, header, 0)}: expected ascending times, got "${row.cells[0]}"`)
    }
    latestMs = timeMs
    const cycle = cycleOf(timeMs)
    if (cycle !== group.cycle) {
      if (!Number.isNaN(group.cycle)) yield finish()
      group.cycle = cycle
      group.last.fill(NaN)
    }
    for (let i = 0; i < count; i++) {
      const value = readValue(row, header, i + 1)
      if (Number.isNaN(value)) continue
      sums[i] = sums[i]! + value
      counts[i] = counts[i]! + 1
      group.last[i] = value
    }
  }
  if (!Number.isNaN(group.cycle)) yield finish()
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
    throw invalid(`${placeOf(row, header, 0)}: expected ${forms}, got "${text}"`)
  }
  if (Math.abs(timeMs) < secondsBelow && /^[\d.]+$/.test(text)) {
    const hint = `got "${text}", which looks like seconds`
    throw invalid(`${placeOf(row, header, 0)}: expected epoch milliseconds, ${hint}`)
  }
  return timeMs
}

/** As milliseconds that is in 1973, as seconds in the year 5138. */
const secondsBelow = 1e11

/** `2026-01-05 10:00:00`, `2026-01-05T10:00`: no zone is UTC, which other doors refuse. */
const zoneless = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?$/i

function parseTime(text: string): number | undefined {
  return parseInstant(zoneless.test(text) ? `${text}Z` : text)
}

function readValue(row: CsvRow, header: readonly string[], column: number): number {
  const text = row.cells[column]!
  if (text === "" || text === "NaN" || text === "nan" || text === "null") return NaN
  const value = Number(text)
  // Number() also reads 0x10 and the like, which no exporter means.
  if (Number.isFinite(value) && decimal.test(text)) return value
  throw invalid(`${placeOf(row, header, column)}: expected a number, got "${text}"`)
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

function placeOf(row: CsvRow, header: readonly string[], column: number): string {
  return `Line ${row.line}, column "${header[column]}"`
}
