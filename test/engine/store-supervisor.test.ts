import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import { CorruptError } from "../../src/codec/corrupt-error.ts"
import { Shard } from "../../src/engine/shard.ts"
import { StoreSupervisor, type OpenedStore } from "../../src/engine/store-supervisor.ts"
import { IngestReader } from "../../src/ingest/ingest.ts"
import { dayMs } from "../../src/model/resolution.ts"
import { retentionMsDefault } from "../support/reference-store/memory-retention.ts"
import { openReadStore, openWriteStore, scanStore, verifyStore } from "../../src/store/open.ts"
import { folderOf } from "../support/store/lmdb-folder.ts"
import { noonMs } from "../support/ingest/samples.ts"
import { ingestTask } from "../support/ingest/shard-task.ts"

const floorBytes = 1000

/** A shard over the LMDB store, on a disk whose free space and failures the test controls. */
function fixture(t: TestContext) {
  const folder = folderOf(t)
  const disk = { free: 10_000, takes: true, refusesAt: "", failsAt: "" }
  let elapsedMs = 0
  const warnings: string[] = []
  const warn = (_: object, message: string): void => void warnings.push(message)
  const onPoint = (name: string): void => {
    if (name === disk.failsAt) throw new CorruptError("Expected checksum 1, got 2")
    if (name === disk.refusesAt) throw Object.assign(new Error("no space"), { code: "ENOSPC" })
  }
  const open = (): OpenedStore => {
    const store = openWriteStore({
      folder,
      retentionMs: retentionMsDefault,
      cycleGraceMs: 60_000,
      elapsedMs: () => elapsedMs,
      warn,
      faults: { onPoint },
    })
    const times = { acceptPastMs: 30 * dayMs, acceptFutureMs: 600_000 }
    return { store, reader: new IngestReader({ catalogue: store.catalogue, ...times }) }
  }
  const keeper = new StoreSupervisor({
    opened: open(),
    open,
    scan: () => scanStore(folder),
    disk: { freeBytes: () => disk.free, isWritable: () => disk.takes },
    freeBytesMin: floorBytes,
    unflushedBytesMax: 1_000,
    elapsedMs: () => elapsedMs,
    warn,
  })
  const shard = new Shard({
    get store() {
      return keeper.store
    },
    get reader() {
      return keeper.reader
    },
    guard: keeper,
    elapsedMs: () => elapsedMs,
  })
  return {
    disk,
    shard,
    keeper,
    warnings,
    pass: (ms: number) => void (elapsedMs += ms),
    ingest: async (...bodies: string[]) => [...(await shard.run(ingestTask(bodies))).statuses],
    maintain: (nowMs = noonMs) =>
      shard.run({ kind: "maintain", nowMs, budgetMs: 1000, idle: true } as const),
    /** The values that a reader finds by element, unflushed samples included. */
    stored: async () => valuesIn(folder, keeper),
    end: async () => {
      await keeper.store.close()
      assert.deepEqual((await verifyStore(folder)).problems, [])
    },
  }
}

function body(element: string, val: number): string {
  return JSON.stringify([
    { id: element, type: "T", samples: [{ metricId: "cpu", timestamp: noonMs - val * 1000, val }] },
  ])
}

async function valuesIn(
  folder: string,
  keeper: StoreSupervisor,
): Promise<Record<string, unknown[]>> {
  // As a query does.
  if (!keeper.store.isBroken) keeper.store.flushIndex()
  const reader = openReadStore({ folder })
  try {
    const span = { startMs: noonMs - dayMs, endMs: noonMs + dayMs }
    const { catalogue } = reader
    const found: Record<string, unknown[]> = {}
    for (let series = 0; series < catalogue.seriesCount; series++) {
      const open = keeper.store.unflushedSamples(Int32Array.of(series), span)
      const records = reader.samples(Int32Array.of(series), { span, resolution: "ZERO" }, open)[0]!
      const name = catalogue.elementFqn(catalogue.seriesElement(series))
      found[name] = records.map(({ fields }) => fields.val)
    }
    return found
  } finally {
    await reader.close()
  }
}

test("samples get 503 below the minimum of free space, and 202 above it", async (t) => {
  const { disk, ingest, pass, stored, warnings, shard, end } = fixture(t)
  assert.deepEqual(await ingest(body("a", 1)), [202])
  disk.free = floorBytes - 1
  pass(200)
  assert.deepEqual(await ingest(body("a", 2), "[{", body("b", 1)), [503, 503, 503])
  const change = { kind: "key", id: "a", document: {} }
  const put = shard.run({ kind: "putDocuments", changes: [change] })
  await assert.rejects(put, (error) => error instanceof ServiceError && error.code === "readOnly")
  assert.deepEqual(await stored(), { a: [1] })
  disk.free = floorBytes
  pass(200)
  assert.deepEqual(await ingest(body("a", 2), body("b", 1)), [202, 202])
  assert.deepEqual(await stored(), { a: [2, 1], b: [1] })
  assert.equal(warnings.length, 2)
  await end()
})

