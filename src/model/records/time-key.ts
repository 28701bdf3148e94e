/**
 * Keys of documents in order of time, so that those of a window are one range
 * (records/core/time-indexed-records.ts): "<kind>:<tenant>" / "<time>:<id>".
 */

import { assert } from "../../base/assert.ts"
import type { TenantIndex } from "../ids.ts"

/** Enough for every instant of a Date; texts of one length sort like their numbers. */
const timeDigits = 16
/** Sorts after an id and before every other key that begins with it. */
const afterId = "\u0001"

export function timeIndexedKind(kind: string, tenant: TenantIndex): string {
  return `${kind}:${tenant}`
}

/** A time as the start of a key; one before 1970 counts as 1970, since no record is older. */
export function timeKeyPrefix(timeMs: number): string {
  assert(Number.isInteger(timeMs), `Expected whole milliseconds, got ${timeMs}`)
  return String(Math.max(0, timeMs)).padStart(timeDigits, "0")
}

/** The start of a range that continues after `key`. */
export function keyAfter(key: string): string {
  return key + afterId
}
