import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { ByteReader, ByteWriter } from "../../src/codec/bytes.ts"
import { CorruptError } from "../../src/codec/corrupt-error.ts"
import { decimalScale, decodeValues, encodeValues } from "../../src/codec/value-stream.ts"

function encoded(values: ArrayLike<number>): Uint8Array {
  const writer = new ByteWriter(16)
  encodeValues(writer, Float64Array.from(values), values.length)
  return writer.finish()
}

function roundTrip(values: readonly number[]): void {
  const bytes = encoded(values)
  const reader = new ByteReader(bytes)
  const out = new Float64Array(values.length + 1)
  decodeValues(reader, out, 1, values.length)
  assert.equal(reader.position, bytes.length)
  values.forEach((value, i) => {
    assert.ok(Object.is(out[i + 1], value), `Expected ${value} at ${i}, got ${out[i + 1]}`)
  })
}

const double = fc.double({ noNaN: true })
const decimal = fc
  .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 9 }))
  .map(([integer, scale]) => Number(`${integer}e-${scale}`) + 0)
const someValues = fc.oneof(
  fc.array(double, { maxLength: 200 }),
  fc.array(decimal, { maxLength: 200 }),
  fc.array(fc.float({ noNaN: true }), { maxLength: 200 }),
  fc.array(fc.oneof({ weight: 60, arbitrary: decimal }, double), { maxLength: 300 }),
  fc.array(fc.constantFrom(1 / 3, 2 / 3, -0, 0, Infinity, 5e-324, Number.MAX_VALUE), {
    maxLength: 200,
  }),
)

test("doubles come back from their stream bit for bit, and all bytes are used", () => {
  fc.assert(fc.property(someValues, roundTrip), { numRuns: 300 })
})

test("the odd doubles come back, alone and among decimals", () => {
  const odd = [-0, Infinity, -Infinity, 5e-324, Number.MAX_VALUE, 2 ** 53, -(2 ** 53) - 2, 1e300]
  for (const value of odd) {
    roundTrip([value])
    roundTrip(Array.from({ length: 100 }, (_, i) => (i === 40 ? value : i / 100)))
    roundTrip(Array.from({ length: 100 }, (_, i) => (i === 0 ? value : 7)))
  }
})

test("a stream of decimals costs about what its digits carry", () => {
  let noise = 1
  const next = () => (noise = (noise * 48_271) % 2_147_483_647) / 2_147_483_647
  const f = (make: (i: number) => number, bytesMax: number) => {
    const size = encoded(Float64Array.from({ length: 1440 }, (_, i) => make(i))).length / 1440
    assert.ok(size <= bytesMax, `Expected ${bytesMax} bytes a value, got ${size}`)
  }
  let gauge = 5000
  f(() => (gauge += Math.round(next() * 100 - 50)) / 100, 1.0)
  f(() => 37.5, 0.01)
  f((i) => 1_795_132_800_000 + i * 60_000, 0.01)
  f(() => Math.floor(next() * 2), 0.2)
  f(() => 4096 * Math.floor(next() * 256), 1.1)
  f(() => next(), 7.2)
})

test("one value in 32 may be no decimal and the others stay small", () => {
  const values = Float64Array.from({ length: 960 }, (_, i) => (i % 64 === 5 ? 1 / (i + 2) : i % 7))
  assert.ok(encoded(values).length < 960, `got ${encoded(values).length}`)
})

test("the same doubles give the same bytes, whatever was encoded before", () => {
  fc.assert(
    fc.property(someValues, someValues, (values, others) => {
      const first = encoded(values)
      encoded(others)
      assert.deepEqual(encoded(values), first)
    }),
  )
})

test("decimalScale() is the fewest decimals that all values have", () => {
  const f = (values: number[], want: number) =>
    assert.equal(decimalScale(Float64Array.from(values), 0, values.length), want)
  f([], 0)
  f([1, 2, 3], 0)
  f([0.1, 0.2, 0.3], 1)
  f([0.1, 12.34, 5], 2)
  f([1e-9], 9)
  f([1e-10], -1)
  f([0.1 + 0.2], -1)
  f([1 / 3], -1)
  f([-0], 0)
  f([Number.MAX_SAFE_INTEGER], 0)
  f([2 ** 53], -1)
  f([0.001, 1e13], -1)
  f([1e13, 0.001], -1)
  f([Infinity], -1)
  f([123456.789], 3)
})

test("decimalScale() does not depend on the order of the values", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(decimal, double), { maxLength: 8 }), (values) => {
      const f = (v: number[]) => decimalScale(Float64Array.from(v), 0, v.length)
      assert.equal(f(values), f([...values].reverse()))
    }),
  )
})

test("bytes that are cut short or of chance throw CorruptError or give doubles", () => {
  const f = (bytes: Uint8Array, count: number) => {
    try {
      decodeValues(new ByteReader(bytes), new Float64Array(count), 0, count)
    } catch (error) {
      assert.ok(error instanceof CorruptError)
      return false
    }
    return true
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void f(bytes, 150)))
  fc.assert(
    fc.property(fc.array(double, { minLength: 1, maxLength: 100 }), fc.nat(), (values, cut) => {
      const bytes = encoded(values)
      assert.equal(f(bytes.subarray(0, cut % bytes.length), values.length), false)
    }),
  )
})
