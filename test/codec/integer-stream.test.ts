import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { ByteReader, ByteWriter } from "../../src/codec/bytes.ts"
import { CorruptError } from "../../src/codec/corrupt-error.ts"
import { decodeIntegers, encodeIntegers } from "../../src/codec/integer-stream.ts"

const most = Number.MAX_SAFE_INTEGER

function encoded(values: readonly number[], tag = 0): Uint8Array {
  const writer = new ByteWriter(16)
  encodeIntegers(writer, Float64Array.from(values), values.length, tag)
  return writer.finish()
}

function roundTrip(values: readonly number[], tag = 0): void {
  const bytes = encoded(values, tag)
  const reader = new ByteReader(bytes)
  const out = new Float64Array(values.length + 2).fill(-7)
  assert.equal(decodeIntegers(reader, out, 1, values.length), values.length > 0 ? tag : 0)
  assert.deepEqual([...out], [-7, ...values, -7])
  assert.equal(reader.position, bytes.length)
}

const safe = fc.integer({ min: -most, max: most })
const anyIntegers = fc.oneof(
  fc.array(safe, { maxLength: 200 }),
  fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 200 }),
  fc.array(fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 15 }) }, safe), {
    maxLength: 300,
  }),
  fc
    .tuple(safe, fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 200 }))
    .map(([first, gaps]) => gaps.map((gap, i) => Math.trunc(first / 4) + i * 60_000 + gap * 1000)),
)

const closeIntegers = fc
  .record({
    first: fc.oneof(safe, fc.integer({ min: -1000, max: 1000 })),
    top: fc.integer({ min: 0, max: 26 }).map((bits) => 2 ** bits - 1),
    factor: fc.constantFrom(1, 1, 5, 4096),
    parts: fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.nat(20)), {
      minLength: 3,
      maxLength: 200,
    }),
    isWalk: fc.boolean(),
  })
  .map(({ first, top, factor, parts, isWalk }) => {
    // No -0: 0 is added to each.
    let level = 0
    return parts.map(([part, rarely]) => {
      // A spike now and then, so that there are outliers.
      const step = Math.round(part * (rarely === 0 ? top : Math.sqrt(top)))
      level = isWalk ? level + step : step
      return Math.trunc(first / 4) + level * factor + 0
    })
  })

test("integers come back from their stream as they went in, and all bytes are used", () => {
  const integers = fc.oneof(anyIntegers, closeIntegers)
  fc.assert(fc.property(integers, fc.integer({ min: 0, max: 31 }), roundTrip))
})

test("every bit width comes back, with and without outliers and divisor", () => {
  for (let width = 0; width <= 53; width++) {
    const top = 2 ** width - 1
    const ramp = Array.from({ length: 130 }, (_, i) => Math.floor((top * ((i * 37) % 130)) / 129))
    roundTrip(ramp)
    roundTrip(ramp.map((v) => 0 - v))
    roundTrip(ramp.map((v, i) => (i === 70 ? most : v)))
    if (width < 40) roundTrip(ramp.map((v) => v * 4096 - 17))
  }
})

test("the ends of the safe integers come back", () => {
  roundTrip([])
  roundTrip([most])
  roundTrip([-most])
  roundTrip([most, -most])
  roundTrip([most, -most, most, 0, -1])
  roundTrip([-most, 0, most])
})

test("a constant and a regular sequence cost the same bytes however long they are", () => {
  const f = (make: (i: number) => number, bytesMax: number) => {
    const short = encoded(Array.from({ length: 3 }, (_, i) => make(i)))
    const long = encoded(Array.from({ length: 5000 }, (_, i) => make(i)))
    assert.deepEqual(long, short)
    assert.ok(long.length <= bytesMax, `Expected ${bytesMax} bytes, got ${long.length}`)
  }
  f(() => 42, 2)
  f((i) => i, 3)
  f((i) => 1_795_132_800_000 + i * 60_000, 10)
})

test("a gap in regular times costs a few bytes", () => {
  const times = Array.from({ length: 1440 }, (_, i) => i * 60_000 + (i > 700 ? 3_600_000 : 0))
  assert.ok(encoded(times).length < 90, `got ${encoded(times).length}`)
})

test("the same integers give the same bytes, whatever was encoded before", () => {
  const values = Array.from({ length: 500 }, (_, i) => (i * 7919) % 1013)
  const first = encoded(values)
  encoded(Array.from({ length: 2000 }, (_, i) => i * i))
  assert.deepEqual(encoded(values), first)
})

test("bytes that are cut short throw CorruptError", () => {
  fc.assert(
    fc.property(fc.array(safe, { minLength: 1, maxLength: 150 }), fc.nat(), (values, cut) => {
      const bytes = encoded(values)
      const reader = new ByteReader(bytes.subarray(0, cut % bytes.length))
      const out = new Float64Array(values.length)
      assert.throws(() => decodeIntegers(reader, out, 0, values.length), CorruptError)
    }),
  )
})

test("bytes of chance give integers or CorruptError, and nothing else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        decodeIntegers(new ByteReader(bytes), new Float64Array(150), 0, 150)
      } catch (error) {
        assert.ok(error instanceof CorruptError)
      }
    }),
  )
})

test("a writer and a reader agree on every kind of number", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), safe, fc.double(), (count, integer, double) => {
      const writer = new ByteWriter(1)
      writer.u8(200)
      writer.u32(4_000_000_000)
      writer.varint(count)
      writer.zigzag(integer)
      writer.f64(double)
      writer.append(Uint8Array.of(1, 2, 3))
      writer.patchU32(1, 77)
      const reader = new ByteReader(writer.finish())
      assert.equal(reader.u8(), 200)
      assert.equal(reader.u32(), 77)
      assert.equal(reader.varint(), count)
      assert.equal(reader.zigzag(), integer)
      assert.equal(reader.f64(), double)
      assert.deepEqual([...reader.take(3)], [1, 2, 3])
      assert.throws(() => reader.u8(), CorruptError)
    }),
  )
})

test("a reader inside larger bytes neither reads before its start nor past its end", () => {
  const values = Array.from({ length: 70 }, (_, i) => (i * 31) % 97)
  const bytes = encoded(values)
  const outer = new Uint8Array(bytes.length + 10).fill(255)
  outer.set(bytes, 3)
  const out = new Float64Array(70)
  const reader = new ByteReader(outer, 3, 3 + bytes.length)
  decodeIntegers(reader, out, 0, 70)
  assert.deepEqual([...out], values)
  assert.throws(() => reader.u8(), CorruptError)
})
