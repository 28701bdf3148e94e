import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { compilePattern, matchesWildcard, patternProblem } from "../../src/base/pattern.ts"

test("patternProblem() tells what no pattern is, and what would cost too much", () => {
  const f = (text: string, want: RegExp | null) => {
    const problem = patternProblem(text)
    if (want === null) assert.equal(problem, null, text)
    else assert.match(problem ?? "", want, text)
  }
  f("", null)
  f("^(a|b)+\\.[0-9]{2,3}$", null)
  f("\\Qhttps://a.b\\E.*", null)
  f("(", /missing closing \)/)
  f("a(?!b)", /\(\?!/)
  f("(a)\\1", /escape/)
  f("x".repeat(513), /513 characters, at most 512/)
  f("(\\w{30}){30}", /steps/)
})

test("a pattern is found anywhere, in its case or in either", () => {
  const f = (text: string, given: string, caseless: boolean, want: boolean) =>
    assert.equal(compilePattern(text, { caseless }).test(given), want, `${text} in ${given}`)
  f("b+", "abc", false, true)
  f("B+", "abc", false, false)
  f("B+", "abc", true, true)
  f("^b", "abc", true, false)
})

test("a pattern on which others backtrack for ever answers at once", () => {
  const startMs = performance.now()
  assert.equal(compilePattern("(a+)+$", { caseless: true }).test(`${"a".repeat(5_000)}!`), false)
  assert.ok(performance.now() - startMs < 1_000)
})

const text = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 8 })
const wanted = fc.string({ unit: fc.constantFrom("a", "b", ".", "*", "?"), maxLength: 6 })

test("matchesWildcard() says what the same pattern as a regular expression says", () => {
  fc.assert(
    fc.property(wanted, text, (pattern, given) => {
      const escaped = pattern.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".")
      const want = new RegExp(`^${escaped}$`, "s").test(given)
      assert.equal(matchesWildcard(pattern, given), want, `${pattern} in ${given}`)
    }),
    { numRuns: 2_000 },
  )
})
