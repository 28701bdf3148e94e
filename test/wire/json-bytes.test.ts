import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { JsonBytes } from "../../src/wire/json-bytes.ts"
import { textOfParts } from "../support/server/answer-text.ts"

/** One write, and the text that it adds. */
interface Write {
  readonly to: (out: JsonBytes) => void
  readonly text: string
}

const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-(2 ** 31), 2 ** 31, -0))
const repeated = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.constantFrom(1, 1, 1, 5_000)).map(([one, times]) => one.repeat(times))
const write: fc.Arbitrary<Write> = fc.oneof(
  repeated(fc.string({ unit: "binary", maxLength: 20 })).map((text) => {
    return { to: (out: JsonBytes) => out.text(JSON.stringify(text)), text: JSON.stringify(text) }
  }),
  repeated(fc.string({ unit: "grapheme-ascii" })).map((text) => {
    return { to: (out: JsonBytes) => out.ascii(text), text }
  }),
  fc
    .tuple(fc.string({ unit: "grapheme-ascii", minLength: 5 }), fc.nat(5), fc.nat(5))
    .map(([text, from, more]) => {
      const to = (out: JsonBytes) => out.bytes(Buffer.from(text), from, Math.max(from, more))
      return { to, text: text.slice(from, Math.max(from, more)) }
    }),
  anyNumber.map((value) => {
    return { to: (out: JsonBytes) => out.number(value), text: JSON.stringify(value) }
  }),
  fc.tuple(fc.array(anyNumber), fc.constantFrom(1, 1, 1, 2_000)).map(([some, times]) => {
    const values = Array.from({ length: times }, () => some).flat()
    const to = (out: JsonBytes) => out.numbers(Float64Array.from(values))
    return { to, text: JSON.stringify(values) }
  }),
)

test("what is written comes back in order, whenever it is taken", () => {
  const writes = fc.array(fc.tuple(write, fc.boolean()), { maxLength: 20 })
  fc.assert(
    fc.property(writes, (given) => {
      const out = new JsonBytes()
      const parts: Uint8Array[] = []
      let sinceTake = ""
      for (const [{ to, text }, takes] of given) {
        to(out)
        sinceTake += text
        assert.ok(out.byteLengthMin <= Buffer.byteLength(sinceTake))
        if (!takes) continue
        assert.equal(out.byteLength, Buffer.byteLength(sinceTake))
        parts.push(out.take())
        sinceTake = ""
      }
      parts.push(out.end())
      assert.equal(textOfParts(parts), given.map(([{ text }]) => text).join(""))
      for (const { buffer, byteLength } of parts) assert.equal(buffer.byteLength, byteLength)
    }),
    { numRuns: 200 },
  )
})
