/**
 * ClockTrust: whether the clock may be believed when it says that something is too old. Everything
 * else can be mended after the clock was wrong; what retention dropped cannot.
 */

import { dayMs, hourMs } from "../../../model/resolution.ts"

/** From one look of retention to the next, over restarts too, the clock may go on by this. */
const jumpMsMax = 7 * dayMs
/** Further on it is believed after so long: somebody will have set a clock right by then. */
const steadyMs = dayMs
/** Clock and elapsed time drift apart by less than this in a day. */
const driftMsMax = hourMs

export interface ClockLook {
  readonly nowMs: number
  /** Monotonic milliseconds. */
  readonly elapsedMs: number
}

export class ClockTrust {
  /** Where the clock stood when it was first found too far on. */
  private jump: ClockLook | null = null

  /** `lastMs` is the clock at retention's last look; undefined before the first of a store. */
  judge(look: ClockLook, lastMs: number | undefined): "believed" | "jumped" | "waiting" | "first" {
    if (lastMs === undefined) return "first"
    if (look.nowMs - lastMs <= jumpMsMax) {
      this.jump = null
      return "believed"
    }
    const { jump } = this
    if (jump === null || driftMs(jump, look) > driftMsMax) {
      this.jump = look
      return "jumped"
    }
    return look.elapsedMs - jump.elapsedMs >= steadyMs ? "believed" : "waiting"
  }
}

function driftMs(from: ClockLook, to: ClockLook): number {
  return Math.abs(to.nowMs - from.nowMs - (to.elapsedMs - from.elapsedMs))
}
