import assert from "node:assert/strict"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { gunzipSync } from "node:zlib"
import { formatVersion } from "../../../src/store/lmdb/disk/format-version.ts"
import {
  needsScan,
  openReadStore,
  scanStore,
  repairStore,
  verifyStore,
} from "../../../src/store/open.ts"
import { maintainFully } from "../../contract/store-harness.ts"
import { folderOf, openWriter, type Warning } from "../../support/lmdb-folder.ts"
import { noonMs } from "../../support/samples.ts"
import { answersOf, fillClosings, fillGolden, fillNames } from "./golden-store.ts"

const golden = new URL("../../../data/golden/", import.meta.url)
/** Stores of format 3 and later hold closings too. */
const answerFiles = { plain: "answers.json", closed: "answers-3.json" }
const firstWithClosings = 3

function wantedOf(version: number): string[] {
  const name = version < firstWithClosings ? answerFiles.plain : answerFiles.closed
  return JSON.parse(readFileSync(new URL(name, golden), "utf8")) as string[]
}
const versions = readdirSync(golden).flatMap((name) => /^format-(\d+)$/.exec(name)?.[1] ?? [])

function unpack(t: TestContext, version: string): string {
  const folder = folderOf(t)
  const packed = new URL(`format-${version}/`, golden)
  for (const name of readdirSync(packed)) {
    const bytes = gunzipSync(readFileSync(new URL(name, packed)))
    writeFileSync(join(folder, name.replace(/\.gz$/, "")), bytes)
  }
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
  const all = Array.from({ length: formatVersion }, (_, i) => `${i + 1}`)
  assert.deepEqual(versions.sort(), all)
})

test("the plan of the golden stores gives the golden answers today", async (t) => {
  const folder = folderOf(t)
  const writer = openWriter(folder)
  fillGolden(writer)
  await writer.close()
  assert.deepEqual(await answersIn(folder), wantedOf(1))
  const again = openWriter(folder)
  fillClosings(again)
  fillNames(again)
  assert.equal(again.hasUnflushedSeries, true)
  await again.close()
  assert.deepEqual(await answersIn(folder), wantedOf(formatVersion))
})

test("names that waited in the journal of the golden store of format 5 are known", async (t) => {
  const folder = unpack(t, "5")
  const writer = openWriter(folder)
  const { catalogue } = writer
  assert.equal(catalogue.elementInfo(catalogue.findElement(0, "host-3")).location, "hall 5")
  await writer.close()
})

for (const version of versions) {
  const wanted = wantedOf(Number(version))

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
