import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { FormulaError } from "../../src/formula/formula-cursor.ts"
import { evaluate } from "../../src/formula/evaluate.ts"
import {
  acrossFunctions,
  binaryOperators,
  cycleStatistics,
  mathFunctions,
  type Expression,
} from "../../src/formula/expression.ts"
import { parseExpression } from "../../src/formula/parse.ts"
import { printExpression } from "./print.ts"

type Numbers = Readonly<Record<string, number>>

function work(text: string, values: Numbers, attributes: Readonly<Record<string, string>> = {}) {
  return evaluate(parseExpression(text), {
    metric: (fqn) => values[fqn],
    attribute: (name) => attributes[name],
    across: (pattern) => {
      const whole = new RegExp(`^(?:${pattern})$`, "i")
      return Object.keys(values).flatMap((fqn) => (whole.test(fqn) ? [values[fqn]!] : []))
    },
  })
}

const name = fc.constantFrom("cpu.idle", "network.${1}.rx", "a-b_c", "it's", "x")
const leaf: fc.Arbitrary<Expression> = fc.oneof(
  fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => ({ kind: "number" as const, value })),
  fc.string().map((value) => ({ kind: "text" as const, value })),
  fc.boolean().map((value) => ({ kind: "boolean" as const, value })),
  fc.constant({ kind: "null" as const }),
  fc.record({
    kind: fc.constant("metric" as const),
    fqn: name,
    statistic: fc.constantFrom(...cycleStatistics),
  }),
  fc.record({ kind: fc.constant("hasMetric" as const), fqn: name }),
  fc.record({ kind: fc.constant("attribute" as const), name }),
  fc.record({ kind: fc.constant("hasAttribute" as const), name }),
  fc.record({
    kind: fc.constant("across" as const),
    function: fc.constantFrom(...acrossFunctions),
    pattern: fc.constantFrom("cpu[.].*", "a\\.(b|c)\\d", "it's", "[)].x"),
  }),
)
const { tree } = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.record({
      kind: fc.constant("binary" as const),
      operator: fc.constantFrom(...binaryOperators),
      left: tie("tree"),
      right: tie("tree"),
    }),
    fc.record({
      kind: fc.constant("unary" as const),
      operator: fc.constantFrom("-" as const, "!" as const),
      of: tie("tree"),
    }),
    fc.record({
      kind: fc.constant("choice" as const),
      condition: tie("tree"),
      yes: tie("tree"),
      no: tie("tree"),
    }),
    fc.record({
      kind: fc.constant("math" as const),
      function: fc.constantFrom("min" as const, "max" as const),
      args: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
    }),
  ),
}))

test("Formula: what is printed reads as the same tree", () => {
  fc.assert(
    fc.property(tree, (expression) => {
      // Records of fast-check have no prototype.
      const plain: unknown = JSON.parse(JSON.stringify(expression))
      assert.deepEqual(parseExpression(printExpression(expression)), plain)
    }),
  )
})

const figure = fc.integer({ min: -50, max: 50 })
const sum = fc.array(
  fc.tuple(fc.constantFrom("+", "-", "*", "/", "<", ">=", "==", "&&", "||"), figure),
  { minLength: 1, maxLength: 8 },
)

test("Formula: numbers come to what a calculator with two stacks makes of them", () => {
  fc.assert(
    fc.property(figure, sum, (first, rest) => {
      const text = [`(${first})`, ...rest.map(([operator, n]) => `${operator} (${n})`)].join(" ")
      const wanted = judge(text)
      const got = work(text, {})
      if (Number.isFinite(wanted)) assert.equal(got, wanted)
      else assert.equal(got, undefined)
    }),
  )
})

const known = (a: number, b: number, is: boolean): number =>
  Number.isNaN(a) || Number.isNaN(b) ? NaN : Number(is)

/** A calculator of its own kind: two stacks, where ours goes down a grammar. */
function judge(text: string): number {
  const rank: Readonly<Record<string, number>> = {
    "||": 0,
    "&&": 1,
    "==": 2,
    "<": 3,
    ">=": 3,
    "+": 4,
    "-": 4,
    "*": 5,
    "/": 5,
  }
  const apply: Readonly<Record<string, (a: number, b: number) => number>> = {
    "||": (a, b) => a || b,
    "&&": (a, b) => a && b,
    "==": (a, b) => known(a, b, a === b),
    "<": (a, b) => known(a, b, a < b),
    ">=": (a, b) => known(a, b, a >= b),
    "+": (a, b) => a + b,
    "-": (a, b) => a - b,
    "*": (a, b) => a * b,
    "/": (a, b) => (b === 0 ? NaN : a / b),
  }
  const values: number[] = []
  const operators: string[] = []
  const reduce = (): void => {
    const right = values.pop()!
    values.push(apply[operators.pop()!]!(values.pop()!, right))
  }
  for (const word of text.split(" ")) {
    if (word.startsWith("(")) values.push(Number(word.slice(1, -1)))
    else {
      while (operators.length > 0 && rank[operators.at(-1)!]! >= rank[word]!) reduce()
      operators.push(word)
    }
  }
  while (operators.length > 0) reduce()
  return values[0]!
}

