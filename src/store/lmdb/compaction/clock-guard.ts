/**
 * Decides whether retention may trust the system clock. Every other effect of a wrong clock can be
 * corrected later; data that retention has dropped cannot.
 */

import { assert } from "../../../base/assert.ts"
import { dayMs, hourMs } from "../../../model/resolution.ts"

/** Largest accepted advance of the clock between two retention runs, also across restarts. */
const jumpMsMax = 7 * dayMs
/**
 * A clock that jumped further is trusted after this time: wrong clocks are corrected within a day.
 */
const steadyMs = dayMs
/** Upper bound of the drift between the clock and elapsed time in a day. */
const driftMsMax = hourMs

export interface ClockReading {
  readonly nowMs: number
  /** Monotonic milliseconds. */
  readonly elapsedMs: number
}

export class ClockJumpGuard {
  /** First reading after the jump. */
  private jump: ClockReading | null = null

  /**
   * Decides on a reading. `lastMs` is the clock at the last retention run, undefined if there was
   * none. Retention may drop data only if the result is "trusted".
   */
  check(
    reading: ClockReading,
    lastMs: number | undefined,
  ): "trusted" | "jumped" | "waiting" | "first" {
    const { nowMs, elapsedMs } = reading
    assert(Number.isFinite(nowMs) && Number.isFinite(elapsedMs), "Expected two instants")
    if (lastMs === undefined) return "first"
    if (reading.nowMs - lastMs <= jumpMsMax) {
      this.jump = null
      return "trusted"
    }
    const { jump } = this
    if (jump === null || driftMs(jump, reading) > driftMsMax) {
      this.jump = reading
      return "jumped"
    }
    return reading.elapsedMs - jump.elapsedMs >= steadyMs ? "trusted" : "waiting"
  }
}

function driftMs(from: ClockReading, to: ClockReading): number {
  return Math.abs(to.nowMs - from.nowMs - (to.elapsedMs - from.elapsedMs))
}
