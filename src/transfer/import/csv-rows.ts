/** Lines of CSV as rows of cells. */

import { invalid } from "../../base/errors.ts"

/**
 * Cuts rows into cells. A quote opens a cell at its first character only; within others it is a
 * character like any.
 */
export class CsvRows {
  private cells: string[] = []
  /** The lines so far of a cell between quotes that goes on; null if none does. */
  private quoted: string[] | null = null

  get isOpen(): boolean {
    return this.quoted !== null
  }

  /** Cells of the row that ends with this line; null if it goes on, or if the line is empty. */
  next(line: string): readonly string[] | null {
    const end = line.endsWith("\r") ? line.length - 1 : line.length
    if (this.quoted === null) {
      if (end === 0) return null
      if (!line.includes('"')) return line.slice(0, end).split(",")
    }
    return this.cut(line, end) ? this.take() : null
  }

  /** Forgets the row that goes on. */
  abandon(): void {
    this.cells = []
    this.quoted = null
  }

  /** Cuts a line whose last character is before `end`; false if a cell goes on in the next one. */
  private cut(line: string, end: number): boolean {
    let at = this.quoted === null ? 0 : this.cutQuoted(line, 0, end)
    while (at >= 0 && at <= end) {
      if (line[at] === '"' && at < end) {
        this.quoted = []
        at = this.cutQuoted(line, at + 1, end)
        continue
      }
      const comma = line.indexOf(",", at)
      const cellEnd = comma < 0 ? end : comma
      this.cells.push(line.slice(at, cellEnd))
      at = cellEnd + 1
    }
    return at >= 0
  }

  /**
   * Reads the cell between quotes that goes on at `from`. Returns where the next one begins, after
   * `end` if there is none; -1 if the quote does not close in this line.
   */
  private cutQuoted(line: string, from: number, end: number): number {
    const close = closingQuote(line, from)
    const parts = this.quoted!
    parts.push(line.slice(from, close < 0 ? line.length : close).replaceAll('""', '"'))
    if (close < 0) return -1
    this.quoted = null
    this.cells.push(parts.join("\n"))
    if (close + 1 < end && line[close + 1] !== ",") {
      throw invalid(`column ${this.cells.length}: expected a comma after the closing quote`)
    }
    return close + 2
  }

  private take(): readonly string[] {
    const { cells } = this
    this.cells = []
    return cells
  }
}

/** The first quote that is not one of a pair; -1 if there is none. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from)
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2)
  return at
}
