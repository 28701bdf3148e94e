/** Time in which at least one of several spans holds: the time of overlapping ones counts once. */

import { assert } from "../../base/assert.ts"
import type { Span } from "../../model/span.ts"

/**
 * Spans are added by their start, the latest first.
 *
 * @example
 *   const time = new OpenTime()
 *   time.add({ startMs: 20, endMs: 30 })
 *   time.add({ startMs: 0, endMs: 25 })
 *   assert.equal(time.ms, 30)
 */
export class OpenTime {
  ms = 0
  /** Spans that do not touch, the earliest last: each is added and joined with others once. */
  private readonly spans: Span[] = []

  add({ startMs, endMs: ownEndMs }: Span): void {
    if (ownEndMs <= startMs) return
    let endMs = ownEndMs
    let next = this.spans.at(-1)
    assert(next === undefined || startMs <= next.startMs, "Expected the latest start first")
    while (next !== undefined && next.startMs <= endMs) {
      this.spans.pop()
      this.ms -= next.endMs - next.startMs
      endMs = Math.max(endMs, next.endMs)
      next = this.spans.at(-1)
    }
    this.spans.push({ startMs, endMs })
    this.ms += endMs - startMs
  }
}
