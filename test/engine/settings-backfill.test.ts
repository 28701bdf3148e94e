import assert from "node:assert/strict"
import { test } from "node:test"
import { toWorkerResult } from "../../src/engine/worker-result.ts"
import type { WorkerPool } from "../../src/engine/worker-pool.ts"
import { ShardClient } from "../../src/engine/shard-client.ts"
import { Shard } from "../../src/engine/shard.ts"
import { configurationKind } from "../../src/model/document.ts"
import { IngestReader } from "../../src/ingest/ingest.ts"
import { dayMs } from "../../src/model/resolution.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import type { WriteStore } from "../../src/store/store.ts"
import { folderOf, openWriter } from "../support/store/lmdb-folder.ts"
import { noonMs } from "../support/ingest/samples.ts"
import { ingestTask, openGuard } from "../support/ingest/shard-task.ts"

/** A shard whose clock advances with every reading, so that each step does one piece of work. */
function slowShard(store: WriteStore): Shard {
  const times = { acceptPastMs: 30 * dayMs, acceptFutureMs: 600_000 }
  const reader = new IngestReader({ catalogue: store.catalogue, ...times })
  let elapsedMs = 0
  return new Shard({ store, reader, guard: openGuard, elapsedMs: () => (elapsedMs += 2) })
}

function clientOf(shard: Shard): ShardClient {
  const pool: WorkerPool = {
    run: async (task) =>
      structuredClone(await toWorkerResult(() => shard.run(task as never))) as never,
    close: async () => {},
  }
  return new ShardClient(pool)
}

function shardOn(store: WriteStore): ShardClient {
  return clientOf(slowShard(store))
}

async function post(client: ShardClient, ...elements: readonly object[]): Promise<void> {
  const task = ingestTask([JSON.stringify(elements)])
  assert.equal((await client.ingest(task)).statuses[0], 202)
}

function elementOf(id: string, type: string, ...metrics: readonly string[]): object {
  const samples = metrics.map((metricId) => ({ metricId, timestamp: noonMs, val: 1 }))
  return { id, type, samples }
}

function settingsOf({ catalogue }: WriteStore, id: string, fqn: string) {
  const series = catalogue.findSeries(catalogue.findElement(0, id), catalogue.findName(0, fqn))
  return catalogue.seriesDefinition(series).settings
}

/** Runs background work until nothing is due; returns the number of steps. */
async function settled(client: ShardClient): Promise<number> {
  for (let steps = 1; steps < 1000; steps++) {
    const { moreDue } = await client.maintain({ nowMs: noonMs, budgetMs: 2, idle: false })
    if (!moreDue) return steps
  }
  return assert.fail("Expected an end of the background work")
}

const meta = (properties: object, scope: object = {}) => ({
  analyticConfiguration: {
    type: "METRIC_META",
    name: "x",
    scope,
    metrics: [{ match: "^cpu", properties }],
  },
})

test("known and new metrics get their settings, and lose them again", async () => {
  const store = new MemoryStore()
  const client = shardOn(store)
  const known = Array.from({ length: 100 }, (_, i) => elementOf(`e${i}`, "SERVER", "cpu.a", "x"))
  await post(client, ...known)
  assert.equal(settingsOf(store, "e7", "cpu.a"), undefined)
  await client.replaceConfigurations(0, [{ id: "one", document: meta({ validMax: 100 }) }])
  await post(client, elementOf("new", "SERVER", "cpu.a"))
  assert.equal(settingsOf(store, "new", "cpu.a")?.validMax, 100)
  assert.equal(settingsOf(store, "e99", "cpu.a"), undefined)
  assert.ok((await settled(client)) > 5, "in small steps")
  assert.equal(settingsOf(store, "e99", "cpu.a")?.validMax, 100)
  assert.equal(settingsOf(store, "e99", "x"), undefined)
  assert.equal(settingsOf(store, "e99", "cpu.a"), settingsOf(store, "e1", "cpu.a"))
  await client.replaceConfigurations(0, [])
  await settled(client)
  assert.equal(settingsOf(store, "e99", "cpu.a"), undefined)
  assert.equal(settingsOf(store, "new", "cpu.a"), undefined)
  assert.deepEqual(store.listDocuments(configurationKind(0)), [])
  assert.deepEqual(store.listDocuments("settledConfigurations"), [])
})

test("a start continues an unfinished backfill, and repeats no finished one", async () => {
  const store = new MemoryStore()
  const before = shardOn(store)
  const known = Array.from({ length: 50 }, (_, i) => elementOf(`e${i}`, "SERVER", "cpu.a"))
  await post(before, ...known)
  const kind = configurationKind(0)
  // As an installation does it: with other documents, in one transaction.
  await before.putDocuments([{ kind, id: "one", document: meta({ baseline: false }) }])
  await before.maintain({ nowMs: noonMs, budgetMs: 2, idle: false })
  const after = shardOn(store)
  await post(after, elementOf("late", "SERVER", "cpu.a"))
  assert.equal(settingsOf(store, "late", "cpu.a")?.baseline, false)
  await settled(after)
  assert.equal(settingsOf(store, "e49", "cpu.a")?.baseline, false)
  assert.equal(await settled(shardOn(store)), 1)
})

