/** Output whose reader is gone. */

/** A pipe without a reader (EPIPE), and a terminal that was closed (EIO). */
const closedCodes: readonly (string | undefined)[] = ["EPIPE", "EIO"]

/**
 * Drops what is written to standard output and error after their reader has gone, as `head` does
 * when it has read enough. The command ends with its own status: its work is done all the same.
 * Other errors of these streams go to `fail`.
 */
export function dropClosedOutput(fail: (error: unknown) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!closedCodes.includes(error.code)) fail(error)
    })
  }
}
