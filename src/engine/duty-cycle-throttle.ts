/** A work that was held up, by a slow disk say, is no reason to hold up the next one as long. */
const restMsMax = 50

/** Pace: lets one work through at a time, and rests after each for as long as it took. */
export class DutyCycleThrottle {
  private last: Promise<unknown> = Promise.resolve()
  private readonly elapsedMs: () => number
  private readonly pause: (ms: number) => Promise<void>

  /** `elapsedMs`: monotonic milliseconds. */
  constructor(elapsedMs: () => number, pause: (ms: number) => Promise<void>) {
    this.elapsedMs = elapsedMs
    this.pause = pause
  }

  /** Does the work when its turn has come; settles as it does, before the rest. */
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
