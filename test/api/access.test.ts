/** Access: credentials and refusals (spec/accounts §2); health and the server's own metrics. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import { adminEmail, adminPassword, apiKey, useServer } from "../support/server/server.ts"

const client = useServer()

test("a query without or with wrong credentials is a 401 that asks for Basic", async () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`
  const credentials = [
    undefined,
    basic(`${adminEmail}:wrong password`),
    basic(`nobody@example.com:${adminPassword}`),
    basic(adminEmail),
    "Basic !!!",
    `Bearer ${apiKey}`,
  ]
  for (const authorization of credentials) {
    const headers = authorization === undefined ? {} : { authorization }
    const reply = await client().send("/metrics/fqns", { headers })
    assert.equal(reply.status, 401, authorization)
    assert.match(reply.headers["www-authenticate"]!, /^Basic realm=/)
    assert.equal(errorOf(reply).message, "UNAUTHORIZED")
  }
})

test("health and time ask for no credentials", async () => {
  const live = await client().send("/health/live")
  assert.deepEqual([live.status, live.json()], [200, { status: "live" }])
  const ready = await client().send("/health/ready")
  assert.equal(ready.status, 200)
  assert.equal(ready.json<{ status: string }>().status, "ready")
  const time = await client().send("/time", { method: "HEAD" })
  assert.equal(time.status, 200)
  assert.ok(Math.abs(Date.parse(time.headers.date!) - Date.now()) < 60_000)
})

test("a trailing slash changes no answer", async () => {
  for (const path of ["/metrics/fqns", "/health/live", "/elements/x"]) {
    const [bare, slashed] = [await client().get(path), await client().get(`${path}/`)]
    assert.equal(slashed.status, bare.status, path)
  }
})

test("the body of a query over its limit is a 413, and broken JSON a 400", async () => {
  const large = await client().post("/metrics/search/metricQuery", " ".repeat(2 * 1024 * 1024))
  assert.equal(large.status, 413)
  errorOf(large)
  const broken = await client().post("/metrics/statistics", "[", { fqn: "m" })
  assert.equal(errorOf(broken).detail, "Error Parsing JSON Request")
})

test("the server's own figures count requests, samples, series and elements", async () => {
  const timestamp = Date.now()
  const list = [1, 2, 3].map((val) => ({ metricId: `figure.${val}`, timestamp, val }))
  assert.equal((await client().ingest([{ id: "figures", samples: list }])).status, 202)
  assert.equal((await client().ingest("no JSON")).status, 400)
  const reply = await client().send("/metrics/internal")
  assert.equal(reply.status, 200)
  assert.match(reply.headers["content-type"]!, /^text\/plain/)
  const f = (want: RegExp) => assert.match(reply.text, want)

  f(/^tidegauge_http_requests_total\{route="ingest",status="202"\} 1$/m)
  f(/^tidegauge_http_requests_total\{route="ingest",status="400"\} 1$/m)
  f(/^tidegauge_http_requests_total\{route="\/metrics\/fqns",status="401"\} \d+$/m)
  f(/^tidegauge_ingest_samples_total 3$/m)
  f(/^tidegauge_series 3$/m)
  f(/^tidegauge_elements 1$/m)
  f(/^tidegauge_queue_bytes 0$/m)
  f(/^tidegauge_batch_requests_count \d+$/m)
  f(/^tidegauge_commit_seconds_count \d+$/m)
  f(/^tidegauge_store_bytes [1-9]\d*$/m)
  f(/^process_resident_memory_bytes \d+$/m)
  for (const secret of [apiKey, adminPassword, adminEmail]) assert.ok(!reply.text.includes(secret))
})
