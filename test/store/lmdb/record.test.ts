import assert from "node:assert/strict"
import { test } from "node:test"
import { checksum } from "../../../src/base/checksum.ts"
import { CorruptError } from "../../../src/codec/corrupt-error.ts"
import {
  checkRecordKey,
  encodeRecord,
  haveSamePayload,
  openRecord,
  recordHeadBytes,
} from "../../../src/store/lmdb/disk/record.ts"
import { checkMarker, packMarker } from "../../../src/store/lmdb/disk/marker.ts"
import { periodKey, textKey } from "../../../src/store/lmdb/disk/tables.ts"

const key = periodKey(123_456, 7)
const record = encodeRecord(key, (writer) => {
  for (const byte of [1, 2, 3]) writer.u8(byte)
})

test("a record gives back its payload and outlives the next one", () => {
  encodeRecord(key, (writer) => writer.u32(0))
  const reader = openRecord(key, record)
  assert.deepEqual([reader.u8(), reader.u8(), reader.u8()], [1, 2, 3])
})

test("every flipped bit and every cut of a record is found", () => {
  for (let bit = 0; bit < 8 * record.length; bit++) {
    const damaged = Uint8Array.from(record)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => openRecord(key, damaged), CorruptError, `bit ${bit}`)
  }
  for (let length = 0; length < record.length; length++) {
    assert.throws(
      () => openRecord(key, record.subarray(0, length)),
      CorruptError,
      `${length} bytes`,
    )
  }
})

test("a record of a later version is refused, though its checksum is right", () => {
  const later = Uint8Array.from(record)
  later[4] = 3
  new DataView(later.buffer).setUint32(0, checksum(later.subarray(4)), true)
  assert.throws(() => openRecord(key, later), /Expected record version 2, got 3/)
})

/** As a program of before format 4 wrote it: without the checksum of its key. */
function keyless(from: Uint8Array): Buffer {
  const old = Buffer.concat([from.subarray(0, 5), from.subarray(9)])
  old[4] = 1
  old.writeUInt32LE(checksum(old.subarray(4)), 0)
  return old
}

/** The key with each of its bits flipped, and keys that are shorter or longer. */
function* otherKeys(of: Buffer): Generator<Buffer> {
  for (let bit = 0; bit < 8 * of.length; bit++) {
    const other = Buffer.from(of)
    other[bit >> 3]! ^= 1 << (bit & 7)
    yield other
  }
  for (let length = 0; length < of.length; length++) yield of.subarray(0, length)
  yield Buffer.concat([of, Buffer.of(0)])
}

test("a record under any other key is found, by its head alone", () => {
  for (const one of [key, textKey("user:0\0somebody")]) {
    const written = encodeRecord(one, (writer) => writer.varint(5))
    const head = Buffer.from(written).subarray(0, recordHeadBytes)
    checkRecordKey(one, head)
    for (const other of otherKeys(one)) {
      assert.throws(() => openRecord(other, written), /that of another key/)
      assert.throws(() => checkRecordKey(other, head), /that of another key/)
    }
  }
})

test("a record of before format 4 opens under any key, and holds the same as a new one", () => {
  const old = keyless(record)
  for (const one of [key, ...otherKeys(key)]) {
    checkRecordKey(one, old)
    assert.deepEqual([...openRecord(one, old).take(3)], [1, 2, 3])
  }
  assert.ok(haveSamePayload(key, old, record))
  assert.ok(!haveSamePayload(key, keyless(encodeRecord(key, (writer) => writer.u8(1))), record))
})

test("a marker under any other key is found; one of before format 4 tells nothing", () => {
  const marker = packMarker(key)
  checkMarker(key, marker)
  for (const other of otherKeys(key)) {
    assert.throws(() => checkMarker(other, marker), CorruptError)
    checkMarker(other, Buffer.of(0))
  }
})
