/** Times in templates: ISO 8601 texts, and patterns such as "yyyy-MM-dd HH:mm", in UTC. */

import { parseInstant } from "../base/iso8601.ts"

const patternPiece = /'([^']*)'|yyyy|yy|MMM|MM|dd|EEE|HH|hh|mm|ss|SSS|a|XXX|Z|z/g
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
const moreMonths = ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

const two = (number: number): string => String(number).padStart(2, "0")

const pieces: Readonly<Record<string, (date: Date) => string>> = {
  yyyy: (date) => String(date.getUTCFullYear()).padStart(4, "0"),
  yy: (date) => two(date.getUTCFullYear() % 100),
  MMM: (date) => [...months, ...moreMonths][date.getUTCMonth()]!,
  MM: (date) => two(date.getUTCMonth() + 1),
  dd: (date) => two(date.getUTCDate()),
  EEE: (date) => days[date.getUTCDay()]!,
  HH: (date) => two(date.getUTCHours()),
  hh: (date) => two(date.getUTCHours() % 12 || 12),
  mm: (date) => two(date.getUTCMinutes()),
  ss: (date) => two(date.getUTCSeconds()),
  SSS: (date) => String(date.getUTCMilliseconds()).padStart(3, "0"),
  a: (date) => (date.getUTCHours() < 12 ? "AM" : "PM"),
  XXX: () => "Z",
  Z: () => "+0000",
  z: () => "UTC",
}

export function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(text) && parseInstant(text) !== undefined
}

/** Formats a time for which `isTime`; unknown letters of the pattern are copied. */
export function formatTime(text: string, pattern: string): string {
  const date = new Date(parseInstant(text)!)
  return pattern.replace(patternPiece, (piece, quoted: string | undefined) =>
    quoted === undefined ? pieces[piece]!(date) : quoted || "'",
  )
}
