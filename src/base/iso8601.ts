/**
 * Instants and durations as text, in the accepted forms only (spec/time §2).
 *
 *   2023-11-14T22:13:20.123456789+01:00
 *   └─ date ─┘ └time┘ └ fraction ┘└zone┘     seconds and fraction may be missing
 *
 * `T` and `Z` may be lower case; a space may replace `T`, and a comma the point. The zone is `Z`,
 * `±hh:mm`, `±hhmm` or `±hh`. There is one grammar, on bytes, so that the scanner of request bodies
 * parses timestamps in place; texts are converted to bytes.
 */

import { assert } from "./assert.ts"

const minuteMs = 60_000
const dayMs = 86_400_000
/** Largest instant of a JavaScript date, on either side of the epoch (ECMA-262, 21.4.1.1). */
const instantMsMax = 8.64e15
/** `2023-11-14T22:13Z` */
const isoBytesMin = 17
/** `2023-11-14T22:13:20.123456789+01:00` */
const isoBytesMax = 35

const numeric = /^[+-]?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/

/**
 * Epoch milliseconds of a timestamp: a number written as text, or ISO 8601 with a zone. `undefined`
 * if it is invalid; `isoProblem` then says why.
 */
export function parseInstant(text: string): number | undefined {
  if (numeric.test(text)) return wholeMs(Number(text))
  return parseIso(text)
}

/** As `parseInstant`, and accepts a date alone (`20231114`, `2023-11-14`): its midnight in UTC. */
export function parseQueryInstant(text: string): number | undefined {
  const compact = /^(\d{4})(\d\d)(\d\d)$/.exec(text)
  if (compact !== null) return parseIso(`${compact[1]}-${compact[2]}-${compact[3]}T00:00Z`)
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return parseIso(`${text}T00:00Z`)
  return parseInstant(text.replace(lostPlus, "$1+$2"))
}

/** A `+hh:mm` whose plus sign became a space, because the client did not escape it in the URL. */
const lostPlus = /^(\d{4}-\d\d-\d\d[Tt ][\d:.,]+) (\d\d(?::?\d\d)?)$/

const scratch = new Uint8Array(isoBytesMax)

function parseIso(text: string): number | undefined {
  if (text.length < isoBytesMin || text.length > isoBytesMax) return undefined
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return undefined
    scratch[i] = code
  }
  const ms = parseInstantBytes(scratch, 0, text.length)
  return Number.isNaN(ms) ? undefined : ms
}

function wholeMs(value: number): number | undefined {
  if (!Number.isInteger(value) || Math.abs(value) > instantMsMax) return undefined
  return value + 0
}

/**
 * Epoch milliseconds of the ISO 8601 timestamp in the ASCII bytes `[start, end)`; NaN if it is
 * invalid. Digits beyond milliseconds are cut off. Allocates nothing.
 */
export function parseInstantBytes(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  if (length < isoBytesMin || length > isoBytesMax) return NaN
  if (!isSeparator(bytes[start + 10]!)) return NaN
  if (bytes[start + 13] !== 58 /* : */) return NaN

  const hour = twoDigits(bytes, start + 11)
  const minute = twoDigits(bytes, start + 14)
  if (!(hour < 24 && minute < 60)) return NaN

  const minuteEnd = start + 16
  if (bytes[minuteEnd] !== 58 /* : */) {
    return (
      readDays(bytes, start) * dayMs +
      (hour * 60 + minute - readZone(bytes, minuteEnd, end)) * minuteMs
    )
  }
  if (minuteEnd + 3 >= end) return NaN
  const second = twoDigits(bytes, minuteEnd + 1)
  if (!(second < 60)) return NaN

  const fractionStart = minuteEnd + 3
  const fractionEnd = skipFraction(bytes, fractionStart, end)
  const minutes = hour * 60 + minute - readZone(bytes, fractionEnd, end)
  const ms = second * 1000 + readFractionMs(bytes, fractionStart, fractionEnd)
  return readDays(bytes, start) * dayMs + minutes * minuteMs + ms
}

/** Days from 1970-01-01 to the date at `at`; NaN if there is no such day. */
function readDays(bytes: Uint8Array, at: number): number {
  if (bytes[at + 4] !== 45 /* - */ || bytes[at + 7] !== 45) return NaN
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2)
  const month = twoDigits(bytes, at + 5)
  const day = twoDigits(bytes, at + 8)
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month))) return NaN
  return daysFromCivil(year, month, day)
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/**
 * Howard Hinnant's days_from_civil (public domain): years begin in March, so that the leap day is
 * the last of its year, and 400 years are one era of 146,097 days. The earliest year is 0.
 */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = (((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0) + day - 1
  const dayOfEra = yearOfEra * 365 + (yearOfEra >> 2) - ((yearOfEra / 100) | 0) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** End of the fraction at `at`; `at` itself if there is none. */
function skipFraction(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] !== 46 /* . */ && bytes[at] !== 44 /* , */) return at
  let digit = at + 1
  while (digit < end && isDigit(bytes[digit]!)) digit++
  return digit
}

