import assert from "node:assert/strict"
import { test } from "node:test"
import {
  auditEntriesMax,
  auditFlushMs,
  auditDistinctPerMinuteMax,
  auditRetentionMs,
  signInAuditIntervalMs,
  signInAuditIdleMs,
} from "../../src/base/limits/accounts.ts"
import type { AuditEvent } from "../../src/model/records/audit.ts"
import { Audit } from "../../src/records/core/audit.ts"
import { recordsDeps } from "./test-deps.ts"

const failed: AuditEvent = {
  tenant: 0,
  kind: "loginFailed",
  user: null,
  address: "192.0.2.1",
  detail: "wrong e-mail or password",
}
const changed: AuditEvent = {
  ...failed,
  kind: "change",
  user: "ada@a",
  detail: "PUT /users/3: roles",
}
const signedIn: AuditEvent = { ...failed, kind: "loginSucceeded", user: "ada@a", detail: "Basic" }

function fixture() {
  const deps = recordsDeps()
  const lines: string[] = []
  const write = (fields: object) => void lines.push(JSON.stringify(fields))
  let timer: { callback: () => void; ms: number } | null = null
  const audit = new Audit({
    ...deps,
    log: { info: write, warn: write },
    delay: (callback, ms) => {
      timer = { callback, ms }
      return () => (timer = null)
    },
  })
  const all = async (tenant = 0) => {
    const endMs = deps.clock.nowMs() + 1
    const question = { startMs: 0, endMs, kinds: null, limit: 1_000, after: null }
    return (await audit.page(tenant, question)).entries
  }
  return { ...deps, audit, lines, all, timer: () => timer }
}

test("a flood of refusals is one line, one entry with its count, one commit a minute", async () => {
  const { audit, lines, all, timer, documents, clock } = fixture()
  for (let i = 0; i < 5_000; i++) audit.record(failed)
  clock.advance(10)
  audit.record(failed)
  assert.equal(timer()?.ms, auditFlushMs)
  assert.equal(lines.length, 1)
  assert.equal(documents.byKind.size, 0)

  const [entry, ...rest] = await all()
  assert.deepEqual(rest, [])
  assert.equal(entry!.count, 5_001)
  assert.equal(entry!.lastMs - entry!.timeMs, 10)
  assert.equal(lines.length, 2)
  assert.match(lines[1]!, /"count":5001/)
  assert.equal(audit.figures.get("loginFailed"), 5_001)
})

test("a flood from many addresses is bounded, and evicts no change", async () => {
  const { audit, all } = fixture()
  for (let i = 0; i < 5_000; i++) audit.record({ ...failed, address: `2001:db8:0:${i}::/64` })
  audit.record(changed)
  const entries = await all()
  assert.equal(entries.length, auditDistinctPerMinuteMax + 2)
  assert.equal(entries.filter(({ kind }) => kind === "change").length, 1)
  assert.equal(
    entries.reduce((sum, { count }) => sum + count, 0),
    5_001,
  )
})

test("changes are stored within a second, refusals wait for a minute", () => {
  const { audit, timer } = fixture()
  audit.record(failed)
  assert.equal(timer()?.ms, auditFlushMs)
  audit.record(changed)
  assert.equal(timer()?.ms, 1_000)
})

test("a user who signs in continually gets an entry after an hour's pause, or a day", async () => {
  const { audit, all, clock } = fixture()
  const f = async (afterMs: number, want: number) => {
    clock.advance(afterMs)
    audit.record(signedIn)
    assert.equal((await all()).length, want)
  }
  await f(0, 1)
  await f(1, 1)
  await f(signInAuditIdleMs - 1, 1)
  await f(signInAuditIdleMs, 2)
  for (let ms = 0; ms < signInAuditIntervalMs - 60_000; ms += 60_000) await f(60_000, 2)
  await f(60_000, 3)
  assert.equal((await all(1)).length, 0)
})

test("pages continue at the end of the previous one, filtered by kind and time", async () => {
  const { audit, clock } = fixture()
  const startMs = clock.nowMs()
  for (let i = 0; i < 25; i++) {
    audit.record(
      i % 5 === 0 ? { ...changed, detail: `change ${i}` } : { ...failed, address: `${i}` },
    )
    audit.record({ ...failed, tenant: 1 })
    clock.advance(1_000)
    await audit.flush()
  }
  const endMs = clock.nowMs()
  const question = { startMs, endMs, kinds: null, limit: 10, after: null }
  const times: number[] = []
  let after: string | null = null
  do {
    const page = await audit.page(0, { ...question, after })
    for (const { timeMs } of page.entries) times.push(timeMs)
    after = page.next
  } while (after !== null)
  assert.deepEqual(
    times,
    Array.from({ length: 25 }, (_, i) => startMs + i * 1_000),
  )
  const changes = await audit.page(0, { ...question, kinds: ["change"] })
  assert.deepEqual(
    changes.entries.map(({ detail }) => detail),
    [0, 5, 10, 15, 20].map((i) => `change ${i}`),
  )
  const late = await audit.page(0, { ...question, startMs: startMs + 20_000 })
  assert.equal(late.entries.length, 5)
})

test("entries are removed after 90 days, and the oldest beyond a tenant's limit", async () => {
  const { audit, all, clock, documents } = fixture()
  audit.record(failed)
  await audit.flush()
  clock.advance(auditRetentionMs)
  audit.record(changed)
  await audit.flush()
  await audit.removeExpired(0)
  assert.equal((await all()).length, 2)
  clock.advance(1)
  await audit.removeExpired(0)
  assert.deepEqual(
    (await all()).map(({ kind }) => kind),
    ["change"],
  )

  const surplus = Array.from({ length: auditEntriesMax + 10 }, (_, i) => ({
    kind: "auditAccess:0",
    id: `${String(clock.nowMs() + i).padStart(16, "0")}:x`,
    document: {},
  }))
  await documents.putAll(surplus)
  await audit.removeExpired(0)
  assert.equal(documents.byKind.get("auditAccess:0")!.size, auditEntriesMax)
  assert.ok(!documents.byKind.get("auditAccess:0")!.has(surplus[9]!.id))
  assert.ok(documents.byKind.get("auditAccess:0")!.has(surplus[10]!.id))
})
