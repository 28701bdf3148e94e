import assert from "node:assert/strict"
import { test } from "node:test"
import { TestClock } from "../support/time/test-clock.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { invalid, ServiceError } from "../../src/base/errors.ts"
import { createBulkLimit } from "../../src/http/api/bulk-edits.ts"
import { RecordNames } from "../../src/records/core/record-names.ts"
import { createApp } from "../../src/http/app.ts"
import type { AppDeps } from "../../src/http/app.ts"
import { createListener } from "../../src/http/listener.ts"
import { defaultHttpLimits } from "../../src/http/shared/limits.ts"
import type { QueryRequest } from "../../src/query/query.ts"
import { nowMs, send, startFixture, Wire } from "./ingest-fixture.ts"
import { AnswerMemory, createAnswerMemory } from "../../src/base/answer-memory.ts"
import { answerOfParts } from "../support/server/answer-text.ts"
import { IngestActivity } from "../../src/http/live/ingest-activity.ts"
import { serverStatus } from "../support/server/server-status.ts"
import { eventually } from "../support/time/eventually.ts"

const basic = `Basic ${Buffer.from("ada@example.org:right").toString("base64")}`

function fixture(change: Partial<AppDeps> = {}) {
  const asked: QueryRequest[] = []
  const counted: string[] = []
  const named: unknown[] = []
  const options: AppDeps = {
    accounts: {
      async authenticate(header: string | undefined) {
        if (header !== basic) throw new ServiceError("unauthenticated", "wrong")
        return { tenant: 4, user: "ada@example.org", role: "Read Only" }
      },
      grantOf: () => undefined,
    } as unknown as AppDeps["accounts"],
    runQuery: async (request) => {
      asked.push(request)
      return answerOfParts([Buffer.from(`{"asked":"${request.kind}"}`)])
    },
    amend: async () => {},
    amendAll: async () => [],
    bulkLimit: createBulkLimit(),
    recordNames: new RecordNames(),
    audit: { record: () => {}, page: () => Promise.reject(new Error("no store here")) },
    records: {} as AppDeps["records"],
    notificationSender: {} as AppDeps["notificationSender"],
    deliveries: { of: async () => [] },
    packages: {} as AppDeps["packages"],
    health: () => [],
    backups: () => null,
    status: serverStatus,
    streams: { admit: () => {}, open: () => {} },
    activity: new IngestActivity(),
    elapsedMs: () => 0,
    version: "1.2.3",
    cookieAddress: { accountId: "0f6c1a5e", baseUrl: null, isSecure: false },
    metrics: {
      contentType: "text/plain; version=0.0.4",
      text: async () => "figures 1\n",
      startRequest: () => 0,
      countRequest: (route, status) => counted.push(`${route} ${status}`),
    },
    clock: new TestClock(nowMs),
    random: seededRandom(1),
    requestIds: {
      of: ({ "x-request-id": given }) => String(given ?? "id-0"),
      idOf: (error) => `id-${named.push(error)}`,
    },
    access: { shows: () => false, write: () => {} },
    limits: defaultHttpLimits,
    memory: new AnswerMemory(createAnswerMemory(1024 ** 2)),
    live: { metricsAccess: "local", baseUrl: null },
    clientOf: ({ socket }) => socket.remoteAddress,
    isSecure: false,
    legacyNames: "both",
    ...change,
  }
  const app = createApp(options)
  const fetch = (path: string, init: RequestInit = {}) =>
    app.request(path, { ...init, headers: { authorization: basic, ...init.headers } })
  return { app, fetch, asked, counted, named, options }
}

async function assertError(response: Response, status: number): Promise<{ errors: string[] }> {
  assert.equal(response.status, status)
  assert.equal(response.headers.get("content-type"), "application/json")
  const body = (await response.json()) as { errors: string[]; status: number }
  assert.equal(body.status, status)
  assert.ok(body.errors.length > 0)
  assert.deepEqual(Object.keys(body), [
    "status",
    "message",
    "detail",
    "errors",
    "serverTimestamp",
    "iso8601DateTime",
    "requestId",
  ])
  return body
}

