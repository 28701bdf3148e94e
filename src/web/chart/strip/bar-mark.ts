/** The marked bars of a strip: those between where a mark began and where it is now. */

import { rangeMsMin, type TimeRange } from "../../url/time-range.ts"

/** Indices of bars. */
export interface BarMark {
  readonly from: number
  readonly at: number
}

/** Bars of a step with Page Up and Page Down. */
const longStep = 20

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -longStep,
  PageDown: longStep,
  Home: -Infinity,
  End: Infinity,
}

/**
 * The mark after a key; Shift keeps its beginning. Undefined for a key that does not move it.
 *
 * @example
 *   assert.deepEqual(movedMark({ from: 3, at: 3 }, "ArrowRight", true, 10), { from: 3, at: 4 })
 */
export function movedMark(
  mark: BarMark | null,
  key: string,
  isExtended: boolean,
  bars: number,
): BarMark | undefined {
  const by = steps[key]
  if (by === undefined) return undefined
  const at = Math.min(bars - 1, Math.max(0, (mark?.at ?? (by < 0 ? bars : -1)) + by))
  return { from: isExtended ? (mark?.from ?? at) : at, at }
}

export interface Bars {
  readonly startMs: number
  readonly stepMs: number
}

/** The time of marked bars. */
export function markedRange({ from, at }: BarMark, { startMs, stepMs }: Bars): TimeRange {
  return {
    startMs: startMs + Math.min(from, at) * stepMs,
    endMs: startMs + (Math.max(from, at) + 1) * stepMs,
  }
}

/** Whether pages show a range as short as that. */
export function isLongEnough({ startMs, endMs }: TimeRange): boolean {
  return endMs - startMs >= rangeMsMin
}

const minuteMs = 60_000
const barsMin = 12
/** Some 10 pixels each on a wide screen. */
const barsMax = 96

/** How many bars a range has: one for each cycle of five minutes, if they are neither few nor many. */
export function barsOf({ startMs, endMs }: TimeRange): number {
  const cycles = Math.round((endMs - startMs) / (5 * minuteMs))
  return Math.min(barsMax, Math.max(barsMin, cycles))
}
