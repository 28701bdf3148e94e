/** CSV files row by row: the one door of csv-parse. */

import { createReadStream } from "node:fs"
import { parse, CsvError, type Info } from "csv-parse"
import { ServiceError, invalid } from "../base/errors.ts"

export interface CsvRow {
  /** The line of the file on which the row ends; the first is 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** A thousand metrics need about 20 kB a row; a file without line ends must not fill the memory. */
const rowBytesMax = 1024 * 1024

/**
 * The rows of a UTF-8 file, in order, empty lines left out, cells trimmed. Holds a few rows at a
 * time. Fails with `invalid` for what is no CSV and `storage` for what cannot be read.
 */
export async function* readCsvRows(path: string): AsyncGenerator<CsvRow> {
  const file = createReadStream(path)
  const rows = parse({
    bom: true,
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: rowBytesMax,
  })
  file.on("error", (error) => rows.destroy(error))
  try {
    for await (const row of file.pipe(rows) as AsyncIterable<{ info: Info; record: string[] }>) {
      yield { line: row.info.lines, cells: row.record }
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`"${path}" is no CSV: ${error.message}`)
    if (error instanceof Error && "syscall" in error) {
      throw new ServiceError("storage", `Cannot read "${path}": ${error.message}`)
    }
    throw error
  } finally {
    file.destroy()
  }
}
