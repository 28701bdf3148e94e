/** The current step of a command: one line that changes on a terminal, a line each in a pipe. */

/** Back to the beginning of the line, and nothing in it. */
const clearLine = "\r\u001b[K"

export class ProgressLine {
  private readonly write: (text: string) => void
  private readonly isTerminal: boolean
  private isShown = false

  constructor(write: (text: string) => void, isTerminal: boolean) {
    this.write = write
    this.isTerminal = isTerminal
  }

  /** Shows the step that begins; `text` has no end of line. */
  show(text: string): void {
    this.write(this.isTerminal ? `${clearLine}${text} …` : `${text}\n`)
    this.isShown = true
  }

  /** Called before other output: on a terminal the rest of the line would follow it. */
  clear(): void {
    if (this.isTerminal && this.isShown) this.write(clearLine)
    this.isShown = false
  }
}
