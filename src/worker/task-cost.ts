/** The cost of a task for its thread: time, and values read of the store. */

import { threadCpuMs } from "../runtime/thread-cpu.ts"
import type { CountedReads, StoreReads } from "../store/query-store.ts"

export interface TaskCost extends StoreReads {
  /** From the beginning of the task to its end. */
  readonly busyMs: number
  /** CPU of the thread; null if the runtime does not tell it. */
  readonly cpuMs: number | null
}

/** Measures the one task that its thread has from now on; 1 µs a task. */
export class CostMeter {
  private readonly store: CountedReads
  private readonly reads: StoreReads
  private readonly startedMs = performance.now()
  private readonly startedCpuMs = threadCpuMs()

  constructor(store: CountedReads) {
    this.store = store
    this.reads = store.reads
  }

  cost(): TaskCost {
    const { rows, chunks } = this.store.reads
    const cpuMs = threadCpuMs()
    return {
      busyMs: performance.now() - this.startedMs,
      cpuMs: cpuMs === null || this.startedCpuMs === null ? null : cpuMs - this.startedCpuMs,
      rows: rows - this.reads.rows,
      chunks: chunks - this.reads.chunks,
    }
  }
}
