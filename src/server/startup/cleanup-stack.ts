/** Closes what a failed start has opened, last opened first. */

/** Time that one part may take to close; a thread that hangs must not keep the process alive. */
const closeMsMax = 10_000

export class CleanupStack {
  private readonly closers: (() => Promise<void>)[] = []

  /** Adds how to close what was opened last. */
  add(close: () => Promise<void>): void {
    this.closers.push(close)
  }

  /**
   * Closes everything, last added first. A part that fails to close, or takes longer than 10 s,
   * does not keep the others open; the caller reports why the start failed.
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
