/** Opened: what a start has opened so far, so that a start that fails closes it in order. */

/** Longest time that one part may take to close; a thread that hangs must not keep the process. */
const closeMsMax = 10_000

export class CleanupStack {
  private readonly closers: (() => Promise<void>)[] = []

  /** Adds what was opened last; it is closed first. */
  add(close: () => Promise<void>): void {
    this.closers.push(close)
  }

  /**
   * Closes everything, last opened first. A part that fails to close, or takes longer than 10 s,
   * does not keep the others open: the reason why the start failed is what is reported.
   */
  async close(): Promise<void> {
    for (const close of this.closers.reverse().splice(0)) await closeWithin(close)
  }
}

function closeWithin(close: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, closeMsMax)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    close().then(done, done)
  })
}
