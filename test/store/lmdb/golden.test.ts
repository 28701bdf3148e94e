import assert from "node:assert/strict"
import { cpSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { formatVersion } from "../../../src/store/lmdb/disk/format-version.ts"
import { openEarlierTable } from "../../../src/store/lmdb/disk/tables.ts"
import {
  needsScan,
  openReadStore,
  scanStore,
  repairStore,
  verifyStore,
} from "../../../src/store/open.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { goldenFolder, goldenStores, unpackGolden } from "../../support/store/golden-stores.ts"
import { folderOf, openWriter, tampering, type Warning } from "../../support/store/lmdb-folder.ts"
import { noonMs } from "../../support/ingest/samples.ts"
import { answersOf, fillClosings, fillCounters, fillGolden, fillNames } from "./golden-store.ts"

/** Files of answers by the first format whose stores hold more: closings, counters. */
const answerFiles = [
  [8, "answers-8.json"],
  [3, "answers-3.json"],
  [1, "answers.json"],
] as const

function wantedOf(version: number): string[] {
  const [, name] = answerFiles.find(([first]) => version >= first)!
  return JSON.parse(readFileSync(new URL(name, goldenFolder), "utf8")) as string[]
}
/** Stores of format 5 and later whose newest names are in the WAL only. */
const withNames = goldenStores.filter((store) => versionOf(store) >= 5)

function versionOf(store: string): number {
  return Number.parseInt(store, 10)
}

function unpack(t: TestContext, store: string): string {
  const folder = folderOf(t)
  unpackGolden(store, folder)
  return folder
}

async function answersIn(folder: string, settledAtMs?: number): Promise<string[]> {
  const warnings: Warning[] = []
  const writer = openWriter(folder, warnings)
  if (settledAtMs !== undefined) maintainFully(writer, settledAtMs)
  const reader = openReadStore({ folder })
  try {
    return answersOf(reader, writer)
  } finally {
    await reader.close()
    await writer.close()
    assert.deepEqual(warnings, [])
  }
}

test("there is a golden store of every format version up to this program's", () => {
  const all = Array.from({ length: formatVersion }, (_, i) => i + 1)
  assert.deepEqual([...new Set(goldenStores.map(versionOf))].sort(), all)
})

test("the plan of the golden stores gives the golden answers today", async (t) => {
  const folder = folderOf(t)
  const writer = openWriter(folder)
  fillGolden(writer)
  await writer.close()
  assert.deepEqual(await answersIn(folder), wantedOf(1))
  const again = openWriter(folder)
  fillCounters(again)
  fillClosings(again)
  fillNames(again)
  assert.equal(again.hasUnflushedSeries, true)
  await again.close()
  assert.deepEqual(await answersIn(folder), wantedOf(formatVersion))
})

for (const store of withNames) {
  test(`names that waited in the WAL of a store of format ${store} are known`, async (t) => {
    const folder = unpack(t, store)
    const writer = openWriter(folder)
    const { catalogue } = writer
    assert.equal(catalogue.elementInfo(catalogue.findElement(0, "host-3")).location, "hall 5")
    await writer.close()
  })
}

test("a start moves batches of earlier formats to the WAL, whatever interrupts it", async (t) => {
  for (const store of ["1", "5-inbox"]) {
    const folder = unpack(t, store)
    assert.notEqual(await tampering(folder, openEarlierTable), null)
    const left: string[] = []
    const writer = openWriter(folder, [], {
      onPoint: (point) => {
        if (!/^(recovery|rewrite)/.test(point)) return
        const copy = folderOf(t)
        cpSync(folder, copy, { recursive: true })
        // The process in the lock is this one, which is alive.
        rmSync(join(copy, "run.json"))
        left.push(copy)
      },
    })
    await writer.close()
    assert.equal(left.length, 5)
    for (const each of [...left, folder]) {
      assert.deepEqual(scanStore(each), [])
      assert.deepEqual(await answersIn(each), wantedOf(versionOf(store)))
      assert.equal(await tampering(each, openEarlierTable), null)
    }
  }
})

for (const version of goldenStores) {
  const wanted = wantedOf(versionOf(version))

  test(`a store of format ${version} answers the same, now and when folded`, async (t) => {
    const folder = unpack(t, version)
    // Without a clean-shutdown flag the start checks every page.
    assert.equal(needsScan(folder), true)
    assert.deepEqual(scanStore(folder), [])
    assert.deepEqual(await answersIn(folder), wanted)
    assert.deepEqual((await verifyStore(folder)).problems, [])
    assert.equal(needsScan(folder), false)
    assert.deepEqual(await answersIn(folder, noonMs + 3 * 86_400_000), wanted)
    assert.deepEqual((await verifyStore(folder)).problems, [])
  })

  test(`repair finds nothing to do in a store of format ${version}`, async (t) => {
    const folder = unpack(t, version)
    assert.deepEqual(await repairStore(folder, noonMs), {
      done: [],
      lost: [],
      problems: [],
      quarantineFolder: null,
    })
    assert.deepEqual(await answersIn(folder), wanted)
  })
}
