/**
 * Reads a range as it is copied elsewhere: two times with a word, a sign or a gap between them.
 *
 *   2026-11-28 14:00 – 16:00      2026-11-28T14:00:00Z/2026-11-28T16:00:00Z
 *   1764338400000 1764345600000   now-3h to now-1h
 */

import type { RangeText } from "../../url/time-range.ts"

const clock = String.raw`\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?`
const offset = String.raw`(?:Z|[+-]\d\d:?\d\d)`
/** After a space, a minus is no offset: `2026-11-28 14:00-16:00`. */
const dated = String.raw`\d{4}-\d{1,2}-\d{1,2}(?:T${clock}${offset}?| ${clock}(?:Z|\+\d\d:?\d\d)?)?`
const relative = String.raw`now(?:[+-]\d{1,5}[mhdwMy]|\/[mhdwMy])*`
const time = String.raw`["']?(${relative}|${dated}|\d{11,14}|${clock})["']?`
const between = String.raw`(?:\s+(?:to|until)\s+|\s*(?:[-–—/,;→]|\.{2,3})\s*|\s+)`
const single = new RegExp(`^${time}$`)
const pair = new RegExp(`^${time}${between}${time}$`)

/** Longer texts are no ranges. */
const lengthMax = 100

/** The two times as the fields of a range take them; null for another text. */
export function pastedRange(pasted: string): RangeText | null {
  const given = pasted.trim()
  if (given.length > lengthMax || single.test(given)) return null
  const match = pair.exec(given)
  if (match === null) return null
  const [from, to] = [match[1]!, match[2]!]
  // As pages write a range within a day.
  const day = /^\d+-\d+-\d+/.exec(from)?.[0]
  const isOfDay = day !== undefined && /^\d{1,2}:/.test(to)
  return { from: joined(from), to: joined(isOfDay ? `${day} ${to}` : to) }
}

/** ISO 8601 has a T before a time with an offset. */
function joined(one: string): string {
  return new RegExp(`${offset}$`).test(one) ? one.replace(" ", "T") : one
}
