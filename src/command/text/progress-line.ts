/** What a command is at: one line that changes on a terminal, a line for each in a pipe. */

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

  /** `text`: what is done from now on, without an end of line. */
  show(text: string): void {
    this.write(this.isTerminal ? `${clearLine}${text} …` : `${text}\n`)
    this.isShown = true
  }

  /** Before anything else is printed: a terminal's line would have its rest behind it. */
  clear(): void {
    if (this.isTerminal && this.isShown) this.write(clearLine)
    this.isShown = false
  }
}
