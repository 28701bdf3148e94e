import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import { metricFieldNames } from "../../src/wire/metric-document.ts"
import { readMetricQueryBody } from "../../src/wire/filter/metric-query-body.ts"
import { Problems } from "../../src/wire/problems.ts"

function read(raw: unknown) {
  const problems = new Problems()
  const body = readMetricQueryBody(raw, problems)
  problems.throwIfAny()
  return body!
}

function problemsOf(raw: unknown): readonly string[] {
  try {
    read(raw)
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === "invalid", String(error))
    return error.problems
  }
  return []
}

const item = (more: object = {}) => ({ item: "cpu", ...more })
const group = (...items: object[]) => ({ and: false, items })

test("a body without anything asks for everything, ten at a time", () => {
  for (const raw of [
    undefined,
    null,
    {},
    { page: null, sort: null, metricFqns: null, tenantId: "t" },
  ]) {
    assert.deepEqual(read(raw), {
      filter: {},
      counted: null,
      startDate: undefined,
      endDate: undefined,
      sort: null,
      page: 0,
      pageSize: 10,
      fields: metricFieldNames,
    })
  }
})

test("an item is meant as literal and queryType say", () => {
  const f = (more: object, match: string, caseless: boolean) => {
    const [got] = read({ metricFqns: group(item(more)) }).filter.metricFqns!.items
    assert.deepEqual(got, { text: "cpu", match, caseless, excludes: false })
  }
  f({}, "equal", false)
  f({ literal: true }, "equal", false)
  f({ literal: false }, "part", true)
  f({ literal: "false", queryType: null }, "part", true)
  f({ literal: false, queryType: "EXACT" }, "equal", false)
  f({ literal: true, queryType: "exact" }, "equal", false)
  f({ literal: true, queryType: "PREFIX" }, "prefix", false)
  f({ literal: false, queryType: "PREFIX" }, "prefix", true)
  f({ literal: true, queryType: "CONTAINS" }, "part", false)
  f({ literal: false, queryType: "CONTAINS" }, "part", true)
  f({ literal: true, queryType: "WILDCARD" }, "wildcard", false)
  f({ literal: false, queryType: "wildcard" }, "wildcard", true)
  f({ literal: true, queryType: "REGEX" }, "pattern", false)
  f({ literal: false, queryType: "REGEX" }, "pattern", true)
})

test("contains false excludes; a number is a text; ids are lowered; and defaults to true", () => {
  const { filter } = read({
    metricFqns: { items: [item({ contains: false }), item({ item: 5 })] },
    elementIds: group({ item: "ABC" }),
  })
  const [left, right] = filter.metricFqns!.items
  assert.deepEqual([left!.excludes, right!.excludes, right!.text], [true, false, "5"])
  assert.equal(filter.metricFqns!.and, true)
  assert.equal(filter.elementIds!.items[0]!.text, "abc")
})

test("groups without items filter nothing", () => {
  const raw = { metricFqns: group(), elementTags: group(), attributes: null, checkIds: {} }
  assert.deepEqual(read(raw).filter, {})
})

test("map groups name a key, a value or both; attributes have two names", () => {
  const f = (sent: object, want: object) => {
    const { filter } = read({ elementTags: group(sent) })
    const how = { match: "equal", caseless: false, excludes: false }
    assert.deepEqual(filter.elementTags!.items, [{ ...how, ...want }])
  }
  f({ key: "env", value: "prod" }, { key: "env", text: "prod" })
  f({ key: "env" }, { key: "env", text: null })
  f({ key: null, value: 4 }, { key: null, text: "4" })
  f(
    { key: "a", value: "b", literal: false },
    { key: "a", text: "b", match: "part", caseless: true },
  )
  for (const name of ["attributes", "elementAttributes"]) {
    const { filter } = read({ [name]: group({ key: "cpus" }) })
    assert.equal(filter.attributes?.items[0]?.key, "cpus", name)
  }
  assert.match(
    problemsOf({ metricTags: group({ value: "" }) })[0]!,
    /^metricTags\.items\[0\]: .*key/,
  )
  assert.equal(read({ nestedAggregationFilters: group({ key: "env" }) }).counted?.items.length, 1)
})

test("an invalid regular expression is reported with the reason", () => {
  const f = (item: string, want: RegExp) => {
    const problems = problemsOf({ metricFqns: group({ item, queryType: "REGEX" }) })
    assert.match(problems[0]!, want)
  }
  f(
    "[a-",
    /^metricFqns\.items\[0\]: cannot take the regular expression "\[a-": .*missing closing \]/,
  )
  f("(?<=a)b", /cannot take/)
  f("(a)\\1", /cannot take/)
  f("x".repeat(513), /513 characters, at most 512/)
  f("(a{30}){30}", /at most 512/)
  const many = Array.from({ length: 65 }, () => item({ queryType: "REGEX" }))
  assert.match(problemsOf({ metricFqns: group(...many) })[0]!, /at most 64 regular expressions/)
})

