/**
 * Record: how every value on disk is wrapped.
 *
 *   ┌───────────────┬──────────────┬─────────┐
 *   │ checksum  u32 │ version  u8  │ payload │      the checksum covers all that follows it
 *   └───────────────┴──────────────┴─────────┘
 */

import { Packr } from "msgpackr"
import { checksum } from "../../base/checksum.ts"
import { ByteReader, ByteWriter } from "../../codec/bytes.ts"
import { CorruptError } from "../../codec/corrupt.ts"

const recordVersion = 1
const headBytes = 5

const shared = new ByteWriter(1 << 20)

/** Wraps what `write` puts out; the result is a buffer of its own. */
export function encodeRecord(write: (writer: ByteWriter) => void): Uint8Array {
  shared.reset()
  shared.u32(0)
  shared.u8(recordVersion)
  write(shared)
  shared.patchU32(0, checksum(shared.bytes.subarray(4, shared.position)))
  return shared.finish()
}

/** Opens a record: a reader at its payload. Throws CorruptError. */
export function openRecord(bytes: Uint8Array): ByteReader {
  if (bytes.length < headBytes)
    throw new CorruptError(`Expected a record, got ${bytes.length} bytes`)
  const reader = new ByteReader(bytes)
  const expected = reader.u32()
  const actual = checksum(bytes.subarray(4))
  if (expected !== actual) {
    throw new CorruptError(`Expected checksum ${expected}, got ${actual}: the record is damaged`)
  }
  const version = reader.u8()
  if (version !== recordVersion) {
    throw new CorruptError(`Expected record version ${recordVersion}, got ${version}`)
  }
  return reader
}

const packr = new Packr({ useRecords: false })

/** The record of a small document. */
export function packDocument(document: unknown): Buffer {
  return encodeRecord((writer) => writer.append(packr.pack(document))) as Buffer
}

/** Opens the record of a document. Throws CorruptError. */
export function unpackDocument(bytes: Uint8Array): unknown {
  const reader = openRecord(bytes)
  return packr.unpack(reader.take(reader.end - reader.position))
}
