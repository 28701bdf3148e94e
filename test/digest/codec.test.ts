import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { ByteReader, ByteWriter } from "../../src/codec/bytes.ts"
import { CorruptError } from "../../src/codec/corrupt-error.ts"
import { decodeDigest, encodeDigest } from "../../src/digest/codec.ts"
import { Digest } from "../../src/digest/digest.ts"
import { type Shape, seededNumbers, shapes } from "../support/ingest/samples.ts"

function encoded(digest: Digest): Uint8Array {
  const writer = new ByteWriter(16)
  encodeDigest(writer, digest)
  return writer.finish()
}

function decoded(bytes: Uint8Array): Digest {
  const digest = new Digest(64)
  digest.add(99)
  const reader = new ByteReader(bytes)
  decodeDigest(reader, digest)
  assert.equal(reader.position, bytes.length)
  return digest
}

function digestOf(shape: Shape, length: number): Digest {
  const random = seededNumbers(8)
  const digest = new Digest()
  for (let i = 0; i < length; i++) digest.add(shapes[shape](random, i * 60_000))
  return digest
}

const double = fc.double({ noNaN: true, noDefaultInfinity: true })
const pairs = fc.array(
  fc.tuple(
    fc.oneof(
      double,
      fc.integer({ min: -999, max: 999 }).map((i) => i / 100),
    ),
    fc.oneof(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0.1, max: 8, noNaN: true })),
  ),
  { maxLength: 400 },
)

test("a digest answers the same after encoding and decoding, and encodes to the same bytes", () => {
  fc.assert(
    fc.property(pairs, (list) => {
      const digest = new Digest(128)
      for (const [value, weight] of list) digest.add(value, weight)
      const bytes = encoded(digest)
      const back = decoded(bytes)
      assert.deepEqual(encoded(back), bytes)
      assert.ok(Math.abs(back.count - digest.count) <= 1e-9 * digest.count)
      assert.equal(back.min, digest.min)
      assert.equal(back.max, digest.max)
      if (list.every(([, weight]) => Number.isInteger(weight))) {
        for (const q of [0, 0.05, 0.3, 0.5, 0.95, 1]) {
          assert.equal(back.quantile(q), digest.quantile(q))
        }
      }
    }),
  )
})

test("a decoded digest goes on as the encoded one would have", () => {
  for (const shape of Object.keys(shapes) as Shape[]) {
    const digest = digestOf(shape, 3000)
    const back = decoded(encoded(digest))
    for (const one of [digest, back]) one.mergeFrom(digestOf("gauge", 500))
    assert.deepEqual(encoded(back), encoded(digest), shape)
  }
})

test("a digest costs few bytes", () => {
  const f = (shape: Shape, length: number, bytesMax: number) => {
    const size = encoded(digestOf(shape, length)).length
    assert.ok(size <= bytesMax, `${shape} of ${length}: ${size} bytes`)
  }
  f("gauge", 60, 90)
  f("gauge", 1440, 350)
  f("smooth", 1440, 500)
  f("heavyTailed", 1440, 650)
  f("constant", 1440, 60)
  assert.equal(encoded(new Digest()).length, 1)
})

test("damaged bytes throw CorruptError or give a digest whose quantiles do not fall", () => {
  const bytes = encoded(digestOf("gauge", 1000))
  const read = (damaged: Uint8Array) => {
    const digest = new Digest()
    try {
      decodeDigest(new ByteReader(damaged), digest)
    } catch (error) {
      assert.ok(error instanceof CorruptError)
      return false
    }
    return true
  }
  for (let cut = 0; cut < bytes.length; cut++) assert.equal(read(bytes.subarray(0, cut)), false)
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (chance) => void read(chance)))
})
