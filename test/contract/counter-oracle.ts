/** Increases of a counter, from its samples alone, in plain arithmetic (spec/samples §6). */

import { cycleMs } from "../../src/model/resolution.ts"
import type { Sample } from "../support/ingest/samples.ts"
import { countedOver } from "../support/store/counted-over.ts"

/**
 * The increase of each cycle with samples, in order of time; undefined for the first cycle. Equal
 * samples of several requests are one.
 */
export function increasesOf(samples: readonly Sample[], doesWrap = false): (number | undefined)[] {
  const ordered = samples
    .map(({ timeMs, sent }) => ({ timeMs, value: sent.val! }))
    .sort((left, right) => left.timeMs - right.timeMs || left.value - right.value)
  const byCycle = new Map<number, number | undefined>()
  for (const [i, { timeMs, value }] of ordered.entries()) {
    const cycle = Math.floor(timeMs / cycleMs)
    const before = ordered[i - 1]
    const step = before === undefined ? NaN : countedOver([before.value, value], doesWrap)
    byCycle.set(cycle, (byCycle.get(cycle) ?? 0) + step)
  }
  return Array.from(byCycle.values(), (sum) => (Number.isNaN(sum) ? undefined : sum))
}
