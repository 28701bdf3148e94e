/** The security log: what is noted, who reads it, and that no secret is in it (A9). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { callerOf, newUser } from "../support/server/caller.ts"
import type { Client } from "../support/server/client.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import {
  adminEmail,
  adminPassword,
  apiKey,
  runProgram,
  startServer,
  storyProgram,
} from "../support/server/server.ts"

interface Entry {
  readonly kind: string
  readonly user: string | null
  readonly address: string | null
  readonly detail: string
  readonly count: number
}

const basic = (email: string, password: string) =>
  `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`

async function entriesOf(client: Client, query = ""): Promise<Entry[]> {
  const reply = await callerOf(client).get(`/audit${query}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ entries: Entry[] }>().entries
}

async function secretsSent(client: Client): Promise<void> {
  const f = (path: string, authorization: string) =>
    client.send(path, { headers: { authorization } })
  assert.equal((await f("/users", basic(adminEmail, "wrong password one"))).status, 401)
  assert.equal((await f("/users", basic("typed-a-secret-here", "wrong password"))).status, 401)
  const unknown = await client.send("/ingest/unknown-key-0123456789", { method: "POST", body: [] })
  assert.equal(unknown.status, 403)
  const check = await client.send("/check/unknown-key-0123456789/a/b/60", { method: "POST" })
  assert.equal(check.status, 403)
}

test("logins, refusals, changes and commands are noted, kept, and shown page by page", async () => {
  const folder = makeFolder("tidegauge-audit")
  let server = await startServer({ folder, program: storyProgram() })
  try {
    const { client } = server
    await secretsSent(client)
    const reader = await newUser(client, "reader", "Read Only")
    assert.equal((await reader.get("/audit")).status, 403)
    const { user } = (await reader.get("/users/current")).json<{ user: { id: number } }>()
    const password = { oldPassword: "a password of its own", newPassword: "another of its own" }
    assert.equal((await reader.post(`/users/${user.id}/password`, password)).status, 200)
    const words = ["user", "password", "reader@example.com", "--password", "said on the line"]
    assert.equal((await runProgram([...words, "--data", folder])).status, 0)

    const seen = await entriesOf(client)
    const has = (wanted: Partial<Entry>) =>
      seen.some((entry) =>
        Object.entries(wanted).every(([name, value]) => entry[name as keyof Entry] === value),
      )
    assert.ok(has({ kind: "loginFailed", user: adminEmail, address: "127.0.0.1" }))
    assert.ok(has({ kind: "loginSucceeded", user: adminEmail }))
    assert.ok(has({ kind: "keyRefused", detail: "POST /ingest/:apiId" }))
    assert.ok(has({ kind: "accessDenied", user: "reader@example.com", detail: "GET /audit" }))
    const created = seen.find(({ detail }) => detail.startsWith("POST /users:"))
    assert.equal(created?.detail, "POST /users: email, password, roles")
    const changed = { kind: "change", user: "reader@example.com" }
    assert.ok(has({ ...changed, detail: `POST /users/${user.id}/password: password` }))
    const command = "user password reader@example.com --password --data"
    assert.ok(has({ kind: "command", detail: command, address: null }), JSON.stringify(seen))

    const everything = JSON.stringify(seen) + server.output().split("\n\n").at(-1)!
    for (const secret of [
      "wrong password one",
      "typed-a-secret-here",
      "unknown-key-0123456789",
      "a password of its own",
      "another of its own",
      "said on the line",
    ]) {
      assert.ok(!everything.includes(secret), secret)
    }
    assert.deepEqual(
      (await entriesOf(client, "?kind=command")).map(({ kind }) => kind),
      ["command"],
    )
    assert.equal((await entriesOf(client, "?limit=1")).length, 1)
    assert.equal((await entriesOf(client, "?endTime=2026-01-01")).length, 0)
    assert.equal((await callerOf(client).get("/audit?kind=x")).status, 400)
    assert.equal((await callerOf(client).get("/audit?limit=0")).status, 400)
    assert.equal((await callerOf(client).get("/audit?after=x")).status, 400)
    assert.equal(
      (await client.send("/ingest/again-unknown-012345", { method: "POST" })).status,
      403,
    )

    assert.equal(await server.stop(), 0)
    server = await startServer({ folder, program: storyProgram() })
    const later = await entriesOf(server.client)
    const refused = later.filter(({ kind }) => kind === "keyRefused")
    assert.equal(
      refused.reduce((sum, { count }) => sum + count, 0),
      3,
    )
    assert.ok(later.length >= seen.length)
  } finally {
    await server.stop()
    removeFolder(folder)
  }
})

test("administrators of another account see what concerns theirs", async () => {
  const folder = makeFolder("tidegauge-audit")
  const server = await startServer({ folder, program: storyProgram() })
  try {
    const { client } = server
    const make = "account create --name Two --email two@example.com --password".split(" ")
    assert.equal((await runProgram([...make, "the second one", "--data", folder])).status, 0)
    const second = callerOf(client, basic("two@example.com", "the second one"))
    const wrong = callerOf(client, basic("two@example.com", "a wrong password"))
    assert.equal((await wrong.get("/users")).status, 401)
    await client.send(`/ingest/${apiKey}x`, { method: "POST", body: [] })
    const own = (await second.get("/audit")).json<{ entries: Entry[] }>().entries
    assert.deepEqual(own.map(({ kind }) => kind).sort(), ["loginFailed", "loginSucceeded"])
    for (const { user } of own) assert.equal(user, "two@example.com")
    assert.ok(!JSON.stringify(await entriesOf(client)).includes("two@example.com"))
    assert.ok(!server.output().includes(adminPassword + "x"))
  } finally {
    await server.stop()
    removeFolder(folder)
  }
})
