/** Looks at the memory of a control group and its server once a second. */

import type { MemoryCgroup } from "../../test/support/machine/memory-cgroup.ts"
import { rssBytes } from "../load/process.ts"

const lookMs = 1_000
const looksPerLine = 60

export interface Watched {
  readonly peakBytes: number
  readonly anonymousPeakBytes: number
  readonly residentPeakBytes: number
  /** Mean of the anonymous memory over the second half of the time. */
  readonly settledBytes: number
  readonly kills: number
}

export class MemoryWatch {
  private readonly group: MemoryCgroup
  private readonly pid: number
  private readonly anonymous: number[] = []
  private residentPeakBytes = 0
  private readonly timer: NodeJS.Timeout

  constructor(group: MemoryCgroup, pid: number) {
    this.group = group
    this.pid = pid
    this.timer = setInterval(() => this.look(), lookMs)
  }

  stop(): Watched {
    clearInterval(this.timer)
    this.look()
    const { peakBytes, kills } = this.group.figures()
    const late = this.anonymous.slice(Math.floor(this.anonymous.length / 2))
    return {
      peakBytes,
      kills,
      anonymousPeakBytes: Math.max(...this.anonymous),
      residentPeakBytes: this.residentPeakBytes,
      settledBytes: late.reduce((sum, one) => sum + one, 0) / late.length,
    }
  }

  private look(): void {
    const { anonymousBytes, usageBytes, kills } = this.group.figures()
    const residentBytes = rssBytes(this.pid)
    this.anonymous.push(anonymousBytes)
    this.residentPeakBytes = Math.max(this.residentPeakBytes, residentBytes)
    if (this.anonymous.length % looksPerLine !== 0) return
    const [usage, anonymous, resident] = [usageBytes, anonymousBytes, residentBytes].map(mib)
    const time = new Date().toISOString()
    console.error(
      `${time} charged ${usage}, anonymous ${anonymous}, resident ${resident}, killed ${kills}`,
    )
  }
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`
}
