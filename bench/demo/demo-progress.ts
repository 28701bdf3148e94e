/** How far the demonstration is: a bar on a terminal, a line a tenth in a pipe. */

import { wholeText } from "../../src/command/text/table-text.ts"

const barCells = 40
/** A longer text of a rest is not left behind by a shorter one. */
const restCells = ", about 100 min left".length

interface ProgressOptions {
  /** Above 0. */
  readonly total: number
  /** The counted things: samples. */
  readonly unit: string
  readonly isTerminal: boolean
  /** Milliseconds since some time, if what remains is to be said. */
  readonly elapsedMs?: () => number
}

export class DemoProgress {
  private readonly options: ProgressOptions
  private readonly beganMs: number
  private tenths = 0

  constructor(options: ProgressOptions) {
    this.options = options
    this.beganMs = options.elapsedMs?.() ?? 0
  }

  /** The text to print when `done` of the total are done; empty if there is nothing to report. */
  at(done: number): string {
    const { total, unit, isTerminal } = this.options
    const part = Math.min(1, done / total)
    const counts = `${wholeText(done)} of ${wholeText(total)} ${unit}`
    const text = `${Math.floor(part * 100)} %  ${counts}${this.restText(part)}`
    if (isTerminal) return this.bar(part, text)
    const tenths = Math.floor(part * 10)
    if (tenths === this.tenths) return ""
    this.tenths = tenths
    return `  ${text.trimEnd()}\n`
  }

  private bar(part: number, text: string): string {
    const filled = Math.floor(part * barCells)
    const bar = "█".repeat(filled) + "░".repeat(barCells - filled)
    return `\r  ${bar}  ${text}${part === 1 ? "\n" : ""}`
  }

  /** How long the rest takes at the pace so far; as long in characters as a shorter one. */
  private restText(part: number): string {
    const { elapsedMs } = this.options
    if (elapsedMs === undefined || part === 0) return ""
    if (part === 1) return "".padEnd(restCells)
    const seconds = ((elapsedMs() - this.beganMs) * (1 - part)) / part / 1000
    const [count, unit] = seconds < 60 ? [seconds, "s"] : [seconds / 60, "min"]
    return `, about ${Math.ceil(count)} ${unit} left`.padEnd(restCells)
  }
}
