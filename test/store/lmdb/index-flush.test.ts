/** When series that wait in the WAL come to LMDB, and that readers see all of them then. */

import assert from "node:assert/strict"
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { retentionMsDefault } from "../../support/reference-store/memory-retention.ts"
import { FlushPolicy } from "../../../src/store/lmdb/compaction/flush-policy.ts"
import { columnsToBatchRecord } from "../../../src/store/lmdb/encoding/batch-record.ts"
import { Memtable } from "../../../src/store/lmdb/wal/memtable.ts"
import { openReadStore, openWriteStore } from "../../../src/store/open.ts"
import { emptyCycleBatch } from "../../support/store/empty-cycle-batch.ts"
import { cycleMs } from "../../../src/model/resolution.ts"
import { SampleBatchBuilder } from "../../../src/model/sample-batch.ts"
import { catalogueContent } from "../../contract/store-harness.ts"
import { makeFolder, removeFolder } from "../../support/machine/folder.ts"
import { append, noonMs, plain, seriesName, upsertSeries } from "../../support/ingest/samples.ts"

function fixture(t: TestContext) {
  const folder = makeFolder()
  const clock = { elapsedMs: 0 }
  const points: string[] = []
  const writer = openWriteStore({
    folder,
    retentionMs: retentionMsDefault,
    cycleGraceMs: 60_000,
    elapsedMs: () => clock.elapsedMs,
    warn: (_, message) => assert.fail(message),
    faults: { onPoint: (name) => void points.push(name) },
  })
  const reader = openReadStore({ folder })
  t.after(async () => {
    await reader.close()
    await writer.close()
    removeFolder(folder)
  })
  /** Whether a reader that refreshes knows what the writer knows. */
  const isSeen = (): boolean => {
    reader.refresh()
    try {
      assert.deepEqual(catalogueContent(reader.catalogue), catalogueContent(writer.catalogue))
      return true
    } catch {
      return false
    }
  }
  const busy = { nowMs: noonMs, budgetMs: 1, idle: false }
  return { writer, clock, points, isSeen, busy }
}

test("names wait for others, a second at most, and not while ingest is idle", (t) => {
  const { writer, clock, isSeen, busy } = fixture(t)
  append(writer, [plain(noonMs, 1)])
  assert.deepEqual([writer.hasUnflushedSeries, isSeen()], [true, false])
  clock.elapsedMs += 999
  append(writer, [plain(noonMs, 2, seriesName("host-2", "cpu.total"))])
  assert.equal(writer.maintain(busy).hasUnflushedSeries, true)
  clock.elapsedMs++
  assert.equal(writer.maintain(busy).hasUnflushedSeries, false)
  assert.equal(isSeen(), true)
  append(writer, [plain(noonMs, 3, seriesName("host-3", "cpu.total"))])
  assert.equal(writer.maintain({ ...busy, idle: true }).hasUnflushedSeries, false)
  assert.equal(isSeen(), true)
})

test("an index flush shows all appends in one transaction; without series it does nothing", (t) => {
  const { writer, points, isSeen } = fixture(t)
  for (let i = 0; i < 5; i++) append(writer, [plain(noonMs, i, seriesName(`host-${i}`, "cpu"))])
  append(writer, [plain(noonMs, 9, seriesName("host-0", "cpu"))])
  writer.flushIndex()
  writer.flushIndex()
  assert.equal(isSeen(), true)
  assert.equal(points.filter((point) => point === "index-flush.commit").length, 1)
})

test("a flush and a closing flush the index before anything that they write is there", (t) => {
  const { writer, clock, points, isSeen, busy } = fixture(t)
  append(writer, [plain(noonMs - 3_600_000, 1)])
  points.length = 0
  clock.elapsedMs = 999
  writer.maintain({ ...busy, budgetMs: 1_000, flushUpToMs: noonMs })
  assert.deepEqual(points.slice(0, 3), [
    "index-flush.commit",
    "index-flush.committed",
    "flush.commit",
  ])
  const late = upsertSeries(writer.catalogue, seriesName("host-2", "memory.used"))
  append(writer)
  writer.commitCycle({
    ...emptyCycleBatch,
    cycle: noonMs / cycleMs - 1,
    name: "0:0",
    gapFills: { series: Int32Array.of(late), actuals: Float64Array.of(1) },
    computed: {
      elements: Int32Array.of(0),
      fqns: ["computed"],
      actuals: Float64Array.of(2),
    },
  })
  assert.deepEqual([writer.hasUnflushedSeries, isSeen()], [false, true])
})

