/**
 * Time that the host took away: on a shared machine a virtual processor that is ready to run may
 * wait for a real one. Linux counts it as "steal". A latency measured then is the neighbours', so a
 * paced run reports which of its requests were in undisturbed time.
 */

import { readFileSync } from "node:fs"

const sliceMs = 250
/** Of a slice of all processors: about one tick of the clock in which Linux counts. */
const stolenShareMax = 0.02

interface Ticks {
  readonly stolen: number
  readonly total: number
}

export class StolenTime {
  private readonly shares: number[] = []
  private readonly timer: NodeJS.Timeout
  private readonly first = readTicks()
  private last = this.first
  private readonly startedMs = performance.now()

  constructor() {
    this.timer = setInterval(() => this.look(), sliceMs)
  }

  stop(): void {
    clearInterval(this.timer)
    this.look()
  }

  /** Of all processors' time since the start. */
  get share(): number {
    return (this.last.stolen - this.first.stolen) / (this.last.total - this.first.total)
  }

  /** True if nothing was taken in the slices of both instants, nor in the one before. */
  isUndisturbed(fromMs: number, toMs: number): boolean {
    const from = Math.max(0, Math.floor((fromMs - this.startedMs) / sliceMs) - 1)
    const to = Math.floor((toMs - this.startedMs) / sliceMs)
    for (let slice = from; slice <= to; slice++) {
      if ((this.shares[slice] ?? 1) > stolenShareMax) return false
    }
    return true
  }

  /** A late timer leaves slices out: they were disturbed, if not by the host then by ourselves. */
  private look(): void {
    const now = readTicks()
    const share = (now.stolen - this.last.stolen) / Math.max(1, now.total - this.last.total)
    this.last = now
    const slice = Math.round((performance.now() - this.startedMs) / sliceMs) - 1
    while (this.shares.length < slice) this.shares.push(1)
    this.shares[slice] = share
  }
}

/** `cpu user nice system idle iowait irq softirq steal …`, in ticks of all processors. */
function readTicks(): Ticks {
  const line = readFileSync("/proc/stat", "latin1").split("\n", 1)[0]!
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return { stolen: fields[7] ?? 0, total: fields.reduce((sum, field) => sum + field, 0) }
}