test("failed flushes are counted, and the WAL stays within its bound", async (t) => {
  const { disk, ingest, pass, maintain, shard, warnings, end } = fixture(t)
  const later = noonMs + dayMs / 2
  const figures = () => shard.run({ kind: "figures" } as const)
  disk.failsAt = "flush.commit"
  let accepted = 0
  for (let val = 1; (await ingest(body("a", val)))[0] === 202; val++) {
    accepted = val
    assert.ok(val < 100, "Expected ingest to be refused")
    await assert.rejects(maintain(later), /The store is damaged: Expected checksum 1/)
    const { failingJob } = await figures()
    assert.equal(failingJob?.job, "flush")
    assert.equal(failingJob.failures, val)
    assert.match(failingJob.reason, /Expected checksum 1/)
  }
  assert.ok(accepted > 5, `Expected several samples to be taken, got ${accepted}`)
  assert.match(
    (await figures()).refusals.join(),
    /bytes of samples are not rolled up, at most 1000/,
  )
  assert.deepEqual(warnings.length, 1)
  // Documents of users are still stored.
  const change = { kind: "key", id: "a", document: {} }
  await shard.run({ kind: "putDocuments", changes: [change] })

  disk.failsAt = ""
  pass(10_000)
  assert.equal((await maintain(later)).flushed, accepted)
  assert.deepEqual(await ingest(body("a", 200)), [202])
  const after = await figures()
  assert.deepEqual([after.failingJob, after.refusals], [null, []])
  assert.equal(warnings.length, 2)
  await end()
})

test("maintenance goes on below the free-space minimum, down to a quarter of it", async (t) => {
  const { disk, ingest, pass, maintain, end } = fixture(t)
  const later = noonMs + dayMs / 2
  assert.deepEqual(await ingest(body("a", 1)), [202])
  disk.free = floorBytes / 4 - 1
  pass(200)
  assert.equal((await maintain(later)).flushed, 0)
  disk.free = floorBytes / 4
  pass(200)
  assert.equal((await maintain(later)).flushed, 1)
  await end()
})

for (const brings of ["names", "nothing new"]) {
  for (const refusesAt of ["append.commit", "append.committed"]) {
    test(`a refused append with ${brings} leaves nothing by halves (${refusesAt})`, async (t) => {
      const { disk, ingest, pass, maintain, stored, keeper, warnings, end } = fixture(t)
      assert.deepEqual(await ingest(body("a", 1)), [202])
      const name = brings === "names" ? "b" : "a"
      disk.refusesAt = refusesAt
      assert.deepEqual(await ingest(body(name, 2), "[{"), [503, 400])
      disk.refusesAt = ""
      // Nothing is acknowledged before the store was reopened, although the disk accepts writes.
      assert.deepEqual(await ingest(body("a", 3)), [503])
      await maintain()
      assert.deepEqual(await ingest(body("a", 3)), [503])
      const failed = keeper.store
      disk.takes = false
      pass(1000)
      await maintain()
      assert.equal(keeper.store, failed, "Expected it to wait for a disk that takes writes")
      disk.takes = true
      pass(1000)
      await maintain()
      assert.notEqual(keeper.store, failed)
      // A refused batch that reached the disk may be there: complete, with its series.
      const isThere = refusesAt === "append.committed"
      const expected: Record<string, number[]> = { a: [1] }
      if (isThere) expected[name] = name === "a" ? [2, 1] : [2]
      assert.deepEqual(await stored(), expected)
      assert.equal(keeper.store.catalogue.findElement(0, "b"), isThere && name === "b" ? 1 : -1)
      // Repeated, as a client does.
      assert.deepEqual(await ingest(body(name, 2)), [202])
      assert.deepEqual(await stored(), name === "a" ? { a: [2, 1] } : { a: [1], b: [2] })
      assert.equal(warnings.length, 2)
      await end()
    })
  }
}

test("a refused commit of a job also stops acknowledging, and loses nothing", async (t) => {
  const { disk, ingest, pass, maintain, stored, end } = fixture(t)
  assert.deepEqual(await ingest(body("a", 1)), [202])
  disk.refusesAt = "flush.commit"
  await assert.rejects(maintain(noonMs + dayMs / 2), /refused to write/)
  assert.deepEqual(await ingest(body("a", 2)), [503])
  assert.deepEqual(await stored(), { a: [1] })
  disk.refusesAt = ""
  pass(1000)
  assert.equal((await maintain(noonMs + dayMs / 2)).flushed, 1)
  assert.deepEqual(await ingest(body("a", 2)), [202])
  assert.deepEqual(await stored(), { a: [2, 1] })
  await end()
})
