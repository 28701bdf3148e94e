import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import { toWorkerResult } from "../../src/engine/worker-result.ts"
import type { WorkerPool } from "../../src/engine/worker-pool.ts"
import { ShardClient } from "../../src/engine/shard-client.ts"
import { Shard } from "../../src/engine/shard.ts"
import {
  flagCollectd,
  flagInjectTimestamp,
  type ShardTask,
} from "../../src/engine/shard-protocol.ts"
import { IngestReader } from "../../src/ingest/ingest.ts"
import { dayMs } from "../../src/model/resolution.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import type { AppendBatch } from "../../src/store/append-store.ts"
import { noonMs } from "../support/ingest/samples.ts"
import { ingestTask, openGuard } from "../support/ingest/shard-task.ts"

const span = { startMs: noonMs - dayMs, endMs: noonMs + dayMs }

/** A reference store with a simulated full disk. */
class FaultyStore extends MemoryStore {
  fault: Error | null = null
  appends = 0
  indexFlushes = 0

  override append(batch: AppendBatch): void {
    if (this.fault !== null) throw this.fault
    this.appends++
    this.hasUnflushedSeries ||= this.catalogue.hasChanges()
    super.append(batch)
  }

  override flushIndex(): void {
    if (this.fault !== null) throw this.fault
    this.indexFlushes++
    this.hasUnflushedSeries = false
  }
}

/** A shard behind its client, on this thread. */
function fixture() {
  const store = new FaultyStore()
  const times = { acceptPastMs: 30 * dayMs, acceptFutureMs: 600_000 }
  const reader = new IngestReader({ catalogue: store.catalogue, ...times })
  let elapsedMs = 0
  const shard = new Shard({ store, reader, guard: openGuard, elapsedMs: () => (elapsedMs += 2) })
  let isClosed = false
  const pool: WorkerPool = {
    run: async (task) =>
      structuredClone(await toWorkerResult(() => shard.run(task as never))) as never,
    close: async () => void (isClosed = true),
  }
  return { store, shard, client: new ShardClient(pool), isClosed: () => isClosed }
}

function valuesOf(store: MemoryStore, series: number): unknown[] {
  const records = store.samples(Int32Array.of(series), { span, resolution: "ZERO" })[0]!
  return records.map(({ fields }) => fields.val)
}

function body(element: string, val: number): string {
  const sample = { metricId: "cpu", timestamp: new Date(noonMs).toISOString(), val }
  return JSON.stringify([
    { id: element, type: "SERVER", metrics: [{ id: "cpu" }], samples: [sample] },
  ])
}

test("bodies of a task are checked one by one, and valid ones stored in one commit", async () => {
  const { store, client } = fixture()
  const answer = await client.ingest(ingestTask([body("a", 1), "[{", body("b", 2), "[{}]"]))
  assert.deepEqual([...answer.statuses], [202, 400, 202, 400])
  assert.deepEqual(
    answer.refusals.map(({ request }) => request),
    [1, 3],
  )
  assert.ok(answer.refusals.every(({ errors, detail }) => errors.length > 0 && detail !== ""))
  assert.deepEqual([...answer.elements], [1, 0, 1, 0])
  assert.deepEqual([answer.samples, answer.newSeries, store.appends], [2, 2, 1])
  assert.equal(answer.commitMs, 2)
  assert.deepEqual(
    [0, 1].map((series) => valuesOf(store, series)),
    [[1], [2]],
  )
})

test("each request has the latest time of its own samples, in any order", async () => {
  const { client } = fixture()
  const timed = (...minutes: readonly number[]): string => {
    const samples = minutes.map((minute) => {
      return { metricId: "cpu", timestamp: noonMs + minute * 60_000, val: minute }
    })
    return JSON.stringify([{ id: "a", samples }])
  }
  const untimed = JSON.stringify([{ id: "a", samples: [{ metricId: "hits", val: 1 }] }])
  const bodies = [timed(3), timed(-1, 2, 1, 1), timed(0), "[{", untimed, untimed]
  const flags = bodies.map((one) => (one === untimed ? flagInjectTimestamp : 0))
  const answer = await client.ingest(ingestTask(bodies, noonMs, flags))
  const minutes = [...answer.latestTimesMs].map((timeMs) => (timeMs - noonMs) / 60_000)
  assert.deepEqual(minutes, [3, 2, 0, -Infinity, 0, 0])
})

