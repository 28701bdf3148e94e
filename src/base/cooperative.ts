/**
 * Steps: long work that can be done in pieces. A generator yields wherever it may be interrupted,
 * at best every tenth of a millisecond, and returns what the work comes to.
 */

/** Work in steps; its yields say nothing. */
export type Cooperative<Result> = Generator<undefined, Result, undefined>

/** Does all of it at once. */
export function runSync<Result>(work: Cooperative<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

export interface YieldOptions {
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** How long the work may hold its thread without a pause. */
  readonly sliceMs: number
  /** Lets others go first. */
  readonly pause: () => Promise<void>
}

/** Does all of it, letting others go first after each slice of time. */
export async function runYielding<Result>(
  work: Cooperative<Result>,
  options: YieldOptions,
): Promise<Result> {
  const { elapsedMs, sliceMs, pause } = options
  let endMs = elapsedMs() + sliceMs
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    if (elapsedMs() < endMs) continue
    await pause()
    endMs = elapsedMs() + sliceMs
  }
}
