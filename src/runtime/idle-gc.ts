/**
 * Tidying: where nothing has gone on for ten seconds, one thread after the other collects its
 * garbage, if it has much (garbage.ts). V8 does not by itself: nobody looks at a heap that is not
 * used, and with a million series the shard's thread keeps a nursery of 67 MB, up to 26 of garbage
 * and some 75 of buffers that nothing refers to.
 *
 * A collection stops its thread: the shard's 150 ms or more with a million series. And what comes
 * next pays for its nursery anew: 4,000 posts in 1.6 s took 1.2 s of CPU instead of 1.0, at a p99
 * of 20 to 26 ms instead of 17 to 24, and 2,000 once 41 instead of 16 to 21. So whatever comes
 * every ten seconds keeps it away; of agents that post once a minute, one burst in 300 falls into
 * it.
 */

export interface TidyingParts {
  /** Milliseconds of processor time that the process has used. */
  readonly cpuMs: () => number
  /** Collects on one thread, or on all of a pool; asked one after the other. */
  readonly threads: readonly (() => Promise<unknown>)[]
  /** Calls back again and again; returns a way to end it. */
  readonly repeat: (callback: () => void, everyMs: number) => () => void
}

const lookEveryMs = 1000
/** Timers and pauses that end take 10 ms a second. */
const quietCpuMs = 50
const quietLooks = 10

export class Tidying {
  private readonly parts: TidyingParts
  private lastCpuMs = 0
  private looks = 0
  private disturbances = 0
  private stopLooking: () => void = () => {}

  constructor(parts: TidyingParts) {
    this.parts = parts
  }

  start(): void {
    this.lastCpuMs = this.parts.cpuMs()
    this.stopLooking = this.parts.repeat(() => this.look(), lookEveryMs)
  }

  stop(): void {
    this.stopLooking()
    this.disturb()
  }

  /** Tells that somebody sends something, or asks. */
  disturb(): void {
    this.looks = 0
    this.disturbances++
  }

  private look(): void {
    const cpuMs = this.parts.cpuMs()
    const isQuiet = cpuMs - this.lastCpuMs < quietCpuMs
    this.lastCpuMs = cpuMs
    this.looks = isQuiet ? this.looks + 1 : 0
    if (this.looks === quietLooks) void this.tidy()
  }

  /** Until somebody disturbs; what is left of it waits for the next quiet. */
  private async tidy(): Promise<void> {
    const { disturbances } = this
    for (const collect of this.parts.threads) {
      if (this.disturbances !== disturbances) return
      // A thread that ended is told of to whoever waits for its tasks.
      await collect().catch(() => undefined)
    }
  }
}