test("a query receives all parameters, path segments, tenant and time", async () => {
  const { fetch, asked } = fixture()
  const f = async (path: string, want: Partial<QueryRequest>, init: RequestInit = {}) => {
    const response = await fetch(path, init)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get("content-type"), "application/json")
    assert.deepEqual(asked.at(-1), { tenant: 4, params: {}, body: null, nowMs, ...want })
  }
  const post = (body: unknown) => ({ method: "POST", body: JSON.stringify(body) })
  await f("/metrics/statistics?fqn=a&rollup=PT5M&rollup=PT1H&fqn=%20b", {
    kind: "statistics",
    params: { fqn: ["a", " b"], rollup: ["PT5M", "PT1H"] },
  })
  await f("/metrics/statistics/", { kind: "statistics", body: ["x"] }, post(["x"]))
  await f(
    "/metrics/search/metricQuery",
    { kind: "metricQuery", body: { page: 1 } },
    post({ page: 1 }),
  )
  await f("/metrics/elasticsearch/metricQuery/", { kind: "metricQuery" }, { method: "POST" })
  await f("/metrics/fqns?elementId=", { kind: "fqns", params: { elementId: [""] } })
  await f("/elements/a%2Fb", { kind: "element", params: { elementId: ["a/b"] } })
  await f("/elements/e/metrics/m/samples?rollup=ZERO", {
    kind: "samples",
    params: { elementId: ["e"], rollup: ["ZERO"], metricId: ["m"] },
  })
  await f("/ui/elements/e/metrics/m/samples/", {
    kind: "samples",
    params: { elementId: ["e"], metricId: ["m"], ui: ["true"] },
  })
})

test("a parameter that is not known is refused, also one named __proto__ (B6)", async () => {
  const { fetch, asked } = fixture()
  const f = async (path: string, want: RegExp) => {
    const { errors } = await assertError(await fetch(path), 400)
    assert.match(errors.join("\n"), want)
  }
  await f("/metrics/fqns?__proto__=x&constructor=y", /"__proto__" is no [^]*"constructor" is no/)
  await f("/elements?elementType=SERVER", /"elementType" is no parameter.*did you mean "type"\?/)
  await f("/events?durations=PT1H", /"durations" is no parameter.*did you mean "duration"\?/)
  await f("/elements/e/metrics/m/samples?elementId=other", /"elementId" is no parameter/)
  await f("/dashboards?page=1", /"page" is no parameter here; there is none$/)
  assert.deepEqual(asked, [])
  assert.equal((await fetch("/time?probe=1")).status, 200)
})

test("a query without credentials is not put, and the answer names the scheme", async () => {
  const { app, asked, counted } = fixture()
  const response = await app.request("/metrics/statistics")
  await assertError(response, 401)
  assert.match(response.headers.get("www-authenticate")!, /^Basic realm="tidegauge"/)
  assert.equal(asked.length, 0)
  assert.equal(counted[0], "/metrics/statistics 401")
})

test("an unknown path is a 404 that repeats no key, a wrong method a 405", async () => {
  const { fetch, counted } = fixture()
  const unknown = await assertError(await fetch("/injest/events/feedface-feedface"), 404)
  assert.doesNotMatch(JSON.stringify(unknown), /feedface/)
  assert.equal((await fetch("/")).status, 302)
  await assertError(await fetch("/", { headers: { accept: "application/json" } }), 404)
  assert.deepEqual(counted, ["unknown 404", "/ 302", "unknown 404"])
  const wrong = await fetch("/metrics/statistics", { method: "DELETE" })
  await assertError(wrong, 405)
  assert.equal(wrong.headers.get("allow"), "GET, HEAD, POST")
})

test("what runQuery() throws becomes the one shape; a failure inside stays inside", async () => {
  const failing = (error: unknown) => fixture({ runQuery: () => Promise.reject(error) })
  const f = async (error: unknown, status: number) =>
    assertError(await failing(error).fetch("/metrics/fqns"), status)
  assert.deepEqual((await f(invalid("fqn is missing"), 400)).errors, ["fqn is missing"])
  await f(new ServiceError("missing", "no such element"), 404)
  await f(new ServiceError("overloaded", "too many"), 503)
  const { fetch, named } = failing(new Error("secret"))
  const body = await assertError(await fetch("/metrics/fqns"), 500)
  assert.doesNotMatch(JSON.stringify(body), /secret/)
  assert.equal((named[0] as Error).message, "secret")
})

