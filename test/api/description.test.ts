/** The API description: every operation in it does what it says, by its own examples. */

import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { randomUUID } from "node:crypto"
import { after, before, test } from "node:test"
import * as v from "valibot"
import { describedRoutes } from "../../src/http/api/routes/route-table.ts"
import {
  methods,
  type DescribedRoute,
  type Method,
  type Parameter,
} from "../../src/http/shared/route.ts"
import { openPath } from "../../src/http/description/openapi.ts"
import { responseValidator } from "../support/server/response-validator.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { rootFolder } from "../support/project-paths.ts"
import {
  bodyFor,
  examplesOf,
  pathWith,
  storeIncidents,
  valuesFor,
  type Described,
  type Walker,
} from "../support/server/route-fixtures.ts"
import { apiKey, startServer, storyProgram, type TestServer } from "../support/server/server.ts"

const folder = makeFolder("tidegauge-description")
let server: TestServer | null = null
let walker: Walker | null = null

before(async () => {
  const incidents = Array.from({ length: 10 }, () => randomUUID())
  await storeIncidents(folder, incidents)
  server = await startServer({ folder, program: storyProgram() })
  const { client } = server
  const authorization = client.authorization
  walker = {
    apiKey,
    incidents,
    marker: "mine",
    send: (path, { headers, ...send } = {}) =>
      client.send(path, { ...send, headers: { authorization, ...headers } }),
  }
  // The examples name an element web-1 with a metric cpu.total, of version 1 of a dashboard …
  const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: 1 }]
  assert.equal((await client.ingest([{ id: "web-1", type: "SERVER", samples }])).status, 202)
})

