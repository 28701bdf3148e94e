import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { checksum } from "../../src/base/checksum.ts"

test("checksum() is the CRC-32 of gzip", () => {
  const f = (text: string, want: number) => assert.equal(checksum(Buffer.from(text)), want)

  f("", 0)
  f("a", 0xe8b7be43)
  // The check value of CRC-32/ISO-HDLC in Greg Cook's catalogue of CRC algorithms.
  f("123456789", 0xcbf43926)
  f("The quick brown fox jumps over the lazy dog", 0x414fa339)
})

test("checksum() changes with every flipped bit", () => {
  const bit = fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat())
  fc.assert(
    fc.property(bit, ([bytes, at]) => {
      const before = checksum(bytes)
      bytes[(at >> 3) % bytes.length]! ^= 1 << (at & 7)
      return checksum(bytes) !== before
    }),
  )
})

test("checksum() covers the view, not the buffer behind it", () => {
  const whole = Buffer.from("xx123456789xx")
  assert.equal(checksum(new Uint8Array(whole.buffer, whole.byteOffset + 2, 9)), 0xcbf43926)
})