test("the JSON body of a query is bounded in size and depth", async () => {
  const limits = { ...defaultHttpLimits, queryBodyBytesMax: 100, queryBodyDepthMax: 3 }
  const { fetch, asked } = fixture({ limits })
  const f = async (
    body: string | Uint8Array,
    want: number,
    headers: Record<string, string> = {},
  ) => {
    const init = {
      method: "POST",
      body: body as string,
      headers: headers as Record<string, string>,
    }
    const response = await fetch("/metrics/statistics", init)
    if (want === 200) assert.equal(response.status, 200)
    else await assertError(response, want)
  }
  await f("", 200)
  await f(" null ", 200)
  assert.equal(asked.at(-1)?.body, null)
  await f('[["]]]]\\"[[[["],[["é"]]]', 200)
  assert.deepEqual(asked.at(-1)?.body, [[']]]]"[[[['], [["é"]]])
  await f("[[[[]]]]", 400)
  await f('{"a":{"b":{"c":{}}}}', 400)
  await f("[1", 400)
  await f("x".repeat(101), 413)
  await f("[]", 413, { "content-length": "101" })
  await f("[]", 400, { "content-encoding": "gzip" })
  assert.equal(asked.length, 3)
})

test("health needs no credentials; readiness gives the reasons against it", async () => {
  const { app } = fixture()
  assert.deepEqual(await (await app.request("/health/live")).json(), { status: "live" })
  assert.deepEqual(await (await app.request("/health/ready/")).json(), {
    status: "ready",
    version: "1.2.3",
  })
  const busy = fixture({ health: () => ["replaying the inbox"] }).app
  const body = await assertError(await busy.request("/health/ready"), 503)
  assert.deepEqual(body.errors, ["replaying the inbox"])
  assert.equal((await busy.request("/health/live")).status, 200)
})

test("/time returns the server's clock without credentials", async () => {
  const { app } = fixture()
  const iso8601 = "2023-11-14T22:13:20.123Z"
  const want = { epochMillis: nowMs, iso8601, version: "1.2.3", speed: 1 }
  assert.deepEqual(await (await app.request("/time")).json(), want)
})

test("HEAD answers as GET does, without a body", async () => {
  const { fetch } = fixture()
  const response = await fetch("/metrics/fqns", { method: "HEAD" })
  assert.equal(response.status, 200)
  assert.equal(await response.text(), "")
})

test("/metrics/internal is open to this machine only, and not through a proxy", async (t) => {
  const { app, options, fetch } = fixture()
  const { port } = await startFixture(t, { listener: createListener(app, options) })
  const local = { method: "GET", path: "/metrics/internal" }
  const reply = await send(port, local)
  assert.equal(reply.status, 200)
  assert.equal(reply.text, "figures 1\n")
  assert.equal(reply.headers["content-type"], "text/plain; version=0.0.4")
  for (const header of ["Forwarded", "X-Forwarded-For", "Via", "X-Real-Ip"]) {
    assert.equal((await send(port, { ...local, headers: { [header]: "x" } })).status, 401)
  }
  assert.equal((await fetch("/metrics/internal")).status, 200)
})

test("/metrics/internal asks for what --metrics-access says (A12)", async (t) => {
  const f = async (
    metricsAccess: AppDeps["live"]["metricsAccess"],
    headers: Record<string, string>,
    want: number,
  ) => {
    const { app, options } = fixture({ live: { metricsAccess, baseUrl: null } })
    const { port } = await startFixture(t, { listener: createListener(app, options) })
    const reply = await send(port, { method: "GET", path: "/metrics/internal", headers })
    assert.equal(reply.status, want, `${metricsAccess} ${JSON.stringify(headers)}`)
  }
  const [proxied, user] = [{ Via: "x" }, { Via: "x", authorization: basic }]
  for (const [access, local, behind] of [
    ["local", 200, 401],
    ["user", 401, 401],
    ["all", 200, 200],
  ] as const) {
    await f(access, {}, local)
    await f(access, proxied, behind)
    await f(access, user, 200)
  }
})

