/**
 * Ticks of a time axis: whole minutes, hours, days and months of the zone, and their labels. A tick
 * after the clocks changed shows the new offset.
 */

import { clockText, dateText, type TimeStyle } from "../../format/times.ts"
import type { Zone } from "../../format/zone.ts"
import type { TimeRange } from "../../url/time-range.ts"

export interface TimeTick {
  readonly ms: number
  /** The time of day, or the day. */
  readonly label: string
  /** The day, if the tick is the first one of it; the offset, if it changed; otherwise empty. */
  readonly second: string
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Steps below a day divide it; longer ones count days. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 3, 6, 12].map((count) => count * hourMs),
  ...[1, 2, 7, 14].map((count) => count * dayMs),
]
const monthSteps: readonly number[] = [1, 2, 3, 6, 12, 24, 60]

/** More do not fit the widest screen. */
const ticksMax = 100

/** About `countMax` ticks within the range, in ascending order. */
export function timeTicks(range: TimeRange, countMax: number, style: TimeStyle): TimeTick[] {
  const wanted = Math.max(2, Math.min(countMax, ticksMax))
  const length = range.endMs - range.startMs
  const step = steps.find((one) => length / one <= wanted)
  const { zone } = style
  if (step === undefined) return labelled(monthTimes(range, wanted, zone), dayMs, style)
  const times = step < dayMs ? clockTimes(range, step, zone) : dayTimes(range, step / dayMs, zone)
  return labelled(times, step, style)
}

/** Whole steps of the zone's clock; those of an hour that is there twice are there twice. */
function clockTimes({ startMs, endMs }: TimeRange, step: number, zone: Zone): number[] {
  const times: number[] = []
  let ms = startMs - 1
  while (times.length <= 2 * ticksMax) {
    ms = nextClockTime(ms, step, zone)
    if (ms > endMs) break
    times.push(ms)
  }
  return times
}

/** The first instant after `ms` at which the zone's clock shows a whole step of a day. */
function nextClockTime(ms: number, step: number, zone: Zone): number {
  const next = (offsetMs: number) => (Math.floor((ms + offsetMs) / step) + 1) * step - offsetMs
  const offsetMs = zone.offsetMs(ms)
  const soon = next(offsetMs)
  const laterMs = zone.offsetMs(soon)
  if (laterMs === offsetMs) return soon
  // The clocks change in between: the step is one of the new offset, and after the change.
  let after = next(laterMs)
  while (zone.offsetMs(after) !== laterMs) after += step
  return after
}

/** Counted from a Monday, so that panning does not move the ticks of weeks. */
function dayTimes(range: TimeRange, stepDays: number, zone: Zone): number[] {
  const { year, month, day } = zone.wallTime(range.startMs)
  const days = Math.floor(Date.UTC(year, month - 1, day) / dayMs)
  const mondayAfterEpoch = 4
  const first = day - ((days - mondayAfterEpoch) % stepDays)
  const midnight = { year, month, hour: 0, minute: 0, second: 0 }
  return timesWithin(range, (i) => zone.instantOf({ ...midnight, day: first + i * stepDays }))
}

function monthTimes(range: TimeRange, wanted: number, zone: Zone): number[] {
  const { year } = zone.wallTime(range.startMs)
  const months = (range.endMs - range.startMs) / (30 * dayMs)
  const step = monthSteps.find((one) => months / one <= wanted) ?? monthSteps.at(-1)!
  const midnight = { year, day: 1, hour: 0, minute: 0, second: 0 }
  return timesWithin(range, (i) => zone.instantOf({ ...midnight, month: 1 + i * step }))
}

/** Ascending times in the range; a time that clocks skip is that of the next tick, there once. */
function timesWithin({ startMs, endMs }: TimeRange, timeAt: (i: number) => number): number[] {
  const times: number[] = []
  for (let i = 0; times.length <= 2 * ticksMax; i++) {
    const ms = timeAt(i)
    if (ms > endMs) break
    if (ms >= startMs && ms !== times.at(-1)) times.push(ms)
  }
  return times
}

function labelled(times: readonly number[], step: number, style: TimeStyle): TimeTick[] {
  const dates = times.map((ms) => dateText(ms, style))
  const offsets = times.map((ms) => style.zone.offsetText(ms))
  return times.map((ms, i) => {
    const isChanged = i > 0 && offsets[i] !== offsets[i - 1]
    const isNewDay = dates[i] !== dates[i - 1]
    if (step >= dayMs) return { ms, label: dates[i]!, second: isChanged ? offsets[i]! : "" }
    const label = clockText(ms, style, step < minuteMs)
    return { ms, label, second: isChanged ? offsets[i]! : isNewDay ? dates[i]! : "" }
  })
}

/** Room for the labels of a time axis, in CSS pixels. */
export interface LabelSpace {
  /** From the start of the range to its end. */
  readonly width: number
  /** Right of the end. */
  readonly margin: number
  readonly characterWidth: number
}

/** The texts of ticks, each in the middle of its own; one that the edge would cut is left out. */
export function fittingTexts(
  ticks: readonly TimeTick[],
  { startMs, endMs }: TimeRange,
  { width, margin, characterWidth }: LabelSpace,
): string[] {
  return ticks.map(({ ms, label, second }) => {
    const room = ((endMs - ms) / (endMs - startMs)) * width + margin
    const fits = (text: string): boolean => (text.length * characterWidth) / 2 <= room
    if (!fits(label)) return ""
    return second === "" || !fits(second) ? label : `${label}\n${second}`
  })
}
