/**
 * Idle GC: after ten seconds without activity, one thread after the other collects its garbage, if
 * it has much (gc.ts). V8 does not by itself, since it collects only when a heap is allocated from:
 * with a million series the shard's thread keeps a nursery of 67 MB, up to 26 MB of garbage and
 * some 75 MB of unreferenced buffers.
 *
 * A collection stops its thread, the shard's for 150 ms or more with a million series, and the next
 * requests pay for a new nursery: 4,000 posts in 1.6 s took 1.2 s of CPU instead of 1.0, at a p99
 * of 20 to 26 ms instead of 17 to 24, and 2,000 posts took 41 ms once instead of 16 to 21.
 * Therefore any activity within ten seconds prevents it; of the bursts of agents that post once a
 * minute, one in 300 meets it.
 *
 * Measured 2026-11-22 on Node 20, and its memory again on 2026-11-23: 2,500 series and 23,400 posts
 * rest at 223 to 229 MiB instead of 281 to 284 on Node 26.10, 178 to 188 instead of 218 to 220 on
 * Node 20.20 (two interleaved pairs each, load average 15 to 24). `TIDEGAUGE_TUNINGS_OFF=idle-gc`
 * switches it off.
 */

interface IdleGarbageCollectorDeps {
  /** Milliseconds of processor time that the process has used. */
  readonly cpuMs: () => number
  /** Each collects on one thread, or on all of a pool; called one after the other. */
  readonly threads: readonly (() => Promise<unknown>)[]
  /** Calls back periodically; returns a way to end it. */
  readonly repeat: (callback: () => void, everyMs: number) => () => void
}

const checkEveryMs = 1000
/** Timers alone take 10 ms a second. */
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

  /** Postpones the collections: a request has arrived. */
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

  /** Collects thread by thread until there is activity; the others wait for the next idle time. */
  private async collectAll(): Promise<void> {
    const { activityCount } = this
    for (const collect of this.deps.threads) {
      if (this.activityCount !== activityCount) return
      // A thread that ended is reported to the callers of its tasks.
      await collect().catch(() => undefined)
    }
  }
}
