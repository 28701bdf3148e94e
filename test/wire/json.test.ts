import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { encodeJson, jsonArray, jsonNumber, jsonNumbers, jsonText } from "../../src/wire/json.ts"

test("a finite number comes back from its JSON as it was", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(JSON.parse(jsonNumber(value)), value + 0)
    }),
  )
})

test("a number that JSON has no word for is null", () => {
  for (const value of [NaN, Infinity, -Infinity]) assert.equal(jsonNumber(value), "null")
})

test("arrays and texts are printed as JSON.stringify prints them", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double()),
      fc.array(fc.string({ unit: "binary" })),
      (numbers, texts) => {
        assert.equal(jsonNumbers(Float64Array.from(numbers)), JSON.stringify(numbers))
        assert.equal(jsonArray(texts, jsonText), JSON.stringify(texts))
      },
    ),
  )
})

test("a JSON text is encoded as UTF-8", () => {
  assert.deepEqual([...encodeJson('"µ"')], [0x22, 0xc2, 0xb5, 0x22])
})
