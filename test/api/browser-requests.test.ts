/** Requests of browsers: cross-site pages change nothing; responses are not cached or sniffed. */

import assert from "node:assert/strict"
import { connect } from "node:net"
import { test } from "node:test"
import { describedRoutes } from "../../src/http/api/routes/route-table.ts"
import { methods, type DescribedRoute } from "../../src/http/shared/route.ts"
import { errorOf } from "../support/server/responses.ts"
import { apiKey, useServer } from "../support/server/server.ts"
import type { Reply } from "../support/server/client.ts"

const baseUrl = "https://tide.example"
const client = useServer({ flags: ["--base-url", `${baseUrl}/under`] })

const operations = describedRoutes.flatMap((route) =>
  methods.flatMap((method) => {
    const operation = route.operations[method]
    return operation === undefined ? [] : [{ route, method, access: operation.access }]
  }),
)

const anyPath = ({ path }: DescribedRoute) => path.replace(":apiId", apiKey).replace(/:\w+/g, "1")

function asUser(path: string, method: string, more: Record<string, string> = {}): Promise<Reply> {
  const headers = { authorization: client().authorization, ...more }
  return client().send(path, { method, headers })
}

const foreign = [
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: `${baseUrl}.evil.example`, "sec-fetch-site": "same-origin" },
]

test("a cross-site page may not change anything, whatever its visitor's role (A1)", async () => {
  const before = await client().get("/users")
  for (const { route, method, access } of operations) {
    if (method === "GET" || access === "key") continue
    for (const headers of foreign) {
      const where: string = `${method} ${route.path} ${JSON.stringify(headers)}`
      const reply = await asUser(anyPath(route), method, headers)
      assert.equal(reply.status, 403, where)
      assert.match(errorOf(reply).errors[0]!, /^(Sec-Fetch-Site|Origin): expected /, where)
      // Before authentication: nothing is to be learned about passwords.
      const [path, wrong] = [anyPath(route), { authorization: "Basic eDp5", ...headers }]
      assert.equal((await client().send(path, { method, headers: wrong })).status, 403, where)
    }
  }
  assert.deepEqual((await client().get("/users")).json(), before.json())
})

test("same-origin pages and clients other than browsers are accepted", async () => {
  const own = new URL(client().url).origin
  const kinds = [{}, { "sec-fetch-site": "none" }, { origin: own, "sec-fetch-site": "same-origin" }]
  for (const headers of [...kinds, { origin: baseUrl }]) {
    for (const { route, method } of operations) {
      const reply = await asUser(anyPath(route), method, headers)
      assert.doesNotMatch(reply.text, /Pages of other sites/, `${method} ${route.path}`)
    }
  }
})

test("reads, ingest, checks and webhooks ignore the headers of browsers", async () => {
  for (const { route, method, access } of operations) {
    if (method !== "GET" && access !== "key") continue
    for (const headers of foreign) {
      const reply = await asUser(anyPath(route), method, headers)
      assert.notEqual(reply.status, 403, `${method} ${route.path}: ${reply.text}`)
    }
  }
})

function assertUnkept({ headers }: Reply, where: string): void {
  assert.equal(headers["x-content-type-options"], "nosniff", where)
  assert.equal(headers["cache-control"], "no-store", where)
}

test("every answer says nosniff and no-store, errors and redirects too (A13)", async () => {
  for (const { route, method } of operations) {
    const where = `${method} ${route.path}`
    assertUnkept(await asUser(anyPath(route), method), where)
    assertUnkept(await client().send(anyPath(route), { method: "PATCH" }), where)
    assertUnkept(await client().send(anyPath(route), { method: "HEAD" }), where)
  }
  for (const path of ["/", "/nowhere", "/ingest/unknown-key", "/docs/page.js"]) {
    assertUnkept(await client().send(path), path)
    assertUnkept(await client().send(path, { method: "POST" }), path)
  }
  assertUnkept(await client().ingest([]), "lane")
  assertUnkept(await client().ingest("no JSON"), "lane, refused")
  assertUnkept(await client().ingest([], { expect: "x" }), "node:http")
  const detail = { "x-service-api-options": "SEND_RESPONSE_BODY", expect: "x" }
  assertUnkept(await client().ingest([{ id: "a" }], detail), "node:http, with a body")
})

test("responses to malformed requests have them too (A13)", async () => {
  const { hostname, port } = new URL(client().url)
  const socket = connect(Number(port), hostname)
  socket.end("NONSENSE\r\n\r\n")
  let text = ""
  for await (const bytes of socket) text += String(bytes)
  assert.match(text, /^HTTP\/1\.1 400 /)
  assert.match(text, /\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\r\n\{/)
})

test("/ redirects a browser to the pages, but not a client of JSON (D1)", async () => {
  const f = async (accept: string | null, status: number) => {
    const headers = accept === null ? {} : { accept }
    const reply = await client().send("/", { headers })
    assert.equal(reply.status, status, String(accept))
    if (status === 302) assert.equal(reply.headers.location, "app/")
    else assert.match(errorOf(reply).errors[0]!, /got "\/"; GET \/docs\/reference /)
  }

  await f(null, 302)
  await f("*/*", 302)
  await f("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 302)
  await f("text/html, application/json", 302)
  await f("application/json", 404)
  await f("application/vnd.api+json, */*", 404)
})

test("an unknown path is repeated, except for segments like API keys (D1)", async () => {
  const reply = await client().send(`/injest/events/${apiKey}/x?k=${apiKey}`, { method: "POST" })
  assert.equal(reply.status, 404)
  const [problem] = errorOf(reply).errors
  assert.equal(
    problem,
    'Expected a known path, got "/injest/events/******/x"; GET /docs/reference lists all',
  )
})

test("metrics are open to a local host name only, and not through a proxy (A12)", async () => {
  const f = async (headers: Record<string, string>, status: number) => {
    const reply = await client().send("/metrics/internal", { headers })
    assert.equal(reply.status, status, JSON.stringify(headers))
  }

  await f({}, 200)
  await f({ host: "localhost" }, 200)
  await f({ host: "rebound.example" }, 401)
  await f({ host: "rebound.example:8080", authorization: client().authorization }, 200)
  await f({ "x-forwarded-for": "203.0.113.7" }, 401)
})
