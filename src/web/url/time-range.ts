/**
 * Times and ranges as people and links write them: `now-6h`, `now/d`, `now-1d/d`, `now/d+8h`, epoch
 * milliseconds, ISO times, `14:05`, `2026-11-20 14:05`. Days and weeks are those of the zone, and
 * now is the server's.
 */

import type { Zone, WallTime } from "../format/zone.ts"

export interface TimeContext {
  /** Epoch milliseconds of the server's clock. */
  readonly nowMs: number
  readonly zone: Zone
}

/** Which end of a range a time is: `now/d` as an end is the end of the day. */
export type RangeEnd = "start" | "end"

const unitLetters = ["m", "h", "d", "w", "M", "y"] as const
type UnitLetter = (typeof unitLetters)[number]

/** Longer ones are no times. */
const textLengthMax = 64
const stepsMax = 8

/** The epoch milliseconds of a text, or undefined for a text that is no time. */
export function parseTime(text: string, end: RangeEnd, context: TimeContext): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > textLengthMax) return undefined
  const ms = trimmed.startsWith("now")
    ? relativeTime(trimmed.slice(3), end, context)
    : /^\d{11,14}$/.test(trimmed)
      ? Number(trimmed)
      : (isoTime(trimmed) ?? wallClockTime(trimmed, context))
  return ms !== undefined && Math.abs(ms) <= 8.64e15 ? ms : undefined
}

/** As `parseTime`, for a start, also `today 8:00`, `yesterday` and `yesterday 14:00`. */
export function parseDayTime(text: string, context: TimeContext): number | undefined {
  const match = /^(today|yesterday)(?:\s+(\S.*))?$/i.exec(text.trim())
  if (match === null) return parseTime(text, "start", context)
  const [, word = "", rest = "0:00"] = match
  const isToday = word.toLowerCase() === "today"
  const dayMs = relativeTime(isToday ? "/d" : "-1d/d", "start", context)!
  return /^\d{1,2}:\d\d/.test(rest) ? wallClockTime(rest, { ...context, nowMs: dayMs }) : undefined
}

/** Whether a text moves with the clock. */
export function isRelative(text: string): boolean {
  return text.trim().startsWith("now")
}

function relativeTime(text: string, end: RangeEnd, context: TimeContext): number | undefined {
  let ms = context.nowMs
  let rest = text
  for (let i = 0; rest !== ""; i++) {
    const match = /^(?:([+-])(\d{1,5})|(\/))([mhdwMy])/.exec(rest)
    if (match === null || i === stepsMax) return undefined
    const unit = match[4] as UnitLetter
    rest = rest.slice(match[0].length)
    if (match[3] === undefined) ms = moved(ms, Number(`${match[1]}${match[2]}`), unit, context.zone)
    else ms = rounded(ms, unit, end, context.zone)
  }
  return ms
}

const unitMs: Partial<Readonly<Record<UnitLetter, number>>> = { m: 60_000, h: 3_600_000 }

/** Days, weeks, months and years are those of the calendar, so 1 d may have 23 or 25 hours. */
function moved(ms: number, count: number, unit: UnitLetter, zone: Zone): number {
  const fixedMs = unitMs[unit]
  if (fixedMs !== undefined) return ms + count * fixedMs
  const time = zone.wallTime(ms)
  const next = (change: Partial<WallTime>): number =>
    zone.instantOf({ ...time, ...change }) + (((ms % 1000) + 1000) % 1000)
  if (unit === "d") return next({ day: time.day + count })
  if (unit === "w") return next({ day: time.day + 7 * count })
  return next(shiftedMonth(time, unit === "M" ? count : 12 * count))
}

/** A day that a shorter month lacks becomes its last day. */
function shiftedMonth({ year, month, day }: WallTime, months: number): Partial<WallTime> {
  const index = year * 12 + (month - 1) + months
  const shifted = { year: Math.floor(index / 12), month: (index % 12) + 1 }
  const days = new Date(Date.UTC(shifted.year, shifted.month, 0)).getUTCDate()
  return { ...shifted, day: Math.min(day, days) }
}

