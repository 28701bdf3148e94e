/** API keys that administrators manage: made, shown once, changed, replaced (spec/accounts §7). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { callerOf, newUser } from "../support/server/caller.ts"
import { errorOf } from "../support/server/responses.ts"
import { useAccount } from "../support/server/server.ts"

const client = useAccount()

interface KeyAnswer {
  readonly id: string
  readonly name: string | null
  readonly datasourceId: number
  readonly enabled: boolean
  readonly payloadsPerMinute: number | null
  readonly lastUsed: string | null
  readonly ends: string | null
}

interface MadeAnswer {
  readonly key: KeyAnswer
  readonly apiKey: string
}

async function make(key: object = {}): Promise<MadeAnswer> {
  const reply = await client().post("/keys", { key })
  assert.equal(reply.status, 201, reply.text)
  return reply.json<MadeAnswer>()
}

async function keyOf(id: string): Promise<KeyAnswer | undefined> {
  const reply = await client().get("/keys")
  return reply.json<{ keys: KeyAnswer[] }>().keys.find((one) => one.id === id)
}

async function post(apiKey: string): Promise<number> {
  const body = [{ id: "by-key", type: "SERVER", samples: [] }]
  return (await client().send(`/ingest/${apiKey}`, { method: "POST", body })).status
}

test("a new key is shown once, and works; its last use is shown", async () => {
  const { key, apiKey } = await make({ name: "first steps" })
  assert.match(apiKey, /^[0-9a-f]{32}$/)
  assert.equal(key.name, "first steps")
  assert.equal(key.lastUsed, null)
  assert.equal(await post(apiKey), 202)
  const listed = await client().get("/keys")
  assert.ok(!listed.text.includes(apiKey))
  assert.ok(Date.parse((await keyOf(key.id))?.lastUsed ?? "") > 0)
})

test("a key is renamed, limited, disabled and removed", async () => {
  const { key, apiKey } = await make()
  const path = `/keys/${key.id}`
  const change = async (fields: object) => {
    const reply = await callerOf(client()).put(path, { key: fields })
    assert.equal(reply.status, 200, reply.text)
    return reply.json<{ key: KeyAnswer }>().key
  }
  const limited = await change({ name: "Lab", payloadsPerMinute: 5 })
  assert.deepEqual([limited.name, limited.payloadsPerMinute, limited.enabled], ["Lab", 5, true])
  assert.equal((await change({ payloadsPerMinute: null })).payloadsPerMinute, null)
  assert.equal((await change({ enabled: false })).name, "Lab")
  assert.equal(await post(apiKey), 403)
  await change({ enabled: true })
  assert.equal(await post(apiKey), 202)
  assert.equal((await callerOf(client()).delete(path)).status, 204)
  assert.equal(await post(apiKey), 403)
  assert.equal(await keyOf(key.id), undefined)
})

test("a replaced key is accepted for a day; the new one has its properties", async () => {
  const { key, apiKey } = await make({ name: "Agents", samplesPerMinute: 9 })
  const reply = await client().post(`/keys/${key.id}/rotate`, undefined)
  assert.equal(reply.status, 201, reply.text)
  const { key: next, apiKey: nextKey } = reply.json<MadeAnswer>()
  assert.equal(next.name, "Agents")
  assert.equal(next.ends, null)
  assert.notEqual(nextKey, apiKey)
  assert.deepEqual([await post(apiKey), await post(nextKey)], [202, 202])
  const leftMs = Date.parse((await keyOf(key.id))?.ends ?? "") - Date.now()
  assert.ok(leftMs > 0 && leftMs <= 86_400_000, String(leftMs))
})

test("what has no meaning is refused by name; only administrators see keys", async () => {
  const refused = async (key: object, problem: RegExp, status = 400) => {
    const reply = await client().post("/keys", { key })
    assert.equal(reply.status, status, reply.text)
    assert.match(errorOf(reply).errors[0]!, problem)
  }
  await refused({ payloadsPerMinute: -1 }, /key.payloadsPerMinute: expected a whole number/)
  await refused({ nam: "x" }, /nam/)
  await refused({ datasourceId: 987_654 }, /datasource/, 404)
  const { key } = await make()
  for (const role of ["Power User", "Read Only"]) {
    const user = await newUser(client(), role.replace(" ", "").toLowerCase(), role)
    assert.equal((await user.get("/keys")).status, 403)
    assert.equal((await user.post("/keys", { key: {} })).status, 403)
    assert.equal((await user.post(`/keys/${key.id}/rotate`)).status, 403)
  }
})
