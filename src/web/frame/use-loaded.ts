/**
 * What a page loads: the last answer stays while a newer one is on its way, a request that was
 * overtaken is aborted, and an error leaves the last answer in place, until the connection is back.
 */

import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { isAborted } from "../api/client.ts"
import type { Loaded } from "./loaded.ts"
import { useOnReturn } from "./live/use-live.ts"
import { text } from "./text.ts"

interface Outcome<T> extends Pick<Loaded<T>, "value" | "error" | "isLoading"> {
  /** Of the value. */
  readonly subject: string | null
}

const nothing = { value: null, error: null, isLoading: false, subject: null }

/**
 * Loads when the component appears and whenever `key` changes; the same key gives the same answer.
 * A null key loads nothing. Keys of one `subject` are loads of the same thing at other times.
 */
export function useLoaded<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  subject = key,
): Loaded<T> {
  const [outcome, setOutcome] = useState<Outcome<T>>(nothing)
  const [round, setRound] = useState(0)
  const reload = useCallback(() => setRound((count) => count + 1), [])
  const newest = useRef<AbortController>(null)
  const cancel = useCallback(() => {
    newest.current?.abort()
    setOutcome((former) => ({ ...former, error: new Error(text.cancelled), isLoading: false }))
  }, [])
  useEffect(() => {
    if (key === null) {
      // The request of the former key is aborted, and ends nothing by itself.
      setOutcome((former) => (former.isLoading ? { ...former, isLoading: false } : former))
      return undefined
    }
    const abort = new AbortController()
    newest.current = abort
    setOutcome((former) => ({ ...former, isLoading: true }))
    load(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setOutcome({ ...nothing, value, subject })
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
  const { value, error, isLoading } = outcome
  useOnReturn(() => {
    if (error !== null) reload()
  })
  const isFormer = value !== null && subject !== null && subject !== outcome.subject
  return { value, error, isLoading, isFormer, cancel, reload }
}
