import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { cut, truncate, truncateBytes } from "../../src/base/text/truncate.ts"

const text = fc.string({ unit: "grapheme" })

test("a text that fits stays, a longer one begins as it did and fits with an ellipsis", () => {
  const f = (got: string, whole: string, isFit: boolean) => {
    if (isFit) return assert.equal(got, whole)
    assert.ok(got === "" || (got.endsWith("…") && whole.startsWith(got.slice(0, -1))), got)
    assert.doesNotMatch(got, /\p{Surrogate}/u)
  }
  fc.assert(
    fc.property(text, fc.nat({ max: 20 }), (whole, max) => {
      const units = truncate(whole, max)
      assert.ok(units.length <= max)
      f(units, whole, whole.length <= max)
      const bytes = truncateBytes(whole, max)
      assert.ok(Buffer.byteLength(bytes) <= max)
      f(bytes, whole, Buffer.byteLength(whole) <= max)
    }),
  )
})

test("no more is cut than a character that does not fit", () => {
  assert.equal(truncate("a🔥b🔥", 5), "a🔥b…")
  assert.equal(truncate("a🔥b🔥", 4), "a🔥…")
  assert.equal(truncate("a🔥b🔥", 3), "a…")
  assert.equal(truncate("abcdef", 5, "..."), "ab...")
  assert.equal(truncateBytes("aé漢🔥b", 10), "aé漢…")
  assert.equal(truncateBytes("aé漢🔥b", 11), "aé漢🔥b")
  assert.equal(truncateBytes("aé漢🔥b", 2), "")
  assert.equal(cut("a🔥", 2), "a")
  assert.equal(cut("a\ud83d", 2), "a\ud83d")
})