test("an equal sample counts with each request whose samples have the server's time", async () => {
  const { store, client } = fixture()
  const untimed = JSON.stringify([{ id: "a", samples: [{ metricId: "hits", val: 1 }] }])
  const bodies = [untimed, "[{", body("b", 2), untimed, body("b", 2), untimed]
  const [none, injects] = [0, flagInjectTimestamp]
  const task = ingestTask(bodies, noonMs, [injects, injects, none, injects, none, injects])
  assert.deepEqual([...(await client.ingest(task)).statuses], [202, 400, 202, 202, 202, 202])
  const again = ingestTask([untimed, untimed], noonMs, [injects, injects])
  assert.deepEqual([...(await client.ingest(again)).statuses], [202, 202])
  const seriesOf = (element: string, metric: string): number => {
    const { catalogue } = store
    return catalogue.findSeries(catalogue.findElement(0, element), catalogue.findName(0, metric))
  }
  assert.deepEqual(valuesOf(store, seriesOf("a", "hits")), [1, 1, 1, 1, 1])
  assert.deepEqual(valuesOf(store, seriesOf("b", "cpu")), [2], "a re-delivery changes nothing")
})

test("events that come with samples are handed back, unless the store refuses", async () => {
  const { store, client } = fixture()
  const labels = { alertname: "collectd_load", instance: "web-01", severity: "WARNING" }
  const texts = [[{ labels }], [{ labels }, { host: 7 }], [{ host: 7 }], []]
  const task = ingestTask(
    texts.map((body) => JSON.stringify(body)),
    noonMs,
    [flagCollectd, flagCollectd, flagCollectd, flagCollectd],
  )
  const { statuses, events, refusals } = await client.ingest(task)
  assert.deepEqual([...statuses], [202, 202, 400, 202])
  const found = events?.map((one) => [one.request, one.events.map(({ level }) => level)])
  assert.deepEqual(found, [
    [0, ["WARNING"]],
    [1, ["WARNING"]],
  ])
  assert.deepEqual(
    refusals.map(({ request, detail }) => [request, detail]),
    [
      [1, "Some Samples or Events Were Refused"],
      [2, "Input Validation Failed"],
    ],
  )
  store.fault = new ServiceError("storage", "disk full")
  const refused = await client.ingest(
    ingestTask([body("a", 1), JSON.stringify(texts[0])], noonMs, [0, flagCollectd]),
  )
  assert.deepEqual([[...refused.statuses], refused.events], [[503, 503], []])
})

test("a task without a valid body commits nothing", async () => {
  const { store, client } = fixture()
  const { statuses, samples } = await client.ingest(ingestTask(["", "[{"]))
  assert.deepEqual([[...statuses], samples, store.appends], [[400, 400], 0, 0])
})

test("if the store refuses, each 202 becomes 503; the next task stores its series", async () => {
  const { store, client } = fixture()
  store.fault = new ServiceError("storage", "disk full")
  const refused = await client.ingest(ingestTask([body("a", 1), "[{"]))
  assert.deepEqual([...refused.statuses], [503, 400])
  assert.equal(refused.samples, 0)
  store.fault = null
  const { statuses } = await client.ingest(ingestTask([body("a", 1)]))
  assert.deepEqual([...statuses], [202])
  assert.deepEqual(valuesOf(store, 0), [1])
})

test("a task rejects on a bug of the store", async () => {
  const { store, client } = fixture()
  store.fault = new TypeError("our own bug")
  await assert.rejects(client.ingest(ingestTask([body("a", 1)])), /our own bug/)
})

test("the client keeps the unflushed samples of the last answer that reports them", async () => {
  const { client } = fixture()
  assert.ok(client.unflushedSampleCount > 0, "Unknown: a killed process may have left some")
  const { unflushedSamples } = await client.ingest(ingestTask([body("a", 1)]))
  assert.equal(client.unflushedSampleCount, unflushedSamples)
  const moment = { nowMs: noonMs + dayMs, budgetMs: 1000, idle: true }
  const maintenance = await client.maintain(moment)
  assert.equal(client.unflushedSampleCount, maintenance.unflushedSamples)
})

