/** Tells a cache of things by number when most of them may be forgotten. */

import type { Catalogue } from "../../catalogue/catalogue.ts"

/** Entries that are not worth a new cache. */
const forgottenMin = 1024

export class ForgottenCount {
  private forgotten = 0

  /** True if as much was forgotten since the last time as is known: the cache is to be cleared. */
  isDue(catalogue: Catalogue): boolean {
    // A replica that is loaded again counts from zero.
    const since = Math.abs(catalogue.forgotten - this.forgotten)
    if (since <= Math.max(forgottenMin, catalogue.known.elements)) return false
    this.forgotten = catalogue.forgotten
    return true
  }
}
