import assert from "node:assert/strict"
import { test } from "node:test"
import * as v from "valibot"
import { objectValue, type Schema } from "../../src/wire/body.ts"
import { listColumns, mapColumns } from "../../src/wire/filter/list-group.ts"
import { Problems } from "../../src/wire/problems.ts"
import { querySchema } from "../../src/wire/filter/query-body.ts"
import { refuseUnknownNames } from "../../src/wire/unknown-names.ts"

function problemsOf(schema: Schema, raw: unknown): string[] {
  const problems = new Problems()
  refuseUnknownNames(schema, raw, { path: "", problems })
  try {
    problems.throwIfAny()
    return []
  } catch (error) {
    return [...(error as { problems: readonly string[] }).problems]
  }
}

test("names are judged in objects, lists, maps, unions, variants and behind pipes", () => {
  const point = objectValue({ x: v.nullish(v.number()) }, ["label"])
  const line = v.variant("type", [
    v.object({ type: v.literal("line"), from: point }),
    v.object({ type: v.literal("ring"), around: point }),
  ])
  const schema = v.pipe(
    objectValue({
      list: v.nullish(v.array(point)),
      map: v.nullish(v.record(v.string(), point)),
      either: v.nullish(v.union([v.array(point), point])),
      line: v.nullish(line),
    }),
    v.check(() => true),
  )
  const f = (raw: unknown, ...want: RegExp[]) => {
    const got = problemsOf(schema, raw)
    assert.equal(got.length, want.length, got.join("\n"))
    want.forEach((pattern, i) => assert.match(got[i]!, pattern))
  }
  f({ list: [{ x: 1, label: "a" }], map: { any: { x: 1 } }, either: [{}], line: null })
  f({ lsit: [] }, /^body: "lsit" is no field here; did you mean "list"\?$/)
  f({ list: [{}, { y: 1 }] }, /^list\[1\]: "y" is no field here; expected one of x$/)
  f({ map: { any: { xx: 1 } } }, /^map\.any: "xx"/)
  f({ either: { z: 1 } }, /^either: "z"/)
  f({ either: [{ z: 1 }] }, /^either\[0\]: "z"/)
  f({ line: { type: "ring", around: { q: 1 }, form: 2 } }, /^line\.around: "q"/, /^line: "form"/)
  // The schema reports values of the wrong shape.
  for (const raw of [null, 1, "x", [], { list: 7, line: { type: "none" } }]) f(raw)
})

test("every group of a query, and every word in it, is judged (B6)", () => {
  const group = { and: true, items: [{ contain: true }], nestedItems: [{ itmes: [] }] }
  for (const column of [...listColumns, ...mapColumns]) {
    const [item, nested] = problemsOf(querySchema, { [column]: group })
    assert.match(item!, /items\[0\]: "contain" is no field here; did you mean "contains"\?$/)
    assert.match(nested!, /nestedItems\[0\]: "itmes" is no field here; did you mean "items"\?$/)
    const [typo] = problemsOf(querySchema, { [column.slice(0, -1)]: group })
    assert.match(typo!, new RegExp(`did you mean "${column}"`))
  }
})

/** As the models of the vendor's command line and of its documentation send them. */
test("what real clients send in a query is known", () => {
  const items = [{ item: "a", literal: true, contains: true, queryType: "EXACT" }]
  const pairs = [{ key: "a", value: "b", literal: true, contains: true, queryType: undefined }]
  const sort = { field: "name", order: "asc", mode: null, missing: "_last", unmappedType: null }
  const nested = { nestedTermField: null, nestedTermValue: null }
  const body = {
    ...Object.fromEntries(listColumns.map((one) => [one, { and: false, items, nestedItems: [] }])),
    ...Object.fromEntries(mapColumns.map((one) => [one, { and: false, items: pairs }])),
    nestedAggregationFilters: { and: true, items: pairs },
    elementAttributes: { items: pairs },
    tenantId: "t",
    startDate: "2020-01-30T02:00:00-04:00",
    endDate: "2020-01-30T03:00:00-04:00",
    sort: { ...sort, ...nested },
    sourceFilter: { includes: ["id", "name", "type"], excludes: [] },
    page: 0,
    pageSize: 250,
  }
  assert.deepEqual(problemsOf(querySchema, body), [])
})

test("a value that nests without end is walked to a bounded depth", () => {
  let group: object = {}
  for (let i = 0; i < 100_000; i++) group = { nestedItems: [group] }
  assert.deepEqual(problemsOf(querySchema, { metricFqns: group }), [])
})
