/**
 * Cooperative scheduling: long work as a generator that yields wherever it may be interrupted,
 * ideally every tenth of a millisecond, and returns its result.
 */

/** Work in steps; the yielded values have no meaning. */
export type Cooperative<Result> = Generator<undefined, Result, undefined>

/** Runs all steps without a pause. */
export function runSync<Result>(work: Cooperative<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

export interface YieldOptions {
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Time that the work may use its thread without a pause. */
  readonly sliceMs: number
  /** Lets other tasks of the thread run. */
  readonly pause: () => Promise<void>
}

/**
 * Runs all steps, pausing after each slice of time.
 *
 * @example
 * function* sum(values: readonly number[]): Cooperative<number> {
 *   let total = 0
 *   for (const value of values) {
 *     total += value
 *     yield
 *   }
 *   return total
 * }
 * let pauses = 0
 * const pause = async () => void pauses++
 * const options = { elapsedMs: () => pauses, sliceMs: 0, pause }
 * assert.equal(await runYielding(sum([1, 2, 3]), options), 6)
 * assert.equal(pauses, 3)
 */
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
