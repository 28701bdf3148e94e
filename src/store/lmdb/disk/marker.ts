/**
 * Marker: a value that holds only the checksum of its key. A flipped bit of the key is detected and
 * does not mark another day or batch.
 */

import { checksum } from "../../../base/checksum.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"

/** Tables whose values are all markers. */
export const markerTables: ReadonlySet<string> = new Set(["openDays", "closed"])

const markerBytes = 4
/** Stores before format 4 have one byte, 0. */
const blankBytes = 1

export function packMarker(key: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(markerBytes)
  value.writeUInt32LE(checksum(key), 0)
  return value
}

/** Throws CorruptError if the value was not written under this key. */
export function checkMarker(key: Uint8Array, value: Buffer): void {
  if (value.length === blankBytes) return
  if (keyChecksumOfMarker(value) === checksum(key)) return
  throw new CorruptError(`The marker ${Buffer.from(key).toString("hex")} is that of another key`)
}

/** The checksum of the key that a marker was written under; undefined if it holds none. */
export function keyChecksumOfMarker(value: Buffer): number | undefined {
  return value.length === markerBytes ? value.readUInt32LE(0) : undefined
}

/** True if the marker belongs to this key, except for one flipped bit of the marker itself. */
export function isMarkerOf(key: Uint8Array, value: Buffer): boolean {
  const told = keyChecksumOfMarker(value)
  if (told === undefined) return false
  const flipped = (told ^ checksum(key)) >>> 0
  return (flipped & (flipped - 1)) === 0
}
