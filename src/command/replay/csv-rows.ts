/** Reads CSV files row by row; the only user of csv-parse. */

import { createReadStream, statSync } from "node:fs"
import { parse, CsvError, type Info, type Parser } from "csv-parse"
import { ServiceError, invalid } from "../../base/errors.ts"
import { ignoreProgress, type OnProgress } from "../../base/work-progress.ts"

export interface CsvRow {
  /** The line of the file on which the row ends; the first is 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** A thousand metrics need about 20 kB a row; a file without line ends must not fill the memory. */
const rowBytesMax = 1024 * 1024

/**
 * The rows of a UTF-8 file, in order, some at a time, empty lines left out, cells trimmed. Fails
 * with `invalid` for what is no CSV and `storage` for what cannot be read.
 */
export async function* readCsvRows(
  path: string,
  onStep: OnProgress = ignoreProgress,
): AsyncGenerator<readonly CsvRow[]> {
  const rows = parse({
    bom: true,
    info: true,
    trim: true,
    // A quote within a cell is a character of it.
    relax_quotes: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: rowBytesMax,
  })
  // Errors are read from `errored` below; without a listener they would end the process.
  rows.on("error", () => {})
  try {
    // A pipe has no size.
    const total = statSync(path).size || null
    let done = 0
    for await (const chunk of createReadStream(path)) {
      rows.write(chunk)
      done += (chunk as Buffer).length
      onStep({ what: "replaying", done, total, unit: "B" })
      yield drainRows(rows)
      if (rows.errored !== null) throw rows.errored
    }
    rows.end()
    for await (const row of rows as AsyncIterable<ParsedRow>) yield [csvRow(row)]
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`"${path}" is no CSV: ${error.message}`)
    if (error instanceof Error && "syscall" in error) {
      throw new ServiceError("storage", `Cannot read "${path}": ${error.message}`)
    }
    throw error
  }
}

interface ParsedRow {
  readonly info: Info
  readonly record: string[]
}

/** Takes the rows of a chunk, all of which the parser has finished within `write`. */
function drainRows(rows: Parser): CsvRow[] {
  const taken: CsvRow[] = []
  for (;;) {
    const row = rows.read() as ParsedRow | null
    if (row === null) return taken
    taken.push(csvRow(row))
  }
}

function csvRow({ info, record }: ParsedRow): CsvRow {
  return { line: info.lines, cells: record }
}
