/**
 * Keys of documents that are kept in order of time, so that those of a window are one range
 * (records/core/time-indexed-records.ts): "<kind>:<tenant>" / "<time>:<id>".
 */

import { assert } from "../../base/assert.ts"

/** Enough for every instant that a Date can hold; texts of one length sort as their numbers. */
const timeDigits = 16
/** Follows an id and precedes every other key that begins with it. */
const afterId = "\u0001"

export function timeIndexedKind(kind: string, tenant: number): string {
  return `${kind}:${tenant}`
}

/** A time as the start of a key; one before 1970 counts as 1970, since no record is older. */
export function timeKeyPrefix(timeMs: number): string {
  assert(Number.isInteger(timeMs), `Expected whole milliseconds, got ${timeMs}`)
  return String(Math.max(0, timeMs)).padStart(timeDigits, "0")
}

/** Where a range goes on that came to `key`. */
export function keyAfter(key: string): string {
  return key + afterId
}
