/**
 * Key check: does a value stand under the key that it was written under? LMDB has no checksums, so
 * a bit that flips in a key makes what stands there that of another time, block or name.
 *
 *   records   the head holds a checksum of the key (record.ts), the log of elements likewise
 *   markers   are a checksum of their key (marker.ts)
 *   frames    hold their number
 *
 * What was written before format 4 tells nothing of its key. Which table a value stands in is not
 * asked: it would take a wrong number of a page, which the walk of the pages finds.
 */

import { checksum } from "../../../base/checksum.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { isBareLogEntry } from "../metadata/catalogue-table.ts"
import { bytesToBatchRecord } from "../encoding/batch-record.ts"
import { checkMarker, isMarkerOf, markerTables, keyChecksumOfMarker } from "../disk/marker.ts"
import { checkRecordKey, keyChecksumOfRecord } from "../disk/record.ts"
import { sequenceKey, type tableNames } from "../disk/tables.ts"

export type TableName = (typeof tableNames)[number]

/**
 * Throws CorruptError where the head of a value tells that it is not that of its key. `head` are
 * the first `recordHeadBytes` of a value of `length` bytes, or all of it.
 */
export function checkKey(name: TableName, key: Buffer, head: Buffer, length: number): void {
  // The start looks at the frames, and puts them back.
  if (name === "meta" || name === "inbox") return
  if (markerTables.has(name)) checkMarker(key, head)
  else if (name !== "elementLog" || !isBareLogEntry(length)) checkRecordKey(key, head)
}

/**
 * The key that a value was written under, where it tells: `key`, or one that differs by one bit.
 * Null where it is none of these; undefined where it does not tell, or is damaged itself.
 */
export function originalKey(
  name: TableName,
  key: Buffer,
  value: Buffer,
): Buffer | null | undefined {
  if (name === "inbox") return keyOfBatch(value)
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

/** The checksum of the key that a value was written under, where it tells. */
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
