/** Invariants of the route table. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { describeApi, pathParameterNames } from "../../src/http/description/openapi.ts"
import { allRoutes, describedRoutes } from "../../src/http/api/routes/route-table.ts"
import { methods, noBody } from "../../src/http/shared/route.ts"

const operations = describedRoutes.flatMap((route) =>
  methods.flatMap((method) => {
    const operation = route.operations[method]
    return operation === undefined ? [] : [{ route, method, operation }]
  }),
)

test("every path is in the table once and has an operation", () => {
  const paths = describedRoutes.map(({ path }) => path.replace(/:\w+/g, ":"))
  assert.deepEqual([...new Set(paths)], paths)
  for (const { path, operations: own } of describedRoutes) {
    assert.ok(Object.keys(own).length > 0, path)
    assert.match(path, /^(\/[:A-Za-z0-9._-]+)+$/)
  }
})

test("a fixed segment precedes the named segments that would match it", () => {
  const pattern = (path: string) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`)
  allRoutes.forEach(({ path }, at) => {
    const before = allRoutes.slice(0, at).find((earlier) => pattern(earlier.path).test(path))
    assert.equal(before?.path, undefined, `${path} is never reached`)
  })
})

test("every operation has a one-line summary and a described response", () => {
  for (const { route, method, operation } of operations) {
    const where = `${method} ${route.path}`
    const { summary, response, body } = operation
    assert.match(summary, /^[A-Z][^\n]{3,99}[^.\s]$/, where)
    assert.ok(response.description.length > 1, where)
    assert.ok(response.status >= 200 && response.status < 300, where)
    assert.ok(route.section.length > 1, where)
    if (body !== undefined) {
      assert.ok(body.description.length > 1, where)
      assert.notEqual(body.example, undefined, `${where}: an example of the body`)
    }
    if (body?.kind === "json") assert.notEqual(body.schema, undefined, `${where}: a schema`)
  }
})

test("every parameter is described once, and a path parameter is in the path", () => {
  for (const { route, method, operation } of operations) {
    const { parameters = [] } = operation
    const where = `${method} ${route.path}`
    const names = parameters.map((one) => `${one.in} ${one.name}`)
    assert.deepEqual([...new Set(names)], names, where)
    for (const one of parameters) {
      assert.ok(one.description.length > 1, `${where} ${one.name}`)
      if (one.in === "path") assert.ok(pathParameterNames(route.path).includes(one.name), where)
    }
  }
})

test("an operation for readers changes nothing except the reader's own record", () => {
  // A query too long for a URL is a POST.
  const questions = /\/(metricQuery|elementQuery|metricAgg|elementAgg|crosselementagg|statistics)/
  const ownRecord = /^\/(?:sessions|users\/current|views)(?:\/|$)/
  const others = [
    "/elements/name/preview",
    "/users/:id/password",
    "/elements/search/elementStatus",
    "/policies/evaluate",
    "/series/query",
  ]
  for (const { route, method, operation } of operations) {
    if (operation.access !== "reader" || method === "GET") continue
    if (ownRecord.test(route.path)) continue
    const isQuestion = questions.test(route.path) || others.includes(route.path)
    assert.ok(method === "POST" && isQuestion, `${method} ${route.path} needs a writer`)
  }
})

test("named segments without a declared parameter are described by default", () => {
  const handle = async () => ({ status: 200 })
  const response = noBody(200, "It")
  const GET = { summary: "One", access: "reader", response, handle } as const
  const api = describeApi(
    [{ path: "/a/:id/:metricId", section: "S", operations: { GET } }],
    "1.2.3",
  )
  const { paths } = api as { paths: Record<string, { get: { parameters: { name: string }[] } }> }
  const told = paths["/a/{id}/{metricId}"]!.get.parameters
  assert.deepEqual(
    told.map(({ name }) => name),
    ["id", "metricId"],
  )
})
