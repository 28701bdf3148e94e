import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { encodeParts, jsonArray, jsonNumber, jsonPieces, jsonText } from "../../src/wire/json.ts"
import { JsonBytes } from "../../src/wire/json-bytes.ts"
import { textOfParts } from "../support/server/answer-text.ts"

function numbersText(numbers: readonly number[]): string {
  const out = new JsonBytes()
  out.numbers(Float64Array.from(numbers))
  return textOfParts([out.end()])
}

test("a finite number comes back from its JSON as it was", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(JSON.parse(jsonNumber(value)), value + 0)
    }),
  )
})

test("a number that JSON cannot represent is null", () => {
  for (const value of [NaN, Infinity, -Infinity]) assert.equal(jsonNumber(value), "null")
})

test("arrays and texts are printed as JSON.stringify prints them", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double()),
      fc.array(fc.string({ unit: "binary" })),
      (numbers, texts) => {
        assert.equal(numbersText(numbers), JSON.stringify(numbers))
        assert.equal(jsonArray(texts, jsonText), JSON.stringify(texts))
      },
    ),
  )
})

test("numbers of few decimals are printed as JSON.stringify prints them", () => {
  const decimals = fc
    .record({ digits: fc.maxSafeInteger(), power: fc.nat(9), shorter: fc.nat(15) })
    .map(({ digits, power, shorter }) => Math.round(digits / 10 ** shorter) / 10 ** power)
  const numbers = fc.array(fc.oneof(decimals, decimals, fc.constantFrom(NaN, -0, 1e9, 1e-7, 1e21)))
  fc.assert(
    fc.property(numbers, (values) => {
      assert.equal(numbersText(values), JSON.stringify(values))
    }),
    { numRuns: 500 },
  )
})

test("a JSON text is encoded as UTF-8", () => {
  const reserved: number[] = []
  const [part, ...rest] = encodeParts('"µ"', (bytes) => reserved.push(bytes))
  assert.deepEqual([[...part!], rest, reserved], [[0x22, 0xc2, 0xb5, 0x22], [], [4]])
})

test("pieces are what JSON.stringify prints, in parts that are reserved one by one", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), fc.nat(3), (texts, factor) => {
      const long = texts.map((one) => one.repeat(1 + factor * 20_000))
      const reserved: number[] = []
      const parts = encodeParts(jsonPieces('{"a":', long, jsonText, ',"b":1}'), (bytes) =>
        reserved.push(bytes),
      )
      assert.equal(textOfParts(parts), JSON.stringify({ a: long, b: 1 }))
      assert.deepEqual(
        reserved,
        parts.map(({ byteLength }) => byteLength),
      )
      for (const { buffer, byteLength } of parts) assert.equal(buffer.byteLength, byteLength)
    }),
    { numRuns: 50 },
  )
})

test("no more pieces are printed than can be reserved", () => {
  let printed = 0
  const print = () => `"${"x".repeat(100_000)}${printed++}"`
  let room = 1_000_000
  const reserve = (bytes: number) => {
    room -= bytes
    if (room < 0) throw new Error("full")
  }
  assert.throws(() => encodeParts(jsonPieces("", Array(1_000), print, ""), reserve), /full/)
  assert.ok(printed < 20, `Expected the rest not to be printed, got ${printed}`)
})