test("the client keeps whether the index is flushed; concurrent flushes share a task", async () => {
  const { client, store } = fixture()
  assert.equal(client.hasUnflushedSeries, false)
  await client.ingest(ingestTask([body("a", 1)]))
  assert.equal(client.hasUnflushedSeries, true)
  await Promise.all([client.flushIndex(), client.flushIndex()])
  assert.deepEqual([client.hasUnflushedSeries, store.indexFlushes], [false, 1])
  await client.ingest(ingestTask([body("a", 2)]))
  assert.equal(client.hasUnflushedSeries, false, "it brought nothing new")
  const ofA = { tenant: 0, element: "a", nowMs: noonMs }
  await client.editCatalogue({ ...ofA, kind: "removeElement" })
  assert.equal(client.hasUnflushedSeries, true)
  const [, answer] = await Promise.all([
    client.flushIndex(),
    client.ingest(ingestTask([body("b", 1)])),
  ])
  assert.deepEqual([answer.hasUnflushedSeries, client.hasUnflushedSeries], [true, true])
})

test("if the index cannot be flushed, queries go on and request it again", async () => {
  const { client, store } = fixture()
  await client.ingest(ingestTask([body("a", 1)]))
  store.fault = new ServiceError("storage", "disk full")
  await client.flushIndex()
  assert.equal(client.hasUnflushedSeries, true)
  store.fault = new TypeError("our own bug")
  await assert.rejects(client.flushIndex(), /our own bug/)
  store.fault = null
  await client.flushIndex()
  assert.deepEqual([client.hasUnflushedSeries, store.indexFlushes], [false, 1])
})

test("posts do not change service tags, and restore a deleted element", async () => {
  const { store, client } = fixture()
  const ofA = { tenant: 0, element: "a", nowMs: noonMs }
  const set = [{ name: "owner", value: "ops" }]
  const post = async () => {
    const { statuses } = await client.ingest(ingestTask([body("a", 1)]))
    assert.deepEqual([...statuses], [202])
    return store.catalogue.elementInfo(0)
  }
  // Three times, so that the scanner has a template of the post.
  for (let time = 0; time < 3; time++) await post()
  const tags = { ...ofA, kind: "tags", set, remove: null } as const
  await client.editCatalogue({ ...tags, metric: null })
  await client.editCatalogue({ ...tags, metric: "cpu" })
  assert.deepEqual((await post()).serviceTags, set)
  assert.deepEqual(store.catalogue.seriesDefinition(0).serviceTags, set)
  await client.editCatalogue({ ...ofA, kind: "removeElement" })
  assert.equal(store.catalogue.isDeleted(0), true)
  await assert.rejects(client.editCatalogue({ ...tags, metric: null }), { code: "missing" })
  assert.deepEqual((await post()).serviceTags, set)
  assert.equal(store.catalogue.isDeleted(0), false)
})

test("an edit that the store refuses has no effect, now or later", async () => {
  const { store, client } = fixture()
  await client.ingest(ingestTask([body("a", 1)]))
  const before = store.catalogue.elementInfo(0)
  store.fault = new ServiceError("storage", "disk full")
  const removal = { kind: "removeElement", tenant: 0, element: "a", nowMs: noonMs } as const
  await assert.rejects(client.editCatalogue(removal), { code: "storage" })
  store.fault = null
  await client.ingest(ingestTask([body("b", 1)]))
  assert.deepEqual(store.catalogue.elementInfo(0), before)
})

test("documents and figures go through the shard, and close() closes store and pool", async () => {
  const { client, isClosed } = fixture()
  await client.putDocuments([{ kind: "key", id: "a", document: { n: 1 } }])
  assert.deepEqual(await client.getDocument("key", "a"), { n: 1 })
  assert.deepEqual(await client.listDocuments("key"), [{ id: "a", document: { n: 1 } }])
  await client.ingest(ingestTask([body("a", 1)]))
  const { seriesCount, scannedBodies, parsedBodies } = await client.figures()
  assert.deepEqual([seriesCount, scannedBodies + parsedBodies], [1, 1])
  await client.close()
  assert.equal(isClosed(), true)
})

test("a shard rejects a task of an unknown kind", async () => {
  const { shard } = fixture()
  await assert.rejects(shard.run({ kind: "other" } as unknown as ShardTask as never))
})
