/** Bytes of each tenant in the store; simulations also check them after crashes and refusals. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { open } from "lmdb"
import { diskQuotaRefusal } from "../../../src/engine/disk-quota.ts"
import { cycleMs, dayMs, hourMs } from "../../../src/model/resolution.ts"
import { bytesAtKind, invalidateByteCount } from "../../../src/store/lmdb/compaction/byte-count.ts"
import { stateKey } from "../../../src/store/lmdb/metadata/states.ts"
import { packSequence, flushedKey } from "../../../src/store/lmdb/disk/tables.ts"
import { emptyCycleBatch } from "../../support/store/empty-cycle-batch.ts"
import type { WriteStore } from "../../../src/store/store.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { folderOf, openWriter, tampering, writing } from "../../support/store/lmdb-folder.ts"
import { makeFolder, removeFolder } from "../../support/machine/folder.ts"
import { append, noonMs, seriesName, steadyRequests } from "../../support/ingest/samples.ts"
import { bytesByTenant, recountBytes } from "../../support/store/tenant-bytes.ts"

const small = Array.from({ length: 3 }, (_, i) => seriesName(`s-${i}`, "cpu", 0))
const large = Array.from({ length: 1_000 }, (_, i) => seriesName(`l-${i}`, "cpu", 2))
const of = [...small, ...large]

function fill(writer: WriteStore, fromMs: number, ms: number, stepMs = 60_000): void {
  append(writer, ...steadyRequests({ of, fromMs, toMs: fromMs + ms, stepMs }))
}

function begin(t: TestContext): { folder: string; writer: WriteStore } {
  const folder = makeFolder()
  const writer = openWriter(folder)
  t.after(async () => {
    await writer.close()
    removeFolder(folder)
  })
  return { folder, writer }
}

/** Advances in steps of six days, because retention does not trust a clock that jumps further. */
function waitForRetention(writer: WriteStore, days = 20): void {
  for (let day = 0; day < days; day += 6) maintainFully(writer, noonMs + day * dayMs)
  maintainFully(writer, noonMs + days * dayMs)
}

async function agree(folder: string, writer: WriteStore): Promise<void> {
  const counted = bytesByTenant(writer.figures().tenantBytes)
  assert.deepEqual(counted, await recountBytes(folder))
}

test("bytes follow flush, closing, compaction, a second compaction and retention", async (t) => {
  const { folder, writer } = begin(t)
  assert.deepEqual(writer.figures().tenantBytes, [])
  fill(writer, noonMs, hourMs)
  maintainFully(writer, noonMs + 2 * hourMs)
  await agree(folder, writer)
  const flushed = writer.tenantBytes(2)
  assert.ok(writer.tenantBytes(0) > 0 && flushed > 10 * writer.tenantBytes(0))
  assert.equal(writer.tenantBytes(1), 0)

  const bands = { series: Int32Array.of(0, 9), values: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8) }
  writer.commitCycle({ ...emptyCycleBatch, cycle: noonMs / cycleMs, name: "0:0", bands })
  await agree(folder, writer)
  maintainFully(writer, noonMs + 2 * dayMs)
  await agree(folder, writer)
  assert.ok(writer.tenantBytes(2) < flushed, "a compacted day takes less than its recent records")

  const compacted = writer.tenantBytes(2)
  fill(writer, noonMs + hourMs, hourMs)
  maintainFully(writer, noonMs + 4 * dayMs)
  await agree(folder, writer)
  assert.ok(writer.tenantBytes(2) > compacted)

  const kept = writer.tenantBytes(2)
  waitForRetention(writer)
  await agree(folder, writer)
  assert.ok(writer.tenantBytes(2) < kept, "raw samples went")
  waitForRetention(writer, 2_000)
  await agree(folder, writer)
  assert.equal(writer.tenantBytes(2), 0)
})

test("a file keeps the page size that it was made with, and bytes follow it", async (t) => {
  const folder = folderOf(t)
  await open({ path: folder, pageSize: 4_096, noSubdir: false }).close()
  const writer = openWriter(folder)
  fill(writer, noonMs, hourMs)
  maintainFully(writer, noonMs + 2 * dayMs)
  await agree(folder, writer)
  const taken = writer.tenantBytes(2)
  await writer.close()
  const { folder: other, writer: newer } = begin(t)
  fill(newer, noonMs, hourMs)
  maintainFully(newer, noonMs + 2 * dayMs)
  await agree(other, newer)
  assert.notEqual(newer.tenantBytes(2), taken)
  assert.equal(await tampering(folder, ({ pageBytes }) => pageBytes), 4_096)
})

test("a quota refuses one tenant, and accepts its posts again after retention", (t) => {
  const { writer } = begin(t)
  fill(writer, noonMs, hourMs)
  maintainFully(writer, noonMs + 2 * dayMs)
  const quota = writer.tenantBytes(2)
  const refusal = diskQuotaRefusal(writer, 2, quota)
  assert.match(
    refusal!.errors[0]!,
    new RegExp(`take ${quota} bytes .* is ${quota} bytes \\(--disk`),
  )
  assert.ok(refusal!.retryAfterSeconds > 0)
  assert.equal(diskQuotaRefusal(writer, 0, quota), undefined)
  assert.equal(diskQuotaRefusal(writer, 2, quota + 1), undefined)
  assert.equal(diskQuotaRefusal(writer, 2, 0), undefined)
  assert.equal(diskQuotaRefusal(writer, 2), undefined)
  waitForRetention(writer)
  assert.equal(diskQuotaRefusal(writer, 2, quota), undefined)
})

test("a store without counts is recounted step by step during writes", async (t) => {
  const folder = folderOf(t)
  // 4 blocks of tenant 2 and 1 of tenant 0, 144 cycles of this day, 2 records each: 1,440.
  await writing(folder, (writer) => {
    fill(writer, noonMs - 144 * cycleMs, 144 * cycleMs, cycleMs)
    const moment = { budgetMs: 1e9, idle: false, flushUpToMs: noonMs, closedUpToMs: 0 }
    while (!writer.maintain({ nowMs: noonMs, ...moment }).isFlushed);
  })
  const forget: readonly ((tables: Parameters<typeof invalidateByteCount>[0]) => void)[] = [
    invalidateByteCount,
    // As an earlier version leaves it, which flushes without counts.
    (tables) => tables.meta.put(flushedKey, packSequence(1e6)),
    (tables) => {
      const key = stateKey(bytesAtKind, new Uint8Array(0))
      const value = tables.states.get(key)!
      value[value.length - 1]! ^= 1
      tables.states.put(key, value)
    },
  ]
  for (const [i, change] of forget.entries()) {
    await tampering(folder, change)
    const writer = openWriter(folder)
    assert.equal(writer.tenantBytes(2), 0, "counted partly")
    const fromMs = noonMs - 72 * cycleMs
    let steps = 0
    for (; writer.figures().tenantBytes.length === 0; steps++) {
      fill(writer, fromMs + steps * cycleMs + i, cycleMs, cycleMs)
      const moment = { flushUpToMs: noonMs, closedUpToMs: 0, idle: false }
      writer.maintain({ nowMs: noonMs, budgetMs: 1e9, ...moment })
    }
    assert.ok(steps > 1, `${steps} steps`)
    await agree(folder, writer)
    maintainFully(writer, noonMs)
    const bytes = writer.figures().tenantBytes
    await writer.close()
    const again = openWriter(folder)
    assert.deepEqual(bytesByTenant(again.figures().tenantBytes), bytesByTenant(bytes))
    await agree(folder, again)
    await again.close()
  }
})
