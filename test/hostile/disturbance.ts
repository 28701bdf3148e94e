/**
 * Disturbance: when others had the processors, the host of a virtual machine or processes beside a
 * run. What is slow then is theirs, so a run tells its figures with and without such times.
 */

import { readFileSync } from "node:fs"

const sliceMs = 500
/** Of all processors' time. Both counts below are in ticks of 10 ms, so each is off by some. */
const othersShareMax = 0.06

interface Ticks {
  readonly atMs: number
  readonly total: number
  /** Of them those in which neither the run nor nobody ran. */
  readonly others: number
}

interface Slice {
  readonly fromMs: number
  readonly toMs: number
  readonly isQuiet: boolean
}

/** Watches until `stop`; times are those of `performance.now()`. */
export class Disturbance {
  private readonly slices: Slice[] = []
  private readonly pid: number
  private readonly timer: NodeJS.Timeout
  private last: Ticks

  /** The run is this process and the one of `pid`. */
  constructor(pid: number) {
    this.pid = pid
    this.last = readTicks(pid)
    this.timer = setInterval(() => this.look(), sliceMs)
  }

  stop(): void {
    clearInterval(this.timer)
    this.look()
  }

  /** So many milliseconds were quiet. */
  get quietMs(): number {
    return this.slices.reduce((sum, { fromMs, toMs, isQuiet }) => {
      return isQuiet ? sum + toMs - fromMs : sum
    }, 0)
  }

  get watchedMs(): number {
    return this.last.atMs - (this.slices[0]?.fromMs ?? this.last.atMs)
  }

  /** True where all slices that the time touches were quiet. */
  isQuiet(fromMs: number, toMs: number): boolean {
    const touched = this.slices.filter((slice) => slice.fromMs <= toMs && slice.toMs > fromMs)
    return touched.length > 0 && touched.every(({ isQuiet }) => isQuiet)
  }

  private look(): void {
    const now = readTicks(this.pid)
    const share = (now.others - this.last.others) / Math.max(1, now.total - this.last.total)
    const slice = { fromMs: this.last.atMs, toMs: now.atMs, isQuiet: share <= othersShareMax }
    this.slices.push(slice)
    this.last = now
  }
}

const ticksPerSecond = 100

function readTicks(pid: number): Ticks {
  const line = readFileSync("/proc/stat", "latin1").split("\n", 1)[0]!
  // user nice system idle iowait irq softirq steal
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const total = fields.reduce((sum, field) => sum + field, 0)
  const { user, system } = process.cpuUsage()
  const own = ((user + system) / 1_000_000) * ticksPerSecond + ticksOf(pid)
  return { atMs: performance.now(), total, others: total - fields[3]! - fields[4]! - own }
}

/** What a process used, in user and kernel mode: fields 14 and 15, behind the name in brackets. */
function ticksOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1")
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return Number(fields[11]) + Number(fields[12])
}
