/** Duration histogram: counted in plain numbers where it is measured, read by another thread. */

import type { DurationFigures } from "../../../model/wal-figures.ts"

export class DurationHistogram {
  private readonly boundsSeconds: readonly number[]
  private readonly counts: number[]
  private sumSeconds = 0

  constructor(boundsSeconds: readonly number[]) {
    this.boundsSeconds = boundsSeconds
    this.counts = Array.from({ length: boundsSeconds.length + 1 }, () => 0)
  }

  observe(durationMs: number): void {
    const seconds = durationMs / 1000
    let bucket = 0
    while (bucket < this.boundsSeconds.length && seconds > this.boundsSeconds[bucket]!) bucket++
    this.counts[bucket]!++
    this.sumSeconds += seconds
  }

  figures(): DurationFigures {
    const { boundsSeconds, counts, sumSeconds } = this
    return { boundsSeconds, counts: [...counts], sumSeconds }
  }
}
