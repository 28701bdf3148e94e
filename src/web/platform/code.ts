/**
 * Modules that are loaded when they are needed. A browser keeps a module that could not be loaded:
 * only another document asks for it again.
 */

import { signal, type ReadonlySignal } from "@preact/signals"

type LoadModule = () => Promise<unknown>

const notLoaded = new Set<LoadModule>()
const isMissing = signal(false)

/** Whether a module that was needed could not be loaded. */
export const isCodeMissing: ReadonlySignal<boolean> = isMissing

/** Wraps an `import()`, which is then loaded when it is first called, or by `loadNextCode`. */
export function lazyCode<T>(load: () => Promise<T>): () => Promise<T> {
  notLoaded.add(load)
  return async () => {
    notLoaded.delete(load)
    try {
      return await load()
    } catch (cause) {
      isMissing.value = true
      throw new Error("A part of the pages could not be loaded", { cause })
    }
  }
}

/** Loads a module that was not needed so far; false if there is none. Rejects if that fails. */
export async function loadNextCode(): Promise<boolean> {
  const [load] = notLoaded
  if (load === undefined) return false
  notLoaded.delete(load)
  await load()
  return true
}