/** NaN for a point without digits or with more than nine. */
function readFractionMs(bytes: Uint8Array, start: number, end: number): number {
  const digits = end - start - 1
  if (digits < 0) return 0
  if (digits === 0 || digits > 9) return NaN
  const tenths = bytes[start + 1]! - 48
  const hundredths = digits > 1 ? bytes[start + 2]! - 48 : 0
  const thousandths = digits > 2 ? bytes[start + 3]! - 48 : 0
  return tenths * 100 + hundredths * 10 + thousandths
}

/** Minutes ahead of UTC of the zone in `[at, end)`, at most 23:59; NaN if it is invalid. */
function readZone(bytes: Uint8Array, at: number, end: number): number {
  const length = end - at
  if (length === 1) return (bytes[at]! | 32) === 122 /* z */ ? 0 : NaN
  if (length !== 3 && length !== 5 && length !== 6) return NaN
  const sign = bytes[at] === 43 /* + */ ? 1 : bytes[at] === 45 /* - */ ? -1 : NaN
  const hours = twoDigits(bytes, at + 1)
  if (length === 6 && bytes[at + 3] !== 58 /* : */) return NaN
  const minutes = length === 3 ? 0 : twoDigits(bytes, end - 2)
  return hours < 24 && minutes < 60 ? sign * (hours * 60 + minutes) : NaN
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]!
  const ones = bytes[at + 1]!
  return isDigit(tens) && isDigit(ones) ? tens * 10 + ones - 528 : NaN
}

/** `T`, `t` or a space. */
function isSeparator(byte: number): boolean {
  return byte === 84 || byte === 116 || byte === 32
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57
}

/** Why `parseInstant` rejects `text`, as one sentence without the text itself. */
export function isoProblem(text: string): string {
  const accepted = "expected epoch milliseconds or ISO 8601 with Z or ±hh:mm"
  if (numeric.test(text)) return "epoch milliseconds must be whole and at most 8640000000000000"
  const iso = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(.*)$/s.exec(text)
  if (iso === null) return accepted
  const zone = iso[1]!.trim()
  if (zone === "") return "no zone is given: write Z or ±hh:mm"
  if (/^[A-Za-z][A-Za-z_/]*$/.test(zone) && zone.toUpperCase() !== "Z") {
    return `zone name ${zone.slice(0, 40)} is not accepted: write Z or ±hh:mm`
  }
  if (/^(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(iso[1]!)) return "there is no such date or time of day"
  return accepted
}

const amount = String.raw`(\d{1,9}(?:[.,]\d{1,9})?)`
const durationPattern = new RegExp(
  `^P(?:${amount}Y)?(?:${amount}M)?(?:${amount}W)?(?:${amount}D)?` +
    String.raw`(?:T(?=\d)(?:${amount}H)?(?:${amount}M)?(?:${amount}S)?)?$`,
  "i",
)
const durationUnitsMs = [365 * dayMs, 30 * dayMs, 7 * dayMs, dayMs, 3_600_000, minuteMs, 1000]

/**
 * Milliseconds of an ISO 8601 duration, in either case (`PT30m`). A year counts 365 days, a month
 * 30. Only the last component may have a fraction. `undefined` for anything else, including a sign.
 *
 * @example
 * assert.equal(parseDuration("PT30m"), 1_800_000)
 * assert.equal(parseDuration("P1DT0.5H"), 88_200_000)
 * assert.equal(parseDuration("-PT1H"), undefined)
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > 100) return undefined
  const parts = durationPattern.exec(text)?.slice(1)
  if (parts === undefined) return undefined
  const last = parts.findLastIndex((part) => part !== undefined)
  if (last < 0) return undefined
  let ms = 0
  for (const [i, part] of parts.entries()) {
    if (part === undefined) continue
    if (i < last && /[.,]/.test(part)) return undefined
    ms += Number(part.replace(",", ".")) * durationUnitsMs[i]!
  }
  return ms <= instantMsMax ? Math.round(ms) : undefined
}

/** `2023-11-14T22:13:20.123Z` */
export function formatInstant(ms: number): string {
  assert(Number.isInteger(ms), `Expected whole milliseconds, got ${ms}`)
  return new Date(ms).toISOString()
}

/** `2023-11-14T22:13:20Z`: fractions of a second are cut off, towards the past. */
export function formatInstantSeconds(ms: number): string {
  return formatInstant(Math.floor(ms / 1000) * 1000).replace(".000Z", "Z")
}