after(async () => {
  await server?.stop()
  removeFolder(folder)
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Requires the fields of an example, and those of its only member if that is an object. */
function assertLike(example: unknown, answer: unknown, where: string): void {
  if (!isObject(example)) return
  assert.ok(isObject(answer), `${where}: expected an object, got ${JSON.stringify(answer)}`)
  for (const [field, value] of Object.entries(example)) {
    assert.ok(field in answer, `${where}.${field} is missing in ${JSON.stringify(answer)}`)
    const isRecord = isObject(value) && isObject(answer[field]) && where.split(".").length < 2
    if (isRecord) assertLike(value, answer[field], `${where}.${field}`)
  }
}

async function call(route: DescribedRoute, method: Method, operation: Described): Promise<void> {
  const { parameters = [], body, response } = operation
  const where = `${method} ${route.path}`
  const values = await valuesFor(route, parameters, walker!)
  const { query, headers } = examplesOf(parameters)
  const type = body?.kind === "json" ? { "content-type": "application/json" } : {}
  const example = await bodyFor(operation, walker!)
  if (body?.schema !== undefined) v.parse(body.schema, body.example)
  const reply = await walker!.send(pathWith(route.path, values) + query, {
    method,
    headers: { ...headers, ...type },
    ...(example === undefined ? {} : { body: example }),
  })
  assert.equal(reply.status, response.status, `${where}: ${reply.text}`)
  if (response.status === 204) assert.equal(reply.text, "", where)
  if (response.schema !== null && reply.text !== "" && response.type === undefined)
    v.parse(response.schema, reply.json())
  if (response.example !== undefined) assertLike(response.example, reply.json(), where)
}

for (const route of describedRoutes) {
  for (const method of methods) {
    const operation = route.operations[method]
    if (operation === undefined) continue
    test(`${method} ${route.path} answers its example as described`, () =>
      call(route, method, operation))
  }
}

/** Values that a parameter takes by its schema, and some that it does not. */
function valuesOf({ value = {} }: Parameter): { taken: string[]; refused: string[] } {
  const { type, minimum, maximum } = value
  const words = value["enum"] as readonly string[] | undefined
  if (words !== undefined) return { taken: [...words], refused: ["nonsense"] }
  if (type === "boolean") return { taken: ["true", "false"], refused: ["perhaps"] }
  if (type !== "integer") return { taken: [], refused: [] }
  const refused = ["many", "1.5", String(Number(maximum) + 1), String(Number(minimum) - 1)]
  return { taken: [String(minimum), String(maximum)], refused }
}

async function takesItsValues(
  { route, method, operation }: { route: DescribedRoute; method: Method; operation: Described },
  parameter: Parameter,
): Promise<void> {
  const { parameters = [] } = operation
  const path = pathWith(route.path, await valuesFor(route, parameters, walker!))
  const others = parameters.filter(({ name }) => name !== parameter.name)
  const { query } = examplesOf(others.filter(({ required }) => required === true))
  const body = await bodyFor(operation, walker!)
  const ask = async (text: string) => {
    const asked = `${path}${query === "" ? "?" : `${query}&`}${parameter.name}=${text}`
    const headers = { "content-type": "application/json" }
    const reply = await walker!.send(asked, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })
    return { asked, ...reply }
  }
  const { taken, refused } = valuesOf(parameter)
  for (const text of taken) {
    const { asked, status, text: got } = await ask(text)
    assert.equal(status, operation.response.status, `${asked}: ${got}`)
  }
  for (const text of refused) {
    const { asked, status, text: got } = await ask(text)
    assert.equal(status, 400, `${asked}: ${got}`)
    assert.ok(got.includes(parameter.name), got)
  }
}

for (const route of describedRoutes) {
  for (const method of methods) {
    const operation = route.operations[method]
    for (const one of operation?.parameters ?? []) {
      if (one.in !== "query" || valuesOf(one).taken.length === 0) continue
      test(`${method} ${route.path} takes what ${one.name} declares, and nothing else`, () =>
        takesItsValues({ route, method, operation: operation! }, one))
    }
  }
}

interface Api {
  readonly openapi: string
  readonly paths: Record<string, Record<string, { operationId: string }>>
  readonly components: { readonly schemas: Record<string, unknown> }
}

test("the response of every operation was received and validated (D2)", () => {
  const declared = describedRoutes.flatMap(({ path, operations }) =>
    methods.filter((one) => operations[one]).map((one) => `${one} ${openPath(path)}`),
  )
  const { successes } = responseValidator()
  assert.deepEqual(
    declared.filter((one) => !successes.has(one)),
    [],
  )
})

test("the description has every route once, and all its references resolve", async () => {
  const reply = await server!.client.send("/openapi.json")
  assert.equal(reply.status, 200)
  assert.match(reply.headers["content-type"]!, /^application\/json/)
  const api = reply.json<Api>()
  assert.match(api.openapi, /^3\.1\./)
  const told = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = describedRoutes.flatMap(({ path, operations }) =>
    Object.keys(operations).map((method) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`),
  )
  assert.deepEqual(told.sort(), served.sort())
  const ids = Object.values(api.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  assert.equal(new Set(ids).size, ids.length)
  const refs = reply.text.match(/"\$ref":"[^"]*"/g) ?? []
  const known = Object.keys(api.components.schemas)
  for (const ref of new Set(refs)) {
    assert.ok(
      known.some((name) => ref === `"$ref":"#/components/schemas/${name}"`),
      ref,
    )
  }
})

/** The page, served under a policy that runs nothing but files of the server. */
async function docsPage(path: string): Promise<string> {
  const page = await server!.client.send(path)
  assert.equal(page.status, 200, path)
  assert.match(page.headers["content-type"]!, /^text\/html/)
  const policy = String(page.headers["content-security-policy"])
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  assert.equal(page.headers["x-content-type-options"], "nosniff")
  assert.doesNotMatch(page.text, / on\w+="|style="|<script>/, path)
  return page.text
}

const addressesOn = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)

const isHandbook = (path: string) => /^\/docs(\/[\w-]+)?$/.test(path) && path !== "/docs/reference"

test("the API reference is served whole from here", async () => {
  const html = await docsPage("/docs/reference/")
  assert.doesNotMatch(html, /https?:\/\//)
  const parts = addressesOn(html)
  for (const part of parts) assert.equal((await server!.client.send(part)).status, 200, part)
  assert.ok(parts.includes("/docs/page.js") && parts.includes("/docs/page.css"))
})

test("the handbook is served whole, and every link on it has its target", async () => {
  const pages = new Map<string, string>()
  const waiting = ["/docs"]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path)) continue
    const isPage = isHandbook(path)
    const html = isPage ? await docsPage(path) : (await server!.client.send(path)).text
    pages.set(path, html)
    if (isPage) waiting.push(...addressesOn(html).map((to) => new URL(to, `a:${path}`).pathname))
  }
  for (const [path, html] of pages) {
    if (!isHandbook(path)) continue
    for (const to of addressesOn(html)) {
      const { pathname, hash } = new URL(to, `a:${path}`)
      const target = pages.get(pathname)
      assert.ok(target !== undefined && !target.startsWith('{"status":404'), `${path} → ${to}`)
      if (hash !== "") assert.ok(target.includes(`id="${hash.slice(1)}"`), `${path} → ${to}`)
    }
  }
  const names = readdirSync(join(rootFolder, "src/docs")).map((name) => name.slice(0, -3))
  const others = names.filter((name) => name !== "README")
  assert.deepEqual(
    others.filter((name) => !pages.has(`/docs/${name}`)),
    [],
  )
  const reply = await server!.client.send("/docs/nowhere")
  assert.equal(reply.status, 404)
})
