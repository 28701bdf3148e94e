/** Counts by level in equal parts of a window. */

import { assert } from "../../base/assert.ts"
import type { EventLevel } from "../../model/records/event-level.ts"
import type { Span } from "../../model/span.ts"

export interface LevelHistogram {
  readonly startMs: number
  readonly stepMs: number
  readonly counts: Readonly<Record<EventLevel, readonly number[]>>
  /** True if there is more than is looked at: the newest count. */
  readonly isPartial: boolean
}

export class LevelCounts {
  private readonly span: Span
  private readonly stepMs: number
  private readonly counts: Readonly<Record<EventLevel, number[]>>

  constructor(span: Span, parts: number) {
    this.span = span
    this.stepMs = Math.max(1, Math.ceil((span.endMs - span.startMs) / parts))
    const zeros = (): number[] => Array.from({ length: parts }, () => 0)
    this.counts = { INFO: zeros(), WARNING: zeros(), CRITICAL: zeros() }
  }

  add(timeMs: number, level: EventLevel): void {
    const { startMs, endMs } = this.span
    assert(timeMs >= startMs && timeMs < endMs, "Expected a time of the window")
    this.counts[level][Math.floor((timeMs - startMs) / this.stepMs)]!++
  }

  histogram(isPartial: boolean): LevelHistogram {
    return { startMs: this.span.startMs, stepMs: this.stepMs, counts: this.counts, isPartial }
  }
}
