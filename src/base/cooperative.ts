/**
 * Steps: long work that can be done in pieces. A generator yields wherever it may be interrupted,
 * at best every tenth of a millisecond, and returns what the work comes to.
 */

/** Work in steps; its yields say nothing. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Does all of it at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

export interface Pauses {
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** How long the work may hold its thread without a pause. */
  readonly sliceMs: number
  /** Lets others go first. */
  readonly pause: () => Promise<void>
}

/** Does all of it, letting others go first after each slice of time. */
export async function withPauses<Result>(steps: Steps<Result>, pauses: Pauses): Promise<Result> {
  const { elapsedMs, sliceMs, pause } = pauses
  let endMs = elapsedMs() + sliceMs
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (elapsedMs() < endMs) continue
    await pause()
    endMs = elapsedMs() + sliceMs
  }
}
