/** Times as texts: ISO order, in the chosen zone, with 24 hours unless the profile says 12. */

import { twoDigits, type Zone } from "./zone.ts"

export type HourClock = "24" | "12"

export interface TimeStyle {
  readonly zone: Zone
  readonly clock: HourClock
}

/** `2026-11-20`. */
export function dateText(ms: number, { zone }: TimeStyle): string {
  const { year, month, day } = zone.wallTime(ms)
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`
}

/** `14:05`, or `2:05 pm`; with seconds `14:05:09`. */
export function clockText(ms: number, { zone, clock }: TimeStyle, withSeconds = false): string {
  const { hour, minute, second } = zone.wallTime(ms)
  const tail = `${twoDigits(minute)}${withSeconds ? `:${twoDigits(second)}` : ""}`
  if (clock === "24") return `${twoDigits(hour)}:${tail}`
  return `${hour % 12 === 0 ? 12 : hour % 12}:${tail} ${hour < 12 ? "am" : "pm"}`
}

/** `2026-11-20 14:05`. */
export function timeText(ms: number, style: TimeStyle, withSeconds = false): string {
  return `${dateText(ms, style)} ${clockText(ms, style, withSeconds)}`
}

/** A time relative to now: the clock alone for the same day, otherwise the date with it. */
export function shortTimeText(
  ms: number,
  nowMs: number,
  style: TimeStyle,
  withSeconds = false,
): string {
  const isToday = dateText(ms, style) === dateText(nowMs, style)
  return isToday ? clockText(ms, style, withSeconds) : timeText(ms, style, withSeconds)
}

/** `11-27 14:00 –` and `11-29 16:30`: without the present year, and a day but once. */
export function shortTimes(
  startMs: number,
  endMs: number,
  nowMs: number,
  style: TimeStyle,
): readonly [string, string] {
  const [startDate, endDate, today] = [startMs, endMs, nowMs].map((ms) => dateText(ms, style))
  const year = today!.slice(0, -"-11-20".length)
  const isThisYear = [startDate, endDate].every((date) => date!.startsWith(`${year}-`))
  const short = (date = ""): string => `${isThisYear ? date.slice(year.length + 1) : date} `
  const isOneDay = startDate === endDate
  const before = isOneDay && startDate === today ? "" : short(startDate)
  const after = isOneDay ? "" : short(endDate)
  return [`${before}${clockText(startMs, style)} –`, `${after}${clockText(endMs, style)}`]
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const

/** `12 min`, `3 h`, `2 d 4 h`: the largest unit, and the next below three of it. */
export function durationText(ms: number): string {
  const all = Math.max(0, ms)
  const i = units.findIndex(([, unitMs]) => all >= unitMs)
  if (i < 0) return `${Math.round(all)} ms`
  const [name, unitMs] = units[i]!
  const count = Math.floor(all / unitMs)
  const next = units[i + 1]
  if (count >= 3 || next === undefined) return `${count} ${name}`
  const rest = Math.floor((all % unitMs) / next[1])
  return rest === 0 ? `${count} ${name}` : `${count} ${name} ${rest} ${next[0]}`
}

/** `3 min ago`, `in 2 h`, `now` within a second. */
export function agoText(ms: number, nowMs: number): string {
  const age = nowMs - ms
  if (Math.abs(age) < 1000) return "now"
  return age > 0 ? `${durationText(age)} ago` : `in ${durationText(-age)}`
}