test("a new type or metric brings an element into scope", async () => {
  const store = new MemoryStore()
  const client = shardOn(store)
  await client.replaceConfigurations(0, [
    { id: "a", document: meta({ validMin: 0 }, { elementType: "DB" }) },
    { id: "b", document: meta({ tags: { unit: "s" } }, { metricMatches: "^special" }) },
  ])
  await post(client, elementOf("e", "SERVER", "cpu.a"))
  assert.equal(settingsOf(store, "e", "cpu.a"), undefined)
  await post(client, elementOf("e", "DB", "cpu.a"))
  assert.deepEqual({ ...settingsOf(store, "e", "cpu.a") }, { validMin: 0 })
  await post(client, elementOf("e", "DB", "special.one"))
  assert.deepEqual({ ...settingsOf(store, "e", "cpu.a") }, { validMin: 0, tags: { unit: "s" } })
  await post(client, {
    id: "e",
    metrics: [{ id: "cpu.a", unit: "ms", sparseDataStrategy: "None" }],
  })
  assert.equal(settingsOf(store, "e", "cpu.a")?.validMin, 0)
})

test("after a restart with the LMDB store the backfill continues and ends", async (t) => {
  const folder = folderOf(t)
  const kind = configurationKind(0)
  const known = Array.from({ length: 50 }, (_, i) => elementOf(`e${i}`, "SERVER", "cpu.a"))
  const first = openWriter(folder)
  const before = shardOn(first)
  await post(before, ...known)
  const tenant = (index: number) => ({ kind: "tenant", id: `uuid-${index}`, document: { index } })
  await before.putDocuments([tenant(0), tenant(1)])
  await before.replaceConfigurations(0, [{ id: "one", document: meta({ validMax: 7 }) }])
  await before.replaceConfigurations(1, [{ id: "two", document: meta({ validMax: 8 }) }])
  await before.maintain({ nowMs: noonMs, budgetMs: 2, idle: false })
  await first.close()

  const second = openWriter(folder)
  assert.equal(settingsOf(second, "e49", "cpu.a"), undefined)
  const after = shardOn(second)
  await post(after, elementOf("late", "SERVER", "cpu.a"))
  assert.equal(settingsOf(second, "late", "cpu.a")?.validMax, 7)
  assert.ok((await settled(after)) > 5, "in small steps")
  for (const id of ["e0", "e49", "late"]) {
    assert.equal(settingsOf(second, id, "cpu.a")?.validMax, 7, id)
  }
  const marks = second.listDocuments("settledConfigurations").map(({ id }) => id)
  assert.deepEqual(marks, ["0", "1"])
  await second.close()

  const third = openWriter(folder)
  assert.equal(settingsOf(third, "e49", "cpu.a")?.validMax, 7)
  const last = shardOn(third)
  await last.maintain({ nowMs: noonMs, budgetMs: 2, idle: false })
  assert.deepEqual(third.listDocuments(kind).length, 1)
  await last.replaceConfigurations(0, [])
  await settled(last)
  assert.equal(settingsOf(third, "e49", "cpu.a"), undefined)
  await third.close()
})

const twoOf = (validMax: number) =>
  ["a", "b"].map((id) => ({
    kind: configurationKind(0),
    id,
    document: meta(id === "a" ? { validMax } : { tags: { unit: `u${validMax}` } }),
  }))

test("a set is built in steps, and has no effect until it is complete", async () => {
  const store = new MemoryStore()
  const shard = slowShard(store)
  const client = clientOf(shard)
  await client.putDocuments(twoOf(1))
  await settled(client)
  const one = { validMax: 1, tags: { unit: "u1" } }
  const two = { validMax: 2, tags: { unit: "u2" } }
  assert.equal(await shard.run({ kind: "putDocuments", changes: twoOf(2) }), true)
  let steps = 0
  do {
    await post(client, elementOf(`during${steps}`, "SERVER", "cpu.a"))
    assert.deepEqual({ ...settingsOf(store, `during${steps}`, "cpu.a") }, one)
    steps++
  } while (await shard.run({ kind: "buildSettings" }))
  assert.ok(steps > 10, `${steps} steps`)
  await post(client, elementOf("after", "SERVER", "cpu.a"))
  assert.deepEqual({ ...settingsOf(store, "after", "cpu.a") }, two)
  await settled(client)
  for (let i = 0; i < steps; i++) {
    assert.deepEqual({ ...settingsOf(store, `during${i}`, "cpu.a") }, two)
  }
})

test("documents stored while a set is built are completely in it", async () => {
  for (let stepsBefore = 0; stepsBefore < 16; stepsBefore++) {
    const store = new MemoryStore()
    const shard = slowShard(store)
    const client = clientOf(shard)
    await shard.run({ kind: "putDocuments", changes: twoOf(1) })
    for (let i = 0; i < stepsBefore; i++) await shard.run({ kind: "buildSettings" })
    await client.putDocuments(twoOf(2))
    await post(client, elementOf("e", "SERVER", "cpu.a"))
    const want = { validMax: 2, tags: { unit: "u2" } }
    assert.deepEqual({ ...settingsOf(store, "e", "cpu.a") }, want, `${stepsBefore} steps before`)
  }
})

test("an element with many metrics gets its settings in several steps", async () => {
  const store = new MemoryStore()
  const shard = slowShard(store)
  const client = clientOf(shard)
  const fqns = Array.from({ length: 60 }, (_, i) => `cpu.${i}`)
  await post(client, elementOf("wide", "SERVER", ...fqns))
  await client.replaceConfigurations(0, [{ id: "one", document: meta({ validMax: 9 }) }])
  assert.ok((await settled(client)) > 30)
  for (const fqn of fqns) assert.equal(settingsOf(store, "wide", fqn)?.validMax, 9, fqn)
})
