/** How far the demonstration is: a bar on a terminal, a line a tenth in a pipe. */

import { wholeText } from "../../src/command/text/table-text.ts"

const barCells = 40

export class DemoProgress {
  private readonly total: number
  private readonly isTerminal: boolean
  private tenths = 0

  /** `total` is above 0. */
  constructor(total: number, isTerminal: boolean) {
    this.total = total
    this.isTerminal = isTerminal
  }

  /** The text to print when `done` of the total are done; empty if there is nothing to report. */
  at(done: number): string {
    const part = Math.min(1, done / this.total)
    const samples = `${wholeText(done)} of ${wholeText(this.total)} samples`
    const text = `${Math.floor(part * 100)} %  ${samples}`
    if (this.isTerminal) return this.bar(part, text)
    const tenths = Math.floor(part * 10)
    if (tenths === this.tenths) return ""
    this.tenths = tenths
    return `  ${text}\n`
  }

  private bar(part: number, text: string): string {
    const filled = Math.floor(part * barCells)
    const bar = "█".repeat(filled) + "░".repeat(barCells - filled)
    return `\r  ${bar}  ${text}${part === 1 ? "\n" : ""}`
  }
}
