/** The `Date` header of answers, by the clock that the server goes by (RFC 9110, 6.6.1). */

import type { Clock } from "../../base/clock.ts"

/**
 * The date of now as HTTP writes it. It has whole seconds: most answers of a busy server have that
 * of the one before, so the text is made once a second.
 */
export class DateHeader {
  private readonly clock: Clock
  private second = NaN
  private text = ""

  constructor(clock: Clock) {
    this.clock = clock
  }

  value(): string {
    const nowMs = this.clock.nowMs()
    const second = Math.floor(nowMs / 1000)
    if (second !== this.second) {
      this.second = second
      this.text = new Date(nowMs).toUTCString()
    }
    return this.text
  }
}
