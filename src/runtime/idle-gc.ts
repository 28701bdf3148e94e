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

export interface IdleGarbageCollectorDeps {
  /** Milliseconds of processor time that the process has used. */
  readonly cpuMs: () => number
  /** Collects on one thread, or on all of a pool; asked one after the other. */
  readonly threads: readonly (() => Promise<unknown>)[]
  /** Calls back again and again; returns a way to end it. */
  readonly repeat: (callback: () => void, everyMs: number) => () => void
}

const checkEveryMs = 1000
/** Timers and pauses that end take 10 ms a second. */
const idleCpuMsMax = 50
const idleChecksMin = 10

export class IdleGarbageCollector {
  private readonly deps: IdleGarbageCollectorDeps
  private lastCpuMs = 0
  private idleChecks = 0
  private activityCount = 0
  private stopChecking: () => void = () => {}

  constructor(parts: IdleGarbageCollectorDeps) {
    this.deps = parts
  }

  start(): void {
    this.lastCpuMs = this.deps.cpuMs()
    this.stopChecking = this.deps.repeat(() => this.checkIdle(), checkEveryMs)
  }

  stop(): void {
    this.stopChecking()
    this.noteActivity()
  }

  /** Tells that somebody sends something, or asks. */
  noteActivity(): void {
    this.idleChecks = 0
    this.activityCount++
  }

  private checkIdle(): void {
    const cpuMs = this.deps.cpuMs()
    const isQuiet = cpuMs - this.lastCpuMs < idleCpuMsMax
    this.lastCpuMs = cpuMs
    this.idleChecks = isQuiet ? this.idleChecks + 1 : 0
    if (this.idleChecks === idleChecksMin) void this.collectAll()
  }

  /** Until somebody disturbs; what is left of it waits for the next quiet. */
  private async collectAll(): Promise<void> {
    const { activityCount } = this
    for (const collect of this.deps.threads) {
      if (this.activityCount !== activityCount) return
      // A thread that ended is told of to whoever waits for its tasks.
      await collect().catch(() => undefined)
    }
  }
}
