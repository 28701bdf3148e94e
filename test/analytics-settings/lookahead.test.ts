import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  compileExpression,
  compileExpressionCapture,
  expressionGroups,
  expressionProblem,
} from "../../src/analytics-settings/lookahead.ts"
import { requiredLiterals } from "../../src/analytics-settings/literal-prefilter.ts"
import { NamePattern } from "../../src/analytics-settings/name-pattern.ts"
import { readConfiguration } from "../../src/analytics-settings/parse-configuration.ts"

const given = fc.string({ unit: fc.constantFrom(..."abAB.("), maxLength: 8 })
const piece = fc.constantFrom(
  "a",
  "b",
  ".",
  "\\.",
  "[.)(]",
  ".*",
  "(a|b)",
  "(?:ab)?",
  "(b+)",
  "\\(",
)
const plain = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""))
const lookahead = fc
  .tuple(fc.constantFrom("", "^"), fc.array(plain, { minLength: 1, maxLength: 2 }), plain)
  .map(([start, without, rest]) => start + without.map((one) => `(?!${one})`).join("") + rest)

test("Lookahead at the head: finds, fits and captures what an engine that backtracks does", () => {
  fc.assert(
    fc.property(lookahead, given, (text, name) => {
      assert.equal(expressionProblem(text), null)
      const judge = new RegExp(text, "i")
      const pattern = compileExpression(text)
      assert.equal(pattern.test(name), judge.test(name))
      assert.equal(pattern.matchesWhole(name), new RegExp(`^(?:${text})$`, "i").test(name))
      const found = judge.exec(name)
      const groups = found === null ? null : Array.from(found, (group) => group ?? "")
      assert.deepEqual(compileExpressionCapture(text).find(name), groups)
      assert.equal(expressionGroups(text), new RegExp(`${text}|`).exec("")!.length - 1)
      const lower = name.toLowerCase()
      const isPossible = requiredLiterals(text).every((set) =>
        set.some((one) => lower.includes(one)),
      )
      assert.ok(isPossible || !judge.test(name))
    }),
    { numRuns: 3_000 },
  )
})

test("Lookahead: flags may precede it; one of a single alternative is refused", () => {
  const pattern = new NamePattern("(?i)^(?!.*idle)cpu")
  assert.ok(pattern.finds("CPU.total", "cpu.total"))
  assert.ok(!pattern.finds("cpu.idle", "cpu.idle"))
  for (const text of [
    "^(?!a)b|c",
    "a(?!b)",
    "(?!a",
    "(?!a)*b",
    "(?!(?!a)b)c",
    "(?=a)b",
    "(?!()a",
  ]) {
    assert.notEqual(expressionProblem(text), null, text)
  }
})

const metaOf = (metrics: object[], scope: object = {}) =>
  readConfiguration({ analyticConfiguration: { type: "METRIC_META", scope, metrics } })

test("readConfiguration: text null is null; an entry that needs backtracking is left out", () => {
  const range = { validMin: "null", validMax: "100", tags: { unit: "null" } }
  const { configuration, problems, warnings } = metaOf([
    { match: "^(?!.*idle)cpu", properties: range },
    { match: "cpu(?=.idle)", properties: { validMin: 0 } },
  ])
  assert.deepEqual(problems, [])
  assert.deepEqual(configuration?.settings, [
    { match: "^(?!.*idle)cpu", settings: { validMax: 100 } },
  ])
  assert.equal(warnings.length, 1)
  assert.match(
    warnings[0]!,
    /^analyticConfiguration\.metrics\[1\]\.match: left out.*"cpu\(\?=\.idle/,
  )
})

test("readConfiguration: with a part of its scope left out, it is for no element", () => {
  const entry = { match: "cpu", properties: { validMin: 0 } }
  for (const scope of [
    { metricMatches: "a(?<!b)" },
    { elementTags: { name: "(a)\\1" } },
    { elementTags: [{ name: "x(?!y)", value: "" }] },
  ]) {
    const { configuration, problems, warnings } = metaOf([entry], scope)
    assert.deepEqual([configuration?.settings, problems, warnings.length], [[], [], 1])
  }
  const computed = { fqn: "b", expression: "1", capture: "a(?!b)" }
  const json = { type: "COMPUTED_METRIC", metrics: [{ match: "b", properties: computed }] }
  assert.deepEqual(readConfiguration(json).configuration?.computed, [])
})
