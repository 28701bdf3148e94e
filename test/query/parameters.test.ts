import assert from "node:assert/strict"
import { test } from "node:test"
import { QueryParameters } from "../../src/query/core/parameters.ts"
import { readTagValues } from "../../src/query/filter/tag-values.ts"
import { Problems, shown } from "../../src/wire/problems.ts"

function read<T>(params: Record<string, string[]>, of: (params: QueryParameters) => T): T {
  const problems = new Problems()
  const value = of(new QueryParameters(params, problems))
  problems.throwIfAny()
  return value
}

test("lists come repeated, comma-separated and as JSON arrays", () => {
  const f = (texts: string[], want: string[]) =>
    assert.deepEqual(
      read({ a: texts }, (params) => params.many("a")),
      want,
    )
  f([], [])
  f(["", " , "], [])
  f(["x"], ["x"])
  f(["x", "y"], ["x", "y"])
  f(["x, y", "z"], ["x", "y", "z"])
  f(['["x","y,z",5]', "w"], ["x", "y,z", "5", "w"])
  f(["[]"], [])
})

test("a list that is no JSON array of texts is refused", () => {
  for (const text of ["[", "[1", '["a",{}]', "[null]"]) {
    assert.throws(
      () => read({ a: [text] }, (params) => params.many("a")),
      /^ServiceError: a: .*JSON/,
    )
  }
})

test("the first rollup counts, in any case and form, and PT5M if none is given", () => {
  const f = (texts: string[], want: string) =>
    assert.equal(
      read({ rollup: texts }, (params) => params.rollup()),
      want,
    )
  f([], "PT5M")
  f([""], "PT5M")
  f(["ZERO"], "ZERO")
  f(["pt1h"], "PT1H")
  f(["PT24H", "ZERO"], "PT24H")
  f(["PT1H,PT5M"], "PT1H")
  f(['["zero","PT5M"]'], "ZERO")
})

test("an unknown rollup is refused, the accepted ones named, also behind a known one", () => {
  const want = /rollup: expected one of ZERO, PT5M, PT1H, PT24H, got "P1D"/
  assert.throws(() => read({ rollup: ["P1D"] }, (params) => params.rollup()), want)
  assert.throws(() => read({ rollup: ["PT5M", "P1D"] }, (params) => params.rollup()), want)
})

test("a flag is true or false, 1 or 0, in any case, and false if absent", () => {
  const f = (texts: string[], want: boolean) =>
    assert.equal(
      read({ a: texts }, (params) => params.flag("a")),
      want,
    )
  f([], false)
  f([""], false)
  f(["true"], true)
  f(["True"], true)
  f(["1"], true)
  f(["false"], false)
  f(["0"], false)
  f(["true", "true"], true)
  for (const text of ["yes", "2", "truee"]) {
    const want = new RegExp(`a: expected true or false, got "${text}"`)
    assert.throws(() => read({ a: [text] }, (params) => params.flag("a")), want)
  }
})

test("one parameter with two values is refused, and one of an inherited name is absent", () => {
  assert.throws(
    () => read({ a: ["x", "y"] }, (params) => params.one("a")),
    /a: expected one value, got "x", "y"/,
  )
  assert.equal(
    read({}, (params) => params.one("toString")),
    undefined,
  )
})

test("tag values come as an object of arrays, an object of values or a list of pairs", () => {
  const f = (texts: string[], want: Record<string, string[]>) => {
    const values = readTagValues("tag", texts, new Problems())
    assert.deepEqual(Object.fromEntries([...values].map(([name, of]) => [name, [...of]])), want)
  }
  f([], {})
  f(['{"env":["prod","test"],"n":[1,true]}'], { env: ["prod", "test"], n: ["1", "true"] })
  f(['{"env":"prod"}', '{"env":["test"]}'], { env: ["prod", "test"] })
  f(['[{"name":"env","value":"prod"},{"name":"env","value":["a"]}]'], { env: ["prod", "a"] })
  f(["{}", "[]"], {})
})

test("tag values of no meaning are refused, naming the parameter", () => {
  for (const text of ["{", "5", "null", '["env"]', '[{"value":"a"}]', '{"a":{}}', '{"a":[null]}']) {
    const problems = new Problems()
    readTagValues("metricTag", [text], problems)
    assert.throws(() => problems.throwIfAny(), /^ServiceError: metricTag: expected a JSON object/)
  }
})

test("a long value is shortened in an error text", () => {
  assert.equal(shown("x".repeat(1_000)).length, 81)
})
