/** One slow call, for example on a slow disk, does not delay the next one by more than this. */
const restMsMax = 50

/** Runs one call at a time, and pauses after each for as long as it took. */
export class DutyCycleThrottle {
  private last: Promise<unknown> = Promise.resolve()
  private readonly elapsedMs: () => number
  private readonly pause: (ms: number) => Promise<void>

  /** `elapsedMs`: monotonic milliseconds. */
  constructor(elapsedMs: () => number, pause: (ms: number) => Promise<void>) {
    this.elapsedMs = elapsedMs
    this.pause = pause
  }

  /**
   * Calls `work` after all earlier calls and their pauses; settles as it does, before its own
   * pause.
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    let startedMs = 0
    const done = this.last.then(() => {
      startedMs = this.elapsedMs()
      return work()
    })
    const rest = (): Promise<void> => this.pause(Math.min(this.elapsedMs() - startedMs, restMsMax))
    this.last = done.then(rest, rest)
    return done
  }
}
