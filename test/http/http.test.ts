import assert from "node:assert/strict"
import { test } from "node:test"
import { openAccounts } from "../../src/accounts/accounts.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { IngestQueue } from "../../src/engine/ingest-queue.ts"
import { createHttp, IngestActivity, Metrics } from "../../src/http/http.ts"
import { Admission } from "../../src/query/query.ts"
import type { Packages } from "../../src/packages/packages.ts"
import type { Records } from "../../src/records/records.ts"
import { DocumentsInMemory } from "../accounts/documents-in-memory.ts"
import { accept, nowMs, send, Wire } from "./ingest-fixture.ts"
import { TestSignIn } from "../accounts/test-sign-in.ts"
import { AnswerMemory, createAnswerMemory } from "../../src/base/answer-memory.ts"
import { answerOfParts } from "../support/server/answer-text.ts"
import { serverStatus } from "../support/server/server-status.ts"

/** Of the server's clock, which is not the machine's. */
const serverDate = "Tue, 14 Nov 2023 22:13:20 GMT"

test("createHttp() serves ingest, queries and figures after a first start", async (t) => {
  const clock = new TestClock(nowMs)
  const random = seededRandom(1)
  const cost = { N: 16, r: 1, p: 1 }
  const documents = new DocumentsInMemory()
  const signIn = new TestSignIn()
  const opened = await openAccounts({ documents, random, clock, presets: {}, cost, signIn })
  const { adminEmail, adminPassword, apiKey } = opened.firstStart!
  const logged: string[] = []
  const line = (fields: object) => void logged.push(JSON.stringify(fields))
  const log = { error: line, info: line }
  const metrics: Metrics = new Metrics({
    figures: () => Promise.reject(new Error("no shard here")),
    queueBytes: () => intake.queueBytes,
    answerBytes: () => 0,
    memoryPlan: { limitBytes: 512, parts: {} },
    memory: () => ({ usedBytes: 1, isShort: false, shortCount: 0, collections: 0 }),
    events: () => ({ stored: 0, discarded: 0 }),
    deliveries: () => ({ delivered: 0, failed: 0, dropped: 0, disabled: 0, failingQueues: 0 }),
    security: () => new Map(),
    state: () => ({ closedUpToMs: 0, missedCycles: 0, isReady: true, certificateValidToMs: null }),
    waitingNotifications: async () => 0,
    elapsedMs: () => 0,
    backups: () => null,
    queries: () => new Admission({ ...times, threads: 1, timeoutMs: 1 }).figures,
    version: "1.2.3",
  })
  const times = { elapsedMs: () => 0, delay: () => () => {} }
  const onBatch = metrics.onBatch.bind(metrics)
  const intake = new IngestQueue({ run: accept, schedule: setImmediate, clock, onBatch })
  const ask = async () => answerOfParts([Buffer.from("{}")])
  const memory = new AnswerMemory(createAnswerMemory(1024 ** 2))
  const { accounts } = opened
  const amend = async () => {}
  const health = () => []
  const records = {} as Records
  const notificationSender = { test: async () => ({ success: true, content: "" }) }
  const packages = {} as Packages
  const kinds: string[] = []
  const audit = {
    record: ({ kind }: { readonly kind: string }) => void kinds.push(kind),
    page: () => Promise.reject(new Error("no store here")),
  }
  const access = {
    live: {
      bodyBytesMax: 1024,
      metricsAccess: "local",
      hstsMs: null,
      accessLog: "off",
      baseUrl: null,
      trustedProxies: [],
    },
    isSecure: false,
    documents: { onChange: () => {} },
    legacyNames: "both",
  } as const
  const data = { accounts, audit, memory, records, packages, ...access }
  const deps = {
    ...data,
    ingestQueue: intake,
    runQuery: ask,
    amend,
    amendAll: async () => [],
    notificationSender,
    deliveries: { of: async () => [] },
    health,
    backups: () => null,
    status: serverStatus,
    streams: { admit: () => {}, open: () => {} },
    activity: new IngestActivity(),
    elapsedMs: () => 0,
    metrics,
    version: "1.2.3",
  }
  const http = createHttp({ ...deps, clock, random, log })
  const { port } = await http.listen({ port: 0, host: "127.0.0.1" })
  t.after(() => http.close(0))

  assert.equal((await send(port, { path: `/ingest/${apiKey}`, body: "[]" })).status, 202)
  assert.equal((await send(port, { path: "/ingest/other", body: "[]" })).status, 403)
  assert.deepEqual(kinds, ["keyRefused"])
  const basic = Buffer.from(`${adminEmail}:${adminPassword}`).toString("base64")
  const query = { method: "GET", path: "/metrics/fqns" }
  assert.equal((await send(port, query)).status, 401)
  const headers = { authorization: `Basic ${basic}` }
  assert.equal((await send(port, { ...query, headers })).text, "{}")
  const page = await send(port, { method: "GET", path: "/metrics/internal" })
  assert.match(page.text, /tidegauge_http_requests_total\{route="ingest",status="202"\} 1\n/)
  assert.match(page.text, /tidegauge_ingest_samples_total 1\n/)
  assert.doesNotMatch(page.text + logged.join(), new RegExp(`${apiKey}|${adminPassword}`))
  for (const how of [query, { ...query, headers }, {}, { path: "/ingest/x" }, { path: "/docs" }]) {
    assert.equal((await send(port, how)).headers.date, serverDate, JSON.stringify(how))
  }
  // A request that the fast path leaves to node:http, and one that neither can read.
  const chunks =
    "Host: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n"
  for (const text of [`POST /ingest/${apiKey} HTTP/1.1\r\n${chunks}`, "no request\r\n\r\n"]) {
    const wire = new Wire(port)
    wire.write(text)
    await wire.closed
    assert.match(wire.received, new RegExp(`^HTTP/1.1 (202|400) .*Date: ${serverDate}\r\n`, "s"))
  }
})
