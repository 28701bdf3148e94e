/** Queries of minutes, with queries of other users, disconnects, and the closing of cycles. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { queriesPerUserMax } from "../../src/base/limits/queries.ts"
import { errorOf } from "../support/server/responses.ts"
import { newUser } from "../support/server/caller.ts"
import { createClient, type Client } from "../support/server/client.ts"
import { postSlowNames, slowSearch } from "../support/server/slow-search.ts"
import { apiKey, useServer } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

const timed = useServer({
  flags: ["--query-timeout", "PT1S", "--workers", "1"],
  prepare: postSlowNames,
})
const closing = useServer({
  flags: ["--query-timeout", "PT1M", "--workers", "1", "--cycle-grace", "PT1S"].concat([
    "--clock",
    `${new Date().toISOString()},x600`,
  ]),
  prepare: postSlowNames,
})

const password = "a password of its own"

/** Another user, with as many connections as they want. */
async function attacker(client: Client, name: string): Promise<Client> {
  await newUser(client, name, "Read Only")
  return createClient({
    url: client.url,
    apiKey,
    user: `${name}@example.com`,
    password,
    connections: 200,
  })
}

const attack = (client: Client) => client.post("/metrics/search/metricQuery", slowSearch())

async function figure(client: Client, name: string): Promise<number> {
  const { text } = await client.send("/metrics/internal")
  return Number(new RegExp(`^tidegauge_${name} (.*)$`, "m").exec(text)![1])
}

test("a query that times out gets 503", async (t) => {
  const evil = await attacker(timed(), "evil")
  t.after(() => evil.close())
  const replies = await Promise.all([attack(evil), attack(evil), attack(evil)])
  for (const reply of replies) {
    assert.equal(reply.status, 503)
    assert.match(String(reply.headers["retry-after"]), /^\d+$/)
    assert.match(errorOf(reply).errors[0]!, /took longer than 1 s, waiting included/)
  }
  await eventually(async () => (await figure(timed(), "queries_running")) === 0)
  assert.equal(await figure(timed(), "queries_timed_out_total"), 3)
})

test("too many queries of one user get 429, and end when their client disconnects", async () => {
  const evil = await attacker(closing(), "leaving")
  const taken = Array.from({ length: queriesPerUserMax }, () => attack(evil).catch(() => null))
  await eventually(async () => {
    const running = await figure(closing(), "queries_running")
    return running + (await figure(closing(), "queries_waiting")) === queriesPerUserMax
  })
  const refused = await attack(evil)
  assert.equal(refused.status, 429)
  assert.match(String(refused.headers["retry-after"]), /^\d+$/)
  assert.match(errorOf(refused).errors[0]!, /More than 64 queries of this user/)
  assert.equal(await figure(closing(), 'queries_refused_total{reason="user"}'), 1)
  evil.close()
  await Promise.all(taken)
  await eventually(async () => (await figure(closing(), "queries_running")) === 0)
  assert.equal(await figure(closing(), "queries_cancelled_total"), queriesPerUserMax)
  assert.equal(await figure(closing(), "queries_waiting"), 0)
})

test("values for a chart are no longer looked for when their client has gone", async () => {
  const evil = await attacker(closing(), "charting")
  const before = await figure(closing(), "queries_cancelled_total")
  const body = { duration: "PT1H", queries: [{ id: "slow", filter: slowSearch() }] }
  const query = evil.post("/series/query", body).catch(() => null)
  await eventually(async () => (await figure(closing(), "queries_running")) > 0)
  evil.close()
  await query
  await eventually(async () => (await figure(closing(), "queries_running")) === 0)
  assert.equal(await figure(closing(), "queries_cancelled_total"), before + 1)
})

test("cycles close and other users get answers during queries of minutes", async () => {
  const evil = await attacker(closing(), "closing")
  let answered = 0
  const attacks = Array.from({ length: 6 }, () =>
    attack(evil).then(
      () => answered++,
      () => null,
    ),
  )
  await eventually(async () => (await figure(closing(), "queries_running")) > 0)
  const closed = await figure(closing(), "cycle_seconds_count")
  await eventually(async () => (await figure(closing(), "cycle_seconds_count")) >= closed + 3)
  const other = await closing().get("/elements/slow/tags")
  assert.equal(other.status, 200, other.text)
  assert.equal(answered, 0)
  assert.ok((await figure(closing(), "queries_running")) > 0)
  evil.close()
  await Promise.all(attacks)
})
