/**
 * When a list that looks for rare records stops reading: after a while, with what it has found and
 * where it stopped, or immediately if its client has left.
 */

import { ServiceError } from "../../base/errors.ts"
import { countedRecordsMax, recordsReadMsMax } from "../../base/limits/records.ts"

/** Asked after each page of records. */
export interface ReadBounds {
  /** True if the time of reading is over. Throws `cancelled` if the client has left. */
  isOver(): boolean
}

/** For reads of the server itself. */
export const unbounded: ReadBounds = { isOver: () => false }

/** From now on. `elapsedMs`: monotonic milliseconds; `signal`: aborts when the client leaves. */
export function boundsFromNow(
  elapsedMs: () => number,
  signal: AbortSignal | undefined,
): ReadBounds {
  const endMs = elapsedMs() + recordsReadMsMax
  return {
    isOver() {
      if (signal?.aborted) {
        throw new ServiceError("cancelled", "The client closed the connection before the answer")
      }
      return elapsedMs() >= endMs
    },
  }
}

/**
 * Visits records page by page, up to `countedRecordsMax` of them and within the bounds. Resolves to
 * whether it stopped at one of the two: there may be more.
 */
export async function visitCounted<T>(
  pages: AsyncIterable<readonly T[]>,
  bounds: ReadBounds,
  visit: (page: readonly T[]) => void | Promise<void>,
): Promise<boolean> {
  let seen = 0
  for await (const page of pages) {
    await visit(page)
    seen += page.length
    if (seen >= countedRecordsMax || bounds.isOver()) return true
  }
  return false
}
