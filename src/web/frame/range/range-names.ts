/** Ranges that are offered, and how a range is called. */

import { shortTimes, timeText, type TimeStyle } from "../../format/times.ts"
import type { RangeText } from "../../url/time-range.ts"
import type { PageRange } from "./ranges.ts"
import { text } from "../text.ts"

export interface QuickRange extends RangeText {
  readonly name: string
}

type LastUnit = keyof typeof text.range.units

function last(count: number, unit: LastUnit): QuickRange {
  return { from: `now-${count}${unit}`, to: "now", name: text.range.last(count, unit) }
}

const lasts: readonly (readonly [number, LastUnit])[] = [
  [15, "m"],
  [1, "h"],
  [3, "h"],
  [6, "h"],
  [12, "h"],
  [24, "h"],
  [2, "d"],
  [7, "d"],
  [14, "d"],
  [30, "d"],
  [90, "d"],
  [1, "y"],
]

export const quickRanges: readonly QuickRange[] = [
  ...lasts.map(([count, unit]) => last(count, unit)),
  { from: "now/d", to: "now/d", name: text.range.today },
  { from: "now-1d/d", to: "now-1d/d", name: text.range.yesterday },
  { from: "now/w", to: "now/w", name: text.range.thisWeek },
  { from: "now-1w/w", to: "now-1w/w", name: text.range.lastWeek },
]

/** `Last 6 hours`, or the two times of the range. */
export function rangeName({ text: given, range, style }: PageRange): string {
  return nameInWords(given) ?? rangeTimes(range.startMs, range.endMs, style)
}

/** As `rangeName`, in parts that have room on a phone. */
export function shortRangeName({ text: given, range, style, nowMs }: PageRange): readonly string[] {
  const name = nameInWords(given)
  return name === null ? shortTimes(range.startMs, range.endMs, nowMs, style) : [name]
}

function nameInWords(given: RangeText): string | null {
  const quick = quickRanges.find(({ from, to }) => from === given.from && to === given.to)
  if (quick !== undefined) return quick.name
  const match = given.to === "now" ? /^now-(\d{1,4})([mhdwMy])$/.exec(given.from) : null
  return match === null ? null : text.range.last(Number(match[1]), match[2] as LastUnit)
}

/** `2026-11-20 14:05 – 15:05`: the second date is left out if it is the same. */
export function rangeTimes(startMs: number, endMs: number, style: TimeStyle): string {
  const [start, end] = [timeText(startMs, style), timeText(endMs, style)]
  const isOneDay = start.slice(0, 10) === end.slice(0, 10)
  return `${start} – ${isOneDay ? end.slice(11) : end}`
}