test("Formula: expressions of the public packages, both syntaxes", () => {
  const linux = { "cpu.total.idle": 300, "cpu.total.user": 60, "cpu.total.system": 40 }
  const used = "(sum(cpu.total.*) - ${cpu.total.idle}.actual) / sum(cpu.total.*) * 100"
  assert.equal(work(used, linux), 25)
  const legacy =
    "(data['cpu.total.idle'] != null && data['cpu.total.idle'].actual != null) ? " +
    "((data.sum('cpu.total.*') - data['cpu.total.idle'].actual) / " +
    "data.sum('cpu.total.*')) * 100 : 0"
  assert.equal(work(legacy, linux), 25)
  assert.equal(work(legacy, {}), 0)
  assert.equal(work("${cpu.total.user}.actual / attribute(cpus)", linux, { cpus: "4" }), 15)
  assert.equal(work("data['q'].actual / attribute['cpus'].value", { q: 8 }, { cpus: "4" }), 2)
  const calls =
    "data['m.calls'].actual == 0 ? 0 : 100 * (data['m.errors'].actual / data['m.calls'].actual)"
  assert.equal(work(calls, { "m.calls": 0 }), 0)
  assert.equal(work(calls, { "m.calls": 8, "m.errors": 2 }), 25)
  const ram =
    "(attribute['ram bytes'] == null || attribute['ram bytes'].value == 0) ? 0 : " +
    "Math.min(100, attribute['ram bytes'].value - data['free'].actual)"
  assert.equal(work(ram, { free: 10 }), 0)
  assert.equal(work(ram, { free: 10 }, { "ram bytes": "0" }), 0)
  assert.equal(work(ram, { free: 10 }, { "ram bytes": "64" }), 54)
  assert.equal(work("data.max('disk.(.*).busy')", { "disk.a.busy": 3, "disk.b.busy": 9 }), 9)
})

test("Formula: what is missing, divided by zero or not finite gives no value", () => {
  for (const text of ["${gone}.actual", "1 / ${zero}.actual", "attribute(x) + 1", "sum(gone.*)"]) {
    assert.equal(work(text, { zero: 0 }), undefined, text)
  }
  for (const text of ["${gone}.actual > 1 ? 1 : 2", "1e308 * 10", "avg(gone)", "Math.log(0)"]) {
    assert.equal(work(text, {}), undefined, text)
  }
  assert.equal(work("cnt(gone)", {}), 0)
  assert.equal(work("data['gone'].actual || 7", {}), 7)
})

test("Formula: a function of a missing value has no value, whatever its other argument", () => {
  for (const name of mathFunctions) {
    const calls = ["min", "max", "pow"].includes(name)
      ? [`${name}(data['gone'].actual, 0)`, `${name}(0, data['gone'].actual)`]
      : [`${name}(data['gone'].actual)`]
    for (const text of calls) assert.equal(work(`Math.${text}`, {}), undefined, text)
  }
  assert.equal(work("Math.pow(data['a'].actual, 0)", { a: 7 }), 1)
})

test("Formula: errors name the position and the expectation", () => {
  const cases: readonly (readonly [string, number, RegExp])[] = [
    ["1 +", 4, /Expected a number.*the end/],
    ["${a}.most", 6, /one of actual, avg/],
    ["eval(1)", 1, /Expected a function/],
    ["sum((a)", 8, /Expected "\)"/],
    ["sum([)", 7, /Expected "\)"/],
    ["sum(*)", 5, /regular expression/],
    ["1 2", 3, /operator or the end/],
    [`${"(".repeat(100)}1`, 65, /levels of nesting/],
    ["1+".repeat(600) + "1", 1200, /at most 1024 parts/],
    ["1".repeat(5000), 4097, /at most 4096 characters/],
  ]
  for (const [text, position, expected] of cases) {
    assert.throws(
      () => parseExpression(text),
      (error) => {
        assert.ok(error instanceof FormulaError, text)
        assert.match(error.message, expected)
        if (!expected.source.includes("most") && !expected.source.includes("levels")) {
          assert.equal(error.position, position, text)
        }
        return true
      },
    )
  }
})
