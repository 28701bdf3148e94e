/**
 * What a page loads: the last answer stays while a newer one is on its way, a request that was
 * overtaken is aborted, and an error leaves the last answer in place.
 */

import { useCallback, useEffect, useState } from "preact/hooks"
import { isAborted } from "../api/client.ts"

export interface Loaded<T> {
  /** The last answer; null before the first. */
  readonly value: T | null
  /** Why the last load failed; null after a success. */
  readonly error: Error | null
  readonly isLoading: boolean
  /** Loads again. */
  readonly reload: () => void
}

type Outcome<T> = Omit<Loaded<T>, "reload">

/**
 * Loads when the component appears and whenever `key` changes; the same key gives the same answer.
 * A null key loads nothing.
 */
export function useLoaded<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
): Loaded<T> {
  const [outcome, setOutcome] = useState<Outcome<T>>({ value: null, error: null, isLoading: false })
  const [round, setRound] = useState(0)
  const reload = useCallback(() => setRound((count) => count + 1), [])
  useEffect(() => {
    if (key === null) {
      // The request of the former key is aborted, and ends nothing by itself.
      setOutcome((former) => (former.isLoading ? { ...former, isLoading: false } : former))
      return undefined
    }
    const abort = new AbortController()
    setOutcome((former) => ({ ...former, isLoading: true }))
    load(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setOutcome({ value, error: null, isLoading: false })
      },
      (error: unknown) => {
        if (abort.signal.aborted || isAborted(error)) return
        const problem = error instanceof Error ? error : new Error(String(error))
        setOutcome((former) => ({ ...former, error: problem, isLoading: false }))
      },
    )
    return () => abort.abort()
    // `load` is a new function at each render; the key identifies its answer.
  }, [key, round])
  return { ...outcome, reload }
}
