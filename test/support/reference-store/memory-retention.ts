/** How long each resolution is kept, and where its retained days begin (spec/retention §1). */

import { dayMs } from "../../../src/model/resolution.ts"
import type { StoreOptions } from "../../../src/store/store.ts"

export type RetentionMs = StoreOptions["retentionMs"]

/** 15 days, 90 days, 13 months and 5 years. */
export const retentionMsDefault: RetentionMs = {
  ZERO: 15 * dayMs,
  PT5M: 90 * dayMs,
  PT1H: 395 * dayMs,
  PT24H: 1825 * dayMs,
}

/** Midnight UTC before which all is removed: a day once its end is older than `retentionMs`. */
export function retentionWatermark(nowMs: number, retentionMs: number): number {
  return (Math.ceil((nowMs - retentionMs) / dayMs) - 1) * dayMs
}