test("no more elements wait than are named, however fast they come", (t) => {
  const { writer, isSeen } = fixture(t)
  for (let i = 0; i < 500; i++) upsertSeries(writer.catalogue, seriesName(`host-${i}`, "cpu"))
  append(writer)
  assert.equal(writer.hasUnflushedSeries, true)
  append(writer, [plain(noonMs, 1, seriesName("host-1", "cpu"))])
  assert.equal(writer.hasUnflushedSeries, true, "it brought no names")
  append(writer, [plain(noonMs, 1, seriesName("one-more", "cpu"))])
  assert.deepEqual([writer.hasUnflushedSeries, isSeen()], [false, true])
})

test("a crash in an append that flushes the index first loses and doubles nothing", async (t) => {
  const folder = makeFolder()
  const crashes = new Map<string, string>()
  const folders = [folder]
  const options = {
    folder,
    retentionMs: retentionMsDefault,
    cycleGraceMs: 60_000,
    elapsedMs: () => 0,
    warn: (_: unknown, message: string) => assert.fail(message),
  }
  const onPoint = (point: string): void => {
    if (!/^(index-flush|append)/.test(point)) return
    const copy = makeFolder()
    cpSync(folder, copy, { recursive: true })
    // The process that left it so is this one, and lives.
    rmSync(join(copy, "run.json"), { force: true })
    crashes.set(point, copy)
    folders.push(copy)
  }
  t.after(() => folders.forEach(removeFolder))
  const writer = openWriteStore({ ...options, faults: { onPoint } })
  for (let i = 0; i < 500; i++) upsertSeries(writer.catalogue, seriesName(`host-${i}`, "cpu"))
  append(writer, [plain(noonMs, 1, seriesName("host-1", "cpu"))])
  crashes.clear()
  append(writer, [plain(noonMs, 2, seriesName("one-more", "cpu"))])
  await writer.close()
  const left = ["index-flush.commit", "index-flush.committed", "append.commit", "append.committed"]
  assert.deepEqual([...crashes.keys()].slice(0, 4), left)
  for (const [point, copy] of [...crashes].slice(0, 4)) {
    const again = openWriteStore({ ...options, folder: copy })
    const isStored = point === "append.committed"
    assert.equal(again.unflushedSampleCount, isStored ? 2 : 1, point)
    append(again, [plain(noonMs, 2, seriesName("one-more", "cpu"))])
    append(again, [plain(noonMs, 3, seriesName("host-500", "cpu"))])
    const content = catalogueContent(again.catalogue)
    await again.close()
    const last = openWriteStore({ ...options, folder: copy })
    assert.deepEqual(catalogueContent(last.catalogue), content, point)
    assert.equal(last.unflushedSampleCount, isStored ? 4 : 3, point)
    await last.close()
  }
})

test("batches that hold series alone are flushed too, once there are many", () => {
  const memtable = new Memtable()
  const due = new FlushPolicy(memtable, 60_000)
  const batch = columnsToBatchRecord(new SampleBatchBuilder(), 1)
  const moment = { nowMs: noonMs, budgetMs: 1, idle: true }
  for (let sequence = 1; sequence < 65_536; sequence++) {
    memtable.add({ sequence, batch })
  }
  assert.equal(due.isDue(moment, 0), false)
  memtable.add({ sequence: 65_536, batch })
  assert.equal(due.isDue(moment, 0), true)
})

test("a flush of series alone frees the WAL and ends", (t) => {
  const { writer, busy } = fixture(t)
  append(writer, [plain(noonMs - 3_600_000, 1)])
  upsertSeries(writer.catalogue, seriesName("host-2", "cpu"))
  append(writer)
  for (let steps = 0; writer.maintain({ ...busy, idle: true }).moreDue; steps++) {
    assert.ok(steps < 100)
  }
  assert.equal(writer.figures().memtableBytes, 0)
})
