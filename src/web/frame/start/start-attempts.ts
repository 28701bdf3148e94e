/**
 * Attempts to start the pages: the first call is repeated until the server answers it.
 *
 *   attempt ─► answered: the pages begin
 *      ▲  └──► failed, or no answer for 30 s ─► 2, 4, 8 … 30 s, or as long as the server says ─┐
 *      └───────────────────────────────────────────── or as soon as a person asks ◄───────────┘
 */

import { signal, type ReadonlySignal } from "@preact/signals"
import { ApiError, ConnectionError } from "../../api/client.ts"

/** A person sees an empty page no longer than this. */
const shownAfterMs = 5_000
/** A connection that broke without a sign gives no answer at all. */
const answerMsMax = 30_000
const retrySecondsMin = 2
const retrySecondsMax = 30
/** The longest wait that the server may ask for: a person who waits looks every few minutes. */
const askedSecondsMax = 300

export interface StartState {
  /** Why the last attempt failed; null before the first has. */
  readonly failure: Error | null
  /** Until the next attempt; null while one is under way. */
  readonly secondsLeft: number | null
}

export interface StartAttemptsDeps {
  /** The first call. Throws as the API client does. */
  readonly load: (signal: AbortSignal) => Promise<void>
  readonly after: (ms: number, callback: () => void) => () => void
}

export class StartAttempts {
  private readonly deps: StartAttemptsDeps
  private readonly current = signal<StartState | null>(null)
  private endWait = (): void => {}

  constructor(deps: StartAttemptsDeps) {
    this.deps = deps
  }

  /** Null if there is nothing to say yet. */
  get state(): ReadonlySignal<StartState | null> {
    return this.current
  }

  /** Resolves when the server has answered. */
  async run(): Promise<void> {
    for (let count = 1; ; count++) {
      const failure = await this.attempt()
      if (failure === null) return
      await this.wait(failure, retrySeconds(count, failure))
    }
  }

  /** Ends the wait for the next attempt. */
  readonly retry = (): void => this.endWait()

  /** Resolves to why it failed, or null. */
  private async attempt(): Promise<Error | null> {
    const { load, after } = this.deps
    const former = this.current.peek()
    if (former !== null) this.current.value = { ...former, secondsLeft: null }
    const abort = new AbortController()
    const noAnswer = new ConnectionError("The server gave no answer within 30 s")
    const show = (): void => {
      this.current.value ??= { failure: null, secondsLeft: null }
    }
    const ends = [after(shownAfterMs, show), after(answerMsMax, () => abort.abort())]
    try {
      await load(abort.signal)
      return null
    } catch (error) {
      if (abort.signal.aborted) return noAnswer
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      for (const end of ends) end()
    }
  }

  private wait(failure: Error, seconds: number): Promise<void> {
    return new Promise((resolve) => {
      let end = (): void => {}
      const count = (secondsLeft: number): void => {
        if (secondsLeft === 0) return resolve()
        this.current.value = { failure, secondsLeft }
        end = this.deps.after(1_000, () => count(secondsLeft - 1))
      }
      this.endWait = () => {
        end()
        resolve()
      }
      count(seconds)
    })
  }
}

function retrySeconds(count: number, failure: Error): number {
  const asked = failure instanceof ApiError ? failure.retrySeconds : null
  if (asked === null) return Math.min(retrySecondsMin ** count, retrySecondsMax)
  return Math.min(Math.max(1, Math.ceil(asked)), askedSecondsMax)
}
