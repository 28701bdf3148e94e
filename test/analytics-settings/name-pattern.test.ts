import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { compilePattern } from "../../src/base/text/pattern.ts"
import { isSimplePattern, NamePattern } from "../../src/analytics-settings/name-pattern.ts"

const name = fc.string({ unit: fc.constantFrom(..."abAB.-% é"), maxLength: 8 })
const piece = fc.constantFrom("a", "b", "A", ".", "\\.", "[.]", ".*", ".+", "-", "\\-", "%")
const simple = fc
  .tuple(
    fc.constantFrom("", "^"),
    fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
    fc.constantFrom("", "$"),
  )
  .map((parts) => parts.join(""))

test("Name pattern: finds and fits what the engine does", () => {
  fc.assert(
    fc.property(simple, name, (text, given) => {
      assert.ok(isSimplePattern(text), text)
      const pattern = new NamePattern(text)
      const engine = compilePattern(text, { caseless: true })
      assert.equal(pattern.finds(given, given.toLowerCase()), engine.test(given))
      assert.equal(pattern.fits(given, given.toLowerCase()), engine.matchesWhole(given))
    }),
    { numRuns: 3_000 },
  )
})

test("Name pattern: whatever is more than a name with stars goes to the engine", () => {
  for (const text of [
    "a|b",
    "a*",
    "a?b",
    ".*?",
    "a+",
    "[ab]",
    "(a)",
    "\\d",
    "a\\\\$b",
    "a^",
    "a$b",
  ])
    assert.equal(isSimplePattern(text), false, text)
  const pattern = new NamePattern("^(disk|net)[.]\\w+$")
  assert.ok(pattern.finds("Disk.a", "disk.a") && pattern.fits("net.b", "net.b"))
  assert.ok(!pattern.finds("a.disk.a", "a.disk.a"))
})
