/**
 * Hostile queries: `node --import tsx bench/faults/hostile-queries.ts [seconds]`.
 *
 * Users ask searches that would take minutes, some of them disconnect, all of them come again.
 * Under that load another user is answered, posts are accepted, cycles close, and afterwards
 * nothing is left behind.
 */

import assert from "node:assert/strict"
import { setTimeout as wait } from "node:timers/promises"
import { newUser } from "../../test/support/server/caller.ts"
import { createClient, type Client } from "../../test/support/server/client.ts"
import { makeFolder, removeFolder } from "../../test/support/machine/folder.ts"
import { postSlowNames, slowSearch } from "../../test/support/server/slow-search.ts"
import { apiKey, startServer, type TestServer } from "../../test/support/server/server.ts"

const [secondsText = "60"] = process.argv.slice(2)
const untilMs = performance.now() + Number(secondsText) * 1000
const isOver = (): boolean => performance.now() > untilMs
const users = 10
/** Of the attackers: how long one waits for its answer before it leaves. */
const leaveMs = 700
const password = "a password of its own"
const clock = `${new Date().toISOString()},x100`

const counts = { attacks: 0, left: 0, answers: 0, posts: 0 }
const folder = makeFolder("tidegauge-hostile")
const server = await startServer({
  folder,
  // Each new attacker has a first turn of 0.3 s before a user who asks then: 3 s in all.
  flags: ["--query-timeout", "PT5S", "--cycle-grace", "PT1S", "--clock", clock],
})
try {
  await run(server)
} finally {
  await server.stop()
  removeFolder(folder)
}

async function run({ client }: TestServer): Promise<void> {
  await postSlowNames(client)
  const attackers: Client[] = []
  for (let i = 0; i < users; i++) {
    await newUser(client, `attacker-${i}`, "Read Only")
    const user = `attacker-${i}@example.com`
    attackers.push(createClient({ url: client.url, apiKey, user, password }))
  }
  // The first query loads 200,000 names, in quiet too.
  while ((await client.get("/metrics/fqns")).status !== 200) await wait(100)
  const closedBefore = await figure(client, "cycle_seconds_count")
  await Promise.all([...attackers.map(attack), ask(client), post(client)])
  while ((await figure(client, "queries_running")) > 0) await wait(20)
  const closed = (await figure(client, "cycle_seconds_count")) - closedBefore
  console.log(JSON.stringify({ ...counts, closed }))
  assert.equal(await figure(client, "queries_waiting"), 0, "questions were left behind")
  assert.ok(closed > 0, "no cycle closed")
  assert.ok(counts.left > 0 && counts.attacks > counts.left, "no attack, or none that stayed")
  const ready = await client.send("/health/ready")
  assert.equal(ready.status, 200, ready.text)
  for (const attacker of attackers) attacker.close()
}

async function attack(attacker: Client, number: number): Promise<void> {
  while (!isOver()) {
    counts.attacks++
    if (number % 2 === 0) {
      const leaving = new AbortController()
      const timer = setTimeout(() => leaving.abort(), leaveMs)
      await fetch(`${attacker.url}/metrics/search/metricQuery`, {
        method: "POST",
        headers: {
          authorization: attacker.authorization,
          "content-type": "application/json",
        },
        body: JSON.stringify(slowSearch()),
        signal: leaving.signal,
      }).catch(() => counts.left++)
      clearTimeout(timer)
    } else {
      const { status, text } = await attacker.post("/metrics/search/metricQuery", slowSearch())
      assert.equal(status, 503, text)
    }
  }
}

/** Another user: nothing but its answer will do. */
async function ask(client: Client): Promise<void> {
  while (!isOver()) {
    const { status, text } = await client.get("/elements/slow/tags")
    assert.equal(status, 200, text)
    counts.answers++
    await wait(100)
  }
}

async function post(client: Client): Promise<void> {
  while (!isOver()) {
    const { status, text } = await client.ingest([{ id: "quick", type: "SERVER", samples: [] }])
    assert.equal(status, 202, text)
    counts.posts++
    await wait(20)
  }
}

async function figure(client: Client, name: string): Promise<number> {
  const { text } = await client.send("/metrics/internal")
  return Number(new RegExp(`^tidegauge_${name} (.*)$`, "m").exec(text)![1])
}