test("through a socket: bodies, errors and unreadable URLs keep their shape", async (t) => {
  const { app, options, asked } = fixture()
  const { port, logged } = await startFixture(t, { listener: createListener(app, options) })
  const headers = { authorization: basic }
  const path = "/metrics/statistics?fqn=a"
  const posted = await send(port, { path, headers, body: '["e"]' })
  assert.equal(posted.text, '{"asked":"statistics"}')
  assert.deepEqual(asked[0]?.body, ["e"])
  assert.equal((await send(port, { path, headers, body: Buffer.alloc(2_000_000) })).status, 413)
  assert.equal((await send(port, { path: "/nowhere" })).status, 404)

  const wire = new Wire(port)
  wire.write("GET /time HTTP/1.1\r\nHost: a\r\n\r\n")
  await wire.until((received) => received.includes("}"))
  wire.write("GET /time HTTP/1.1\r\nHost: a b\r\n\r\n")
  await wire.until(() => wire.statuses.length === 2)
  assert.deepEqual(wire.statuses, [200, 400])
  await wire.until((received) => received.includes('"message":"BAD_REQUEST"'))
  wire.socket.destroy()
  assert.deepEqual(logged, [])
})

test("through a socket: a path that reads as another one as a URL is about nothing", async (t) => {
  const { app, options, counted } = fixture()
  const { port } = await startFixture(t, { listener: createListener(app, options) })
  const statusOf = async (path: string) => (await send(port, { method: "DELETE", path })).status
  for (const dots of ["..", "%2E%2E", "%2e.", ".%2E", ".", "%2e"]) {
    for (const end of ["", "/", "/x", "?a=/b"]) {
      assert.equal(await statusOf(`/elements/web-9/tags/${dots}${end}`), 404, `${dots}${end}`)
    }
  }
  assert.equal(await statusOf("/elements/web-9#/tags/x"), 400)
  assert.deepEqual(counted, [], "no route was reached")
  for (const name of ["...", "..x", "%2E%2Ex", "x%2f..", "%252E%252E"]) {
    assert.equal(await statusOf(`/elements/web-9/tags/${name}`), 401, name)
  }
  assert.equal((await send(port, { method: "GET", path: "/time?at=/../x" })).status, 200)
})

test("an answer in many parts stays below the listeners that Node warns about", async (t) => {
  const parts = Array.from({ length: 40 }, () => Buffer.alloc(50_000, 0x31))
  const { app, options } = fixture({ runQuery: async () => answerOfParts(parts) })
  const { port } = await startFixture(t, { listener: createListener(app, options) })
  const warnings: Error[] = []
  const note = (warning: Error): void => void warnings.push(warning)
  process.on("warning", note)
  t.after(() => process.off("warning", note))
  const headers = { authorization: basic }
  const { text } = await send(port, { method: "GET", path: "/metrics/statistics?fqn=a", headers })
  assert.equal(text.length, 2_000_000)
  await new Promise(setImmediate)
  assert.deepEqual(warnings, [])
})

test("through a socket: chunked query bodies are read, cut ones are not logged", async (t) => {
  const { app, options, asked, named } = fixture()
  const { port } = await startFixture(t, { listener: createListener(app, options) })
  const head = `POST /metrics/statistics HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic}\r\n`
  const chunked = new Wire(port)
  chunked.write(`${head}Transfer-Encoding: chunked\r\n\r\n2\r\n["\r\n3\r\ne"]\r\n0\r\n\r\n`)
  await chunked.until(() => chunked.statuses.length === 1)
  assert.deepEqual(asked[0]?.body, ["e"])
  chunked.socket.destroy()

  const cut = new Wire(port)
  cut.write(`${head}Content-Length: 100\r\n\r\n[`)
  await cut.delivered()
  cut.socket.destroy()
  await eventually(() => cut.peer!.closed)
  assert.deepEqual(named, [])
  assert.equal(asked.length, 1)
})
