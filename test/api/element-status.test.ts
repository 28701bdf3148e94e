/** Status and bulk changes of elements over HTTP (spec/search §3, spec/search §4). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import { callerOf, newUser, type TestCaller } from "../support/server/caller.ts"
import type { Client } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

interface Status {
  readonly levels: readonly string[]
  readonly counts: {
    readonly total: number
    readonly levels: Readonly<Record<string, number>>
  }
  readonly columns: { readonly fqn: readonly string[]; readonly level: readonly number[] } | null
}
interface Result {
  readonly changed: number
  readonly failed: readonly { readonly id: string; readonly error: string }[]
  readonly failures: number
  readonly dryRun: boolean
}

const elementCount = 205
let readOnly: TestCaller
let power: TestCaller
const client = useAccount({
  prepare: async (ready) => {
    await prepare(ready)
    readOnly = await newUser(ready, "reader", "Read Only")
    power = await newUser(ready, "power", "Power User")
  },
})
const foreign = useAccount({ prepare })

async function prepare(ready: Client): Promise<void> {
  const samples = [{ metricId: "cpu", timestamp: Date.now(), val: 1 }]
  const elements = Array.from({ length: elementCount }, (_, i) => ({
    id: `web-${i}`,
    type: i % 2 === 0 ? "SERVER" : "RDS",
    samples,
  }))
  const posted = await ready.ingest(elements)
  assert.equal(posted.status, 202, posted.text)
}

const statusPath = "/elements/search/elementStatus"
const bulkPath = "/elements/search/elementBulk"
const only = (item: string) => ({ and: false, items: [{ item, literal: true, contains: true }] })

async function status(body: object = {}, caller = callerOf(client())): Promise<Status> {
  const reply = await caller.post(statusPath, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.json()
}

async function bulk(body: object, caller = callerOf(client())): Promise<Result> {
  const reply = await caller.post(bulkPath, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.json()
}

/** FQNs of all elements by level. */
async function inOrder(order: string): Promise<string[]> {
  const body = {
    sort: { field: "level", order },
    pageSize: 1_000,
    sourceFilter: { includes: ["fqn"] },
  }
  const reply = await client().post("/elements/search/elementQuery", body)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ page: { content: { fqn: string }[] } }>().page.content.map(({ fqn }) => fqn)
}

async function tagsOf(fqn: string, of = client()): Promise<unknown> {
  const reply = await of.get(`/elements/${fqn}/tags`)
  return reply.json<{ serviceTags: unknown }>().serviceTags
}

test("every user reads the status, which has the account's elements only", async () => {
  for (const caller of [callerOf(client()), readOnly, power]) {
    const { counts, columns, levels } = await status({}, caller)
    assert.equal(counts.total, elementCount)
    assert.equal(columns!.fqn.length, elementCount)
    // They are new, and their samples are not flushed.
    assert.equal(counts.levels["ok"], elementCount)
    assert.deepEqual(levels.slice(0, 2), ["ok", "info"])
  }
  const servers = await status({ elementTypes: only("SERVER"), countsOnly: true })
  assert.deepEqual([servers.counts.total, servers.columns], [103, null])
  assert.equal((await status({ elementTypes: only("NONE") })).counts.total, 0)
  const refused = errorOf(await client().post(statusPath, { countOnly: true }))
  assert.match(refused.errors.join("\n"), /"countOnly" is no field .*"countsOnly"/)
})

test("columns have the times of first posts if they are asked for", async () => {
  type Created = { readonly columns: { readonly created?: readonly number[] } }
  const createdOf = async (body: object) =>
    ((await status(body)) as unknown as Created).columns.created
  const created = await createdOf({ withCreated: true })
  assert.equal(created!.length, elementCount)
  assert.ok(created!.every((ms) => Math.abs(ms - Date.now()) < 600_000))
  assert.equal(await createdOf({}), undefined)
})

test("by level, an element with an expired check is before those that are well", async () => {
  const url = `/check/${client().apiKey}/heartbeat/web-11/0.001`
  assert.equal((await client().send(url, { method: "POST" })).status, 202)
  await eventually(async () => (await inOrder("desc"))[0] === "web-11")
  assert.equal((await inOrder("asc")).at(-1), "web-11")
  const refused = await client().post("/elements/search/elementQuery", {
    sort: { field: "levels" },
  })
  assert.match(errorOf(refused).errors.join("\n"), /sort.field: .*"levels".*level/)
})

