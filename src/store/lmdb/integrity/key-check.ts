/**
 * Key check: verifies that a value is stored under the key that it was written with. LMDB has no
 * checksums, so a flipped bit in a key assigns its value to another time, block or name.
 *
 *   records   their head holds a checksum of the key (record.ts); so do entries of the element log
 *   markers   are a checksum of their key (marker.ts)
 *   batches   hold their sequence number
 *
 * Values written before format 4 have no checksum of their key. The table of a value is not
 * checked: a value gets into another table by a wrong page number only, which the page walk finds,
 * and the repair sets aside (record-check.ts).
 */

import { checksum } from "../../../base/checksum.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { isBareLogEntry } from "../metadata/catalogue-table.ts"
import { bytesToBatchRecord } from "../encoding/batch-record.ts"
import { checkMarker, isMarkerOf, markerTables, keyChecksumOfMarker } from "../disk/marker.ts"
import { checkRecordKey, keyChecksumOfRecord } from "../disk/record.ts"
import { earlierTableName, sequenceKey, tableNames } from "../disk/tables.ts"

/** The tables that a file may have: those of this format and that of earlier ones. */
export const knownTables = [...tableNames, earlierTableName] as const
export type TableName = (typeof knownTables)[number]

/**
 * Throws CorruptError if the head of a value does not belong to its key. `head` holds the first
 * `recordHeadBytes` of a value of `length` bytes, or all of it.
 */
export function checkKeyOfRecord(name: TableName, key: Buffer, head: Buffer, length: number): void {
  // The recovery checks batches, and restores their keys.
  if (name === "meta" || name === earlierTableName) return
  if (markerTables.has(name)) checkMarker(key, head)
  else if (name !== "elementLog" || !isBareLogEntry(length)) checkRecordKey(key, head)
}

/**
 * Returns the key that a value was written with: `key`, or one that differs from it by one bit;
 * null if it is neither. Returns undefined if the value has no checksum of its key, or is damaged.
 */
export function originalKey(
  name: TableName,
  key: Buffer,
  value: Buffer,
): Buffer | null | undefined {
  if (name === earlierTableName) return keyOfBatch(value)
  const told = keyChecksumOf(name, value)
  if (told === undefined) return undefined
  if (told === checksum(key) || (markerTables.has(name) && isMarkerOf(key, value))) return key
  const other = Buffer.from(key)
  for (let bit = 0; bit < 8 * key.length; bit++) {
    other[bit >> 3]! ^= 1 << (bit & 7)
    if (told === checksum(other)) return other
    other[bit >> 3]! ^= 1 << (bit & 7)
  }
  return null
}

/** Returns the checksum of its key that a value holds, or undefined. */
function keyChecksumOf(name: TableName, value: Buffer): number | undefined {
  if (name === "meta" || (name === "elementLog" && isBareLogEntry(value.length))) return undefined
  return markerTables.has(name) ? keyChecksumOfMarker(value) : keyChecksumOfRecord(value)
}

function keyOfBatch(value: Buffer): Buffer | undefined {
  try {
    const { sequence } = bytesToBatchRecord(value)
    return sequence === 0 ? undefined : sequenceKey(sequence)
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return undefined
  }
}
