/**
 * Loads the code of the other pages while nothing else is to be done: a server that stops, or that
 * starts with another build, then takes no page away from an open tab.
 */

import { loadNextCode } from "../../platform/code.ts"

/** After the first data of all pages. */
const firstMs = 10_000
/** Between two modules. */
const pauseMs = 200

interface LoadAheadOptions {
  readonly after: (ms: number, callback: () => void) => unknown
  /** Asked before each module, since one that fails stays away until the document is reloaded. */
  readonly mayLoad: () => boolean
}

/** Goes on until all is loaded or a module fails. */
export function loadAhead({ after, mayLoad }: LoadAheadOptions): void {
  const loadNext = (): void => {
    if (!mayLoad()) return loadLater(firstMs)
    loadNextCode().then(
      (isLoaded) => isLoaded && loadLater(pauseMs),
      () => undefined,
    )
  }
  const loadLater = (ms: number): void => void after(ms, loadNext)
  loadLater(firstMs)
}
