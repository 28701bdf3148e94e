/** The `Date` header of responses, by the clock of the server (RFC 9110, 6.6.1). */

import type { Clock } from "../../base/clock.ts"

/**
 * The current date as HTTP formats it. Dates have whole seconds, so the text is made once per
 * second and shared by the responses of that second.
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
