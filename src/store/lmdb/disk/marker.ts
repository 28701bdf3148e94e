/**
 * Marker: the value of a key that says all there is to say, a checksum of that key. So a flipped
 * bit of the key is seen, and does not mark another day or another part.
 */

import { checksum } from "../../../base/checksum.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"

/** Tables of which every value is a marker. */
export const markerTables: ReadonlySet<string> = new Set(["openDays", "closed"])

const markerBytes = 4
/** Stores of before format 4 have one byte, 0. */
const blankBytes = 1

export function packMarker(key: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(markerBytes)
  value.writeUInt32LE(checksum(key), 0)
  return value
}

/** Throws CorruptError where the value was not written under this key. */
export function checkMarker(key: Uint8Array, value: Buffer): void {
  if (value.length === blankBytes) return
  if (keyChecksumOfMarker(value) === checksum(key)) return
  throw new CorruptError(`The marker ${Buffer.from(key).toString("hex")} is that of another key`)
}

/** The checksum of the key that a marker was written under; undefined where it tells none. */
export function keyChecksumOfMarker(value: Buffer): number | undefined {
  return value.length === markerBytes ? value.readUInt32LE(0) : undefined
}

/** True where the marker is that of this key but for one flipped bit of its own. */
export function isMarkerOf(key: Uint8Array, value: Buffer): boolean {
  const told = keyChecksumOfMarker(value)
  if (told === undefined) return false
  const flipped = (told ^ checksum(key)) >>> 0
  return (flipped & (flipped - 1)) === 0
}