test("maintenance of many elements shows in their status, and in a filter by it", async () => {
  const started = await bulk({ action: "startMaintenance", ids: ["web-0", "web-2", "none"] })
  const unknown = { id: "none", error: 'Cannot find element "none"' }
  assert.deepEqual(started, { changed: 2, failed: [unknown], failures: 1, dryRun: false })
  const filter = { elementStatuses: only("maintenance") }
  assert.deepEqual((await status(filter)).columns!.fqn, ["web-0", "web-2"])
  const until = Date.now() + 3_600_000
  await bulk({ action: "startMaintenance", filter, until: new Date(until).toISOString() })
  const tags = { "n.state.maintenance": "true", "n.state.maintenance_end": String(until) }
  assert.deepEqual(await tagsOf("web-2"), tags)
  // The last has an expired check, which is worse.
  assert.deepEqual((await inOrder("asc")).slice(-3), ["web-0", "web-2", "web-11"])
  assert.equal((await bulk({ action: "stopMaintenance", filter })).changed, 2)
  assert.equal((await status(filter)).counts.total, 0)
  assert.deepEqual(await tagsOf("web-2"), {})
})

test("tags are set and removed on all that pass, several commits long", async () => {
  const setTags = {
    action: "setTags",
    filter: {},
    tags: [
      { name: "owner", value: "ops" },
      { name: "rack", value: 7 },
    ],
  }
  const counted = await bulk({ ...setTags, dryRun: true })
  assert.deepEqual([counted.changed, counted.dryRun], [elementCount, true])
  assert.deepEqual(await tagsOf("web-1"), {})
  assert.equal((await bulk(setTags, power)).changed, elementCount)
  assert.deepEqual(await tagsOf("web-204"), { owner: "ops", rack: "7" })
  assert.deepEqual(await tagsOf("web-1", foreign()), {})
  const removeTags = { action: "removeTags", ids: ["web-1", "web-1"], tags: [{ name: "owner" }] }
  assert.equal((await bulk(removeTags)).changed, 1)
  assert.equal((await bulk(removeTags)).changed, 1)
  assert.deepEqual(await tagsOf("web-1"), { rack: "7" })
})

test("deleted elements are gone until they are posted again", async () => {
  const result = await bulk({ action: "delete", ids: ["web-3", "web-5"] })
  assert.equal(result.changed, 2)
  assert.equal((await status()).counts.total, elementCount - 2)
  assert.equal((await bulk({ action: "delete", ids: ["web-3"] })).failures, 1)
  const posted = await client().ingest([{ id: "web-3", type: "RDS", samples: [] }])
  assert.equal(posted.status, 202)
  assert.equal((await status()).counts.total, elementCount - 1)
  assert.equal((await foreign().get("/elements/web-5")).status, 200)
})

test("an element that cannot take a change keeps no other from it", async () => {
  const value = "x".repeat(4_000)
  const tags = Array.from({ length: 20 }, (_, i) => ({ name: `t${i}`, value }))
  const filled = await bulk({ action: "setTags", ids: ["web-7"], tags: tags.slice(0, 14) })
  assert.equal(filled.changed, 1)
  const more = tags.slice(14, 18)
  const { changed, failed } = await bulk({ action: "setTags", ids: ["web-7", "web-9"], tags: more })
  assert.equal(changed, 1)
  assert.deepEqual(
    failed.map(({ id }) => id),
    ["web-7"],
  )
  assert.match(failed[0]!.error, /expected at most 65536 bytes of text/)
})

const refusals = [
  [{}, /^action: expected a value/],
  [{ action: "tag", ids: ["a"] }, /^action: expected one of setTags, .*got "tag"/],
  [{ action: "delete" }, /^ids: expected ids or a filter, got neither/],
  [{ action: "delete", ids: ["a"], filter: {} }, /^ids: expected ids or a filter, got both/],
  [{ action: "delete", ids: [] }, /^ids: expected at least one id/],
  [{ action: "delete", ids: Array(1_001).fill("a") }, /^ids: expected at most 1000 ids/],
  [{ action: "setTags", ids: ["a"] }, /^tags: expected at least one tag, got 0/],
  [{ action: "delete", ids: ["a"], tags: [{ name: "a" }] }, /^tags: expected none for delete/],
  [{ action: "startMaintenance", ids: ["a"], until: 5 }, /^until: /],
  [{ action: "startMaintenance", ids: ["a"], until: "2020-01-01T00:00:00Z" }, /in the future/],
  [{ action: "delete", ids: ["a"], until: "2030-01-01T00:00:00Z" }, /^until: expected none/],
  [{ action: "delete", filter: { elementType: {} } }, /"elementType".*"elementTypes"\?$/],
] as const

for (const [body, problem] of refusals) {
  test(`a bulk change of ${JSON.stringify(body).slice(0, 60)} is refused`, async () => {
    const refused = errorOf(await client().post(bulkPath, body))
    assert.equal(refused.status, 400)
    assert.match(refused.errors.join("\n"), problem)
  })
}

test("a Read Only user changes nothing", async () => {
  const reply = await readOnly.post(bulkPath, { action: "delete", ids: ["web-1"] })
  assert.equal(reply.status, 403)
})
