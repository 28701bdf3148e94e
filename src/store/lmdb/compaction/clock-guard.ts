/**
 * Decides whether retention may trust the system clock. Every other effect of a wrong clock can be
 * corrected later; data that retention has dropped cannot.
 */

import { dayMs, hourMs } from "../../../model/resolution.ts"

/** From one look of retention to the next, over restarts too, the clock may go on by this. */
const jumpMsMax = 7 * dayMs
/** Further on it is believed after so long: somebody will have set a clock right by then. */
const steadyMs = dayMs
/** Clock and elapsed time drift apart by less than this in a day. */
const driftMsMax = hourMs

export interface ClockReading {
  readonly nowMs: number
  /** Monotonic milliseconds. */
  readonly elapsedMs: number
}

export class ClockJumpGuard {
  /** Where the clock stood when it was first found too far on. */
  private jump: ClockReading | null = null

  /** `lastFlushMs` is the clock at retention's last look; undefined before the first of a store. */
  check(
    reading: ClockReading,
    lastMs: number | undefined,
  ): "believed" | "jumped" | "waiting" | "first" {
    if (lastMs === undefined) return "first"
    if (reading.nowMs - lastMs <= jumpMsMax) {
      this.jump = null
      return "believed"
    }
    const { jump } = this
    if (jump === null || driftMs(jump, reading) > driftMsMax) {
      this.jump = reading
      return "jumped"
    }
    return reading.elapsedMs - jump.elapsedMs >= steadyMs ? "believed" : "waiting"
  }
}

function driftMs(from: ClockReading, to: ClockReading): number {
  return Math.abs(to.nowMs - from.nowMs - (to.elapsedMs - from.elapsedMs))
}