/** The start of the unit around an instant, or its end, which is the start of the next. */
function rounded(ms: number, unit: UnitLetter, end: RangeEnd, zone: Zone): number {
  const fixedMs = unitMs[unit]
  if (fixedMs !== undefined)
    return roundedOnClock(ms, fixedMs, zone) + (end === "end" ? fixedMs : 0)
  const { year, month, day } = zone.wallTime(ms)
  const midnight = { year, month, day, hour: 0, minute: 0, second: 0 }
  const ahead = end === "end" ? 1 : 0
  if (unit === "d") return zone.instantOf({ ...midnight, day: day + ahead })
  if (unit === "M") return zone.instantOf({ ...midnight, month: month + ahead, day: 1 })
  if (unit === "y") return zone.instantOf({ ...midnight, year: year + ahead, month: 1, day: 1 })
  const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
  return zone.instantOf({ ...midnight, day: day - sinceMonday + 7 * ahead })
}

/** By the offset at the instant: a time of day is there twice when clocks go back. */
function roundedOnClock(ms: number, unitLengthMs: number, zone: Zone): number {
  const offsetMs = zone.offsetMs(ms)
  return Math.floor((ms + offsetMs) / unitLengthMs) * unitLengthMs - offsetMs
}

/** An ISO time with its offset; without one it is a wall-clock time. */
function isoTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

const wallClock =
  /^(?:(\d{4})-(\d{1,2})-(\d{1,2}))?(?:(?:^|[ T])(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?)?$/

function wallClockTime(text: string, { nowMs, zone }: TimeContext): number | undefined {
  const match = text === "" ? null : wallClock.exec(text)
  if (match === null) return undefined
  const [year, month, day, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part: string | undefined) => (part === undefined ? undefined : Number(part)))
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const date = year === undefined ? zone.wallTime(nowMs) : { year, month: month!, day: day! }
  const isDate = date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31
  return isDate ? zone.instantOf({ ...date, hour, minute, second }) : undefined
}

/** A range as the URL has it. */
export interface RangeText {
  readonly from: string
  readonly to: string
}

export interface TimeRange {
  readonly startMs: number
  readonly endMs: number
}

/** The shortest range that pages show: shorter ones hold no bucket and no sample. */
export const rangeMsMin = 1000

/** Start and end of a range; undefined if a part is no time, or the end not after the start. */
export function resolveRange({ from, to }: RangeText, context: TimeContext): TimeRange | undefined {
  const startMs = parseTime(from, "start", context)
  const endMs = parseTime(to, "end", context)
  if (startMs === undefined || endMs === undefined || endMs - startMs < rangeMsMin) return undefined
  return { startMs, endMs }
}

/** A range as fixed times, which stay what they are. */
/** The ends of a range as calls of the API take them: ISO 8601, whole milliseconds. */
export function isoTimes({ startMs, endMs }: TimeRange): { startTime: string; endTime: string } {
  const iso = (ms: number) => new Date(Math.round(ms)).toISOString()
  return { startTime: iso(startMs), endTime: iso(endMs) }
}

export function absoluteRange({ startMs, endMs }: TimeRange): RangeText {
  return { from: String(Math.round(startMs)), to: String(Math.round(endMs)) }
}

/** The range moved by a share of its length: -0.5 goes half a window back. */
export function panned({ startMs, endMs }: TimeRange, share: number): TimeRange {
  const byMs = (endMs - startMs) * share
  return { startMs: startMs + byMs, endMs: endMs + byMs }
}

/** The range `factor` times as long; what is at `share` of its length stays where it is. */
export function zoomedAround(
  { startMs, endMs }: TimeRange,
  share: number,
  factor: number,
): TimeRange {
  const fixedMs = startMs + (endMs - startMs) * share
  const lengthMs = Math.max(rangeMsMin, (endMs - startMs) * factor)
  return { startMs: fixedMs - lengthMs * share, endMs: fixedMs + lengthMs * (1 - share) }
}