test("invalid values are reported with field and value, all together", () => {
  const f = (raw: unknown, ...want: RegExp[]) => {
    const problems = problemsOf(raw)
    assert.equal(problems.length, want.length, problems.join("\n"))
    want.forEach((pattern, i) => assert.match(problems[i]!, pattern))
  }
  f([], /^body: expected a JSON object, got an array$/)
  f("x", /^body: expected a JSON object, got "x"$/)
  f({ page: -1 }, /^page: expected a whole number, 0 or more, got -1$/)
  f({ pageSize: 10_001 }, /^pageSize: expected a whole number, 1 to 10000, got 10001$/)
  f({ pageSize: 0, page: "x" }, /^page: .* got "x"$/, /^pageSize: .* got 0$/)
  f({ sourceFilter: { excludes: "id" } }, /^sourceFilter\.excludes: expected an array, got "id"$/)
  f({ sort: [{ field: "id" }] }, /^sort: expected an object, got an array$/)
  f({ sort: "name" }, /^sort: expected an object, got "name"$/)
  f({ sort: { field: "colour" } }, /^sort\.field: expected one of id, .* got "colour"$/)
  f({ sort: { field: "sourceTags." } }, /^sort\.field/)
  f(
    { sort: { field: "id", order: "up", missing: "0" } },
    /^sort\.order: .*"up"/,
    /^sort\.missing: .*"0"/,
  )
  f({ metricFqns: [] }, /^metricFqns: expected an object, got an array$/)
  f({ metricFqns: { items: 5 } }, /^metricFqns\.items: expected an array, got 5$/)
  f({ metricFqns: group(item(), {}) }, /^metricFqns\.items\[1\]\.item: expected .*got undefined$/)
  f(
    { metricFqns: group({ item: null }) },
    /^metricFqns\.items\[0\]\.item: expected a text, got null/,
  )
  f({ metricFqns: group(item({ literal: 2 })) }, /literal: expected true or false, got 2$/)
  f(
    { metricFqns: { nestedItems: [7] } },
    /^metricFqns\.nestedItems\[0\]: expected an object, got 7/,
  )
  f(
    { metricFqns: group(item({ queryType: "FUZZY" })) },
    /queryType: expected one of EXACT, PREFIX, WILDCARD, CONTAINS, REGEX, got "FUZZY"/,
  )
  f({ datasourceIds: group({ item: {} }), checkIds: 3 }, /^datasourceIds/, /^checkIds/)
})

test("groups nest to a bounded depth, and hold a bounded number of items", () => {
  const nested = (depth: number): object =>
    depth === 1 ? group(item()) : { and: true, items: [], nestedItems: [nested(depth - 1)] }
  assert.deepEqual(problemsOf({ metricFqns: nested(8) }), [])
  assert.match(problemsOf({ metricFqns: nested(9) })[0]!, /at most 8 groups within each other/)
  assert.match(problemsOf({ metricFqns: nested(5_000) })[0]!, /at most 8 groups/)
  const items = Array.from({ length: 10_001 }, () => item())
  assert.match(problemsOf({ metricFqns: group(...items) })[0]!, /at most 10000 items/)
  assert.deepEqual(problemsOf({ metricFqns: group(...items.slice(1)) }), [])
})

test("sourceFilter keeps the ids, and takes both names of the service tags for one", () => {
  const f = (sourceFilter: object, want: string[]) =>
    assert.deepEqual(read({ sourceFilter }).fields, want)

  const excludes = metricFieldNames.filter((name) => !["id", "elementId"].includes(name))
  f({ excludes }, ["id", "elementId"])
  f({ excludes: metricFieldNames }, ["id"])
  f({ includes: ["unit"] }, ["id", "elementId", "unit"])
  f({ includes: ["unit", "fqn"], excludes: ["fqn"] }, ["id", "elementId", "unit"])
  f({ includes: ["serviceTags"] }, ["id", "elementId", "serviceTags", "netuitiveTags"])
  f({ includes: ["nothing"], excludes: null }, ["id", "elementId"])
  const tagless = metricFieldNames.filter((name) => !/(?:service|netuitive)Tags/.test(name))
  f({ excludes: ["netuitiveTags"] }, tagless)
})

test("more problems than an answer holds are counted", () => {
  const problems = problemsOf({ metricFqns: group(...Array.from({ length: 30 }, () => ({}))) })
  assert.equal(problems.length, 20)
  assert.equal(problems[19], "and 11 more problems")
})

test("a field that is no field names the nearest one (B6)", () => {
  const [problem] = problemsOf({ sort: { field: "unti" } })
  assert.match(problem!, /got "unti"; did you mean "unit"\?$/)
  assert.doesNotMatch(problemsOf({ sort: { field: "zzzzzz" } })[0]!, /did you mean/)
})
