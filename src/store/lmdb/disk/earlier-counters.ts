/**
 * Counters' cells of programs before format 8, which kept the first and the last value of a cycle
 * and no drop between them. They stay as they are, so `verify` has to know their days.
 */

import { assert } from "../../../base/assert.ts"
import { packDocument, unpackDocument } from "./record.ts"
import { newestDay, textKey, type Tables } from "./tables.ts"

/** The format whose cells have the increase of counters that drop. */
export const firstWithDrops = 8

/** In `meta`: the newest day that had cells at the migration to format 8; absent if none had. */
export const earlierCountersKey = textKey("earlierCounters")

/** Notes the days of the store inside the caller's transaction. */
export function noteEarlierCounters({ meta, days, openDays }: Tables): void {
  const newest = Math.max(newestDay(days), newestDay(openDays))
  if (newest >= 0) meta.put(earlierCountersKey, packDocument(earlierCountersKey, newest))
}

/** Decodes the value of `earlierCountersKey`; -1 if it is absent. Throws CorruptError. */
export function unpackEarlierCounters(bytes: Uint8Array | undefined): number {
  if (bytes === undefined) return -1
  const day = unpackDocument(earlierCountersKey, bytes) as number
  assert(Number.isSafeInteger(day), "Expected a day")
  return day
}
