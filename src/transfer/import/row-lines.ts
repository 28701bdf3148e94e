/** Gives the lines of a file to a reader whose rows may have several, between quotes. */

import { invalid } from "../../base/errors.ts"
import { importLineCharactersMax } from "../../base/limits.ts"
import type { LineProblems } from "./problems.ts"

export interface RowReader {
  /** True if the row goes on in the next line. */
  readonly isOpen: boolean
  /** Throws `invalid` if the row that ends here, or begins, is none. */
  readLine(line: string): void
  /** Forgets the row that goes on. */
  abandonRow(): void
}

interface NumberedLine {
  readonly line: number
  readonly text: string
}

const notClosed = "a quote is not closed"

/**
 * A row whose quote does not close, or closes within another row, is given up: its first line has
 * the problem, and the lines after that are read again by themselves.
 */
export class RowLines {
  private readonly reader: RowReader
  private readonly problems: LineProblems
  private readonly guard: (line: number, read: () => void) => void
  /** The lines of the row that goes on, and the number of the first. */
  private open: string[] = []
  private openLine = 0
  private openCharacters = 0
  private current = ""

  /** `guard` runs the reading of a row whose first line has this number. */
  constructor(reader: RowReader, problems: LineProblems, guard = problems.guard.bind(problems)) {
    this.reader = reader
    this.problems = problems
    this.guard = guard
  }

  take(line: number, text: string): void {
    this.current = text
    if (this.open.length > 0 || text.includes('"')) this.takeQuoted([{ line, text }])
    else this.guard(line, this.readCurrent)
  }

  /** Gives up the row that goes on, until none does. */
  end(): void {
    while (this.open.length > 0) {
      this.problems.note(this.openLine, notClosed)
      this.takeQuoted(this.giveUp())
    }
  }

  private readonly readCurrent = (): void => this.reader.readLine(this.current)

  private takeQuoted(lines: readonly NumberedLine[]): void {
    // The next line is the last.
    const waiting = lines.toReversed()
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (this.open.length === 0) this.openLine = next.line
      const isRead = this.readQuoted(next.text)
      if (!isRead) for (const again of this.giveUp().reverse()) waiting.push(again)
    }
  }

  /** Returns false if the row that this line begins or goes on with is none. */
  private readQuoted(text: string): boolean {
    this.open.push(text)
    this.openCharacters += text.length
    let isRead = false
    this.guard(this.openLine, () => {
      if (this.openCharacters > importLineCharactersMax) throw invalid(notClosed)
      this.reader.readLine(text)
      isRead = true
    })
    if (isRead && !this.reader.isOpen) this.close()
    return isRead
  }

  /** Forgets the row that goes on; returns its lines but the first. */
  private giveUp(): NumberedLine[] {
    const { open, openLine } = this
    this.close()
    this.reader.abandonRow()
    return open.slice(1).map((text, i) => ({ line: openLine + 1 + i, text }))
  }

  private close(): void {
    this.open = []
    this.openCharacters = 0
  }
}
