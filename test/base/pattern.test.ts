import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { compilePattern, matchesWildcard, patternProblem } from "../../src/base/text/pattern.ts"

test("patternProblem() detects invalid and too expensive expressions", () => {
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

test("a pattern matches anywhere, in its case or in either", () => {
  const f = (text: string, given: string, caseless: boolean, want: boolean) =>
    assert.equal(compilePattern(text, { caseless }).test(given), want, `${text} in ${given}`)
  f("b+", "abc", false, true)
  f("B+", "abc", false, false)
  f("B+", "abc", true, true)
  f("^b", "abc", true, false)
})

test("a pattern on which backtracking engines never end has a result", () => {
  // A backtracking engine tries 2^5000 ways: the assertion is that the test ends.
  assert.equal(compilePattern("(a+)+$", { caseless: true }).test(`${"a".repeat(5_000)}!`), false)
})

const text = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 8 })
const wanted = fc.string({ unit: fc.constantFrom("a", "b", ".", "*", "?"), maxLength: 6 })

test("matchesWildcard() agrees with the equivalent regular expression", () => {
  fc.assert(
    fc.property(wanted, text, (pattern, given) => {
      const escaped = pattern.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".")
      const want = new RegExp(`^${escaped}$`, "s").test(given)
      assert.equal(matchesWildcard(pattern, given), want, `${pattern} in ${given}`)
    }),
    { numRuns: 2_000 },
  )
})
