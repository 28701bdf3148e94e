import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { numberBytesMax, writeNumber } from "../../src/wire/json-numbers.ts"
import { writeShortest } from "../../src/wire/shortest-decimal.ts"

/** Null: left to the engine. */
function written(value: number): string | null {
  const bytes = new Uint8Array(numberBytesMax)
  const end = writeShortest(bytes, 0, Math.abs(value))
  const sign = value < 0 ? "-" : ""
  return end < 0 ? null : sign + Buffer.from(bytes.subarray(0, end)).toString("latin1")
}

const doubles = new Float64Array(1)
const words = new BigInt64Array(doubles.buffer)

/** The number that is `steps` numbers away from a positive one. */
function neighbour(value: number, steps: number): number {
  doubles[0] = value
  words[0] = words[0]! + BigInt(steps)
  return doubles[0]
}

const signed = fc.constantFrom(1, -1)
/** Of any magnitude, and those around short decimals, powers of two and the ends of the range. */
const numbers = fc.oneof(
  fc.double({ min: -1e17, max: 1e17, noNaN: true }),
  fc
    .record({ digits: fc.integer({ min: 1, max: 10 ** 9 }), power: fc.nat(16), sign: signed })
    .map(({ digits, power, sign }) => (sign * digits) / 10 ** power),
  fc
    .record({ whole: fc.maxSafeInteger(), count: fc.integer({ min: 1, max: 1e6 }), sign: signed })
    .map(({ whole, count, sign }) => (sign * Math.abs(whole)) / count),
  fc
    .record({
      near: fc.oneof(
        fc.integer({ min: -25, max: 60 }).map((power) => 2 ** power),
        fc.integer({ min: -7, max: 17 }).map((power) => Number(`1e${power}`)),
        fc.integer({ min: 1, max: 10 ** 6 }).map((digits) => digits / 1e4),
      ),
      steps: fc.integer({ min: -3, max: 3 }),
    })
    .map(({ near, steps }) => neighbour(near, steps)),
)

test("the text of a number is the engine's, or left to it", () => {
  fc.assert(
    fc.property(numbers, (value) => {
      const text = written(value)
      if (text !== null) assert.equal(text, `${value}`)
    }),
    { numRuns: 20_000 },
  )
})

test("averages and deviations are not left to the engine", () => {
  const values = Array.from({ length: 10_000 }, (_, i) => Math.sqrt(2 + i) * 1.7 ** ((i % 60) - 20))
  const left = values.filter((value) => Math.abs(value) < 1e15 && written(value) === null)
  assert.ok(left.length <= 10, `${left.length} are: ${left.slice(0, 5).join(", ")}`)
})

test("what is not finite, whole, or printed with an exponent is left to the engine", () => {
  for (const value of [NaN, Infinity, -Infinity, 0, -0, 12, 3e14, 1e-7, 1e21, 5e-324]) {
    assert.equal(written(value), null)
  }
})

test("no number is longer than numberBytesMax", () => {
  const longest = -1.2345678901234567e-6
  assert.equal(written(longest), "-0.0000012345678901234567")
  assert.equal(`${longest}`.length, numberBytesMax)
  const bytes = new Uint8Array(numberBytesMax)
  assert.equal(writeNumber(bytes, 0, longest), numberBytesMax)
  assert.equal(Buffer.from(bytes).toString("latin1"), `${longest}`)
})
