/**
 * Series that are in the WAL only when its bytes are damaged: the remaining samples keep their
 * series, also after later series have got numbers, and after crashes in between.
 *
 *   appends, a value per series ─► damage ─► start ─► appends of other series ─► crash ─► start
 */

import assert from "node:assert/strict"
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { dayMs } from "../../../src/model/resolution.ts"
import { repairStore, verifyStore } from "../../../src/store/open.ts"
import type { WriteStore } from "../../../src/store/store.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { indexFlushedKey } from "../../../src/store/lmdb/disk/tables.ts"
import {
  folderOf,
  openWriter,
  reading,
  tampering,
  type Warning,
} from "../../support/store/lmdb-folder.ts"
import { append, noonMs, plain, seededNumbers, seriesName } from "../../support/ingest/samples.ts"
import { runSeed } from "../../support/run/seed.ts"
import { sized } from "../../support/run/sizes.ts"

const span = { startMs: noonMs - dayMs, endMs: noonMs + dayMs }
const rounds = sized({ quick: 5, long: 60 })

/** A copy of the store as another process finds it after a crash. */
function crashed(t: TestContext, folder: string): string {
  const copy = folderOf(t)
  cpSync(folder, copy, { recursive: true })
  // The process in the lock is this one, which is alive.
  rmSync(join(copy, "run.json"), { force: true })
  return copy
}

/** Each value identifies its series: `host-<h>` has `m<m>` with the value 1000 h + m. */
function tell(writer: WriteStore, host: number, metric: number): void {
  const of = seriesName(`host-${host}`, `m${metric}`)
  append(writer, [plain(noonMs + host * 100 + metric, 1000 * host + metric, of)])
}

/** A store with series in the WAL, besides series that are flushed. */
async function left(t: TestContext, random: () => number): Promise<string> {
  const folder = folderOf(t)
  const writer = openWriter(folder)
  const published = Math.floor(random() * 10)
  for (let i = 0; i < 30; i++) {
    tell(writer, Math.floor(random() * 8), Math.floor(random() * 8))
    if (i === published) writer.flushIndex()
  }
  const copy = crashed(t, folder)
  await writer.close()
  return copy
}

/** Flips one bit of the written part of the WAL. */
function damage(folder: string, random: () => number): string {
  const name = readdirSync(folder).find((each) => each.startsWith("journal-"))!
  const path = join(folder, name)
  const bytes = readFileSync(path)
  const used = bytes.findLastIndex((byte) => byte !== 0)
  const at = Math.floor(random() * used)
  bytes[at]! ^= 1 << Math.floor(random() * 8)
  writeFileSync(path, bytes)
  return `byte ${at} of ${used}`
}

/** Asserts that every sample belongs to its series; returns the number of samples. */
async function checkNames(folder: string, writer: WriteStore, about: string): Promise<number> {
  return reading(folder, (reader) => {
    const { catalogue } = reader
    let count = 0
    for (let series = 0; series < catalogue.seriesCount; series++) {
      const element = catalogue.elementFqn(catalogue.seriesElement(series))
      const metric = catalogue.name(catalogue.seriesName(series)).fqn
      const open = writer.unflushedSamples(Int32Array.of(series), span)
      count += open.values.length
      for (const { fields } of reader.samples(
        Int32Array.of(series),
        { span, resolution: "ZERO" },
        open,
      )[0]!) {
        const value = fields.val!
        // Repair names the placeholder of a lost series as lost.
        const told = metric.startsWith("lost-names-") ? `m${value % 1000}` : metric
        assert.equal(
          `${element} ${told}`,
          `host-${Math.floor(value / 1000)} m${value % 1000}`,
          about,
        )
      }
    }
    return count
  })
}

test("repair loses no series if the index-flush number is damaged", async (t) => {
  for (const isLost of [false, true]) {
    const folder = await left(t, seededNumbers(5))
    await tampering(folder, ({ meta }) => {
      const bytes = Buffer.from(meta.get(indexFlushedKey)!)
      bytes[7]! ^= 4
      if (isLost) meta.remove(indexFlushedKey)
      else meta.put(indexFlushedKey, bytes)
    })
    if (!isLost) assert.throws(() => openWriter(folder), /sequence number in meta\/published/)
    rmSync(join(folder, "run.json"), { force: true })
    assert.deepEqual((await repairStore(folder, noonMs)).problems, [])
    const warnings: Warning[] = []
    const writer = openWriter(folder, warnings)
    assert.equal(await checkNames(folder, writer, `lost: ${isLost}`), 30)
    assert.deepEqual(warnings, [])
    await writer.close()
  }
})

test("no sample gets another series, for any damage of the WAL", async (t) => {
  const seed = runSeed % 1_000_000
  t.diagnostic(`seed ${seed}`)
  const random = seededNumbers(seed)
  for (let round = 0; round < rounds; round++) {
    const folder = await left(t, random)
    const about = `round ${round}, seed ${seed}, ${damage(folder, random)}`
    const isRepaired = random() < 0.3
    if (isRepaired) assert.deepEqual((await repairStore(folder, noonMs)).problems, [], about)
    const warnings: Warning[] = []
    const halfway: string[] = []
    const first = openWriter(folder, warnings, {
      onPoint: (point) => {
        if (/^(recovery|rewrite)\./.test(point)) halfway.push(crashed(t, folder))
      },
    })
    const kept = await checkNames(folder, first, about)
    const isTold = warnings.length > 0 && first.figures().corruptRecords > 0
    assert.ok(kept === 30 || isTold || isRepaired, `${about}: ${kept} samples left, nothing told`)
    assert.equal(first.hasUnflushedSeries, false, about)
    for (const each of halfway) {
      const later = openWriter(each)
      assert.equal(await checkNames(each, later, about), kept, `${about}, halfway`)
      tell(later, 30, 1)
      const latest = crashed(t, each)
      await later.close()
      const found = openWriter(latest)
      assert.equal(await checkNames(latest, found, about), kept + 1, `${about}, halfway`)
      await found.close()
    }
    // A crash first, then other series take the numbers, then a second crash.
    const second = crashed(t, folder)
    await first.close()
    const writer = openWriter(second)
    assert.equal(await checkNames(second, writer, about), kept, about)
    for (let i = 0; i < 5; i++) tell(writer, 20 + i, Math.floor(random() * 8))
    const third = crashed(t, second)
    await writer.close()
    const again: Warning[] = []
    const last = openWriter(third, again)
    assert.equal(await checkNames(third, last, about), kept + 5, about)
    assert.deepEqual(again, [], "told once")
    maintainFully(last, noonMs + dayMs)
    assert.equal(await checkNames(third, last, `${about}, folded`), 0)
    await last.close()
    assert.deepEqual((await verifyStore(third)).problems, [], about)
  }
})
