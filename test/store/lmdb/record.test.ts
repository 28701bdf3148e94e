import assert from "node:assert/strict"
import { test } from "node:test"
import { checksum } from "../../../src/base/checksum.ts"
import { CorruptError } from "../../../src/codec/corrupt.ts"
import { encodeRecord, openRecord } from "../../../src/store/lmdb/record.ts"

const record = encodeRecord((writer) => {
  for (const byte of [1, 2, 3]) writer.u8(byte)
})

test("a record gives back its payload and outlives the next one", () => {
  encodeRecord((writer) => writer.u32(0))
  const reader = openRecord(record)
  assert.deepEqual([reader.u8(), reader.u8(), reader.u8()], [1, 2, 3])
})

test("every flipped bit and every cut of a record is found", () => {
  for (let bit = 0; bit < 8 * record.length; bit++) {
    const damaged = record.slice()
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => openRecord(damaged), CorruptError, `bit ${bit}`)
  }
  for (let length = 0; length < record.length; length++) {
    assert.throws(() => openRecord(record.subarray(0, length)), CorruptError, `${length} bytes`)
  }
})

test("a record of a later version is refused, though its checksum is right", () => {
  const later = record.slice()
  later[4] = 2
  new DataView(later.buffer).setUint32(0, checksum(later.subarray(4)), true)
  assert.throws(() => openRecord(later), /Expected record version 1, got 2/)
})
