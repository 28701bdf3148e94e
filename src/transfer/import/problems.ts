/** Lines of a file that cannot be imported: the first ends the import, or all are counted. */

import { ServiceError, invalid } from "../../base/errors.ts"
import { errorStringsMax } from "../../base/limits.ts"

export class LineProblems {
  count = 0
  private readonly file: string
  private readonly skips: boolean
  private readonly print: (text: string) => void

  /** `skips`: lines with problems are left out, and the first ones are printed. */
  constructor(file: string, skips: boolean, print: (text: string) => void) {
    this.file = file
    this.skips = skips
    this.print = print
  }

  /** Throws what `work` throws, with file and line, unless it is about the line and is skipped. */
  guard(line: number, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!isLineProblem(error)) throw error
      this.note(line, error.message)
    }
  }

  /** Throws `invalid`, or counts the line. */
  note(line: number, problem: string): void {
    const sentence = `${this.file}:${line}: ${problem}`
    if (!this.skips) throw invalid(sentence)
    if (this.count < errorStringsMax) this.print(sentence)
    this.count++
  }
}

/** True if the error is about a line of the file, so that the import may go on without it. */
function isLineProblem(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === "invalid"
}

/** A value as messages repeat it. */
export function quotedValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`
}
