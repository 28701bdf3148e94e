import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { scanStore } from "../../../src/store/open.ts"
import { PageFile, treeHeadBytes } from "../../../src/store/lmdb/integrity/page-file.ts"
import { dataFile } from "../../../src/store/lmdb/disk/store-files.ts"
import { folderOf, openWriter } from "../../support/store/lmdb-folder.ts"
import { fillGolden } from "./golden-store.ts"

/** Offsets of fields in a page and in the head of a tree. */
const pageFlagsAt = 18
const headFlagsAt = 4
const headRootAt = 40
/** Offset of the last page's number in a meta page. */
const lastPageAt = 144

/** A store, and the result of a page scan with each of some bits flipped. */
async function probing(t: Parameters<typeof folderOf>[0]) {
  const folder = folderOf(t)
  const writer = openWriter(folder)
  // No cycle batch is closed, so the tables of bands and states are empty.
  fillGolden(writer)
  await writer.close()
  const path = join(folder, dataFile)
  const whole = readFileSync(path)
  const file = new PageFile(path)
  const meta = file.meta()
  file.close()
  const isTold = (at: number, bit: number): boolean => {
    const bytes = Buffer.from(whole)
    bytes[at + (bit >> 3)]! ^= 1 << (bit & 7)
    writeFileSync(path, bytes)
    return scanStore(folder).length > 0
  }
  return { whole, meta, isTold, pageBytes: file.pageBytes }
}

function bits(count: number): number[] {
  return Array.from({ length: count }, (_, bit) => bit)
}

test("every flipped flag of a tree page is reported, because LMDB uses them", async (t) => {
  const { meta, isTold, pageBytes } = await probing(t)
  for (const bit of bits(16)) {
    assert.ok(isTold(meta.main.root * pageBytes + pageFlagsAt, bit), `bit ${bit}`)
  }
})

test("every flipped bit of flags, counts and root of a tree is reported", async (t) => {
  const { whole, meta, isTold, pageBytes } = await probing(t)
  const page = whole.subarray(meta.main.root * pageBytes, (meta.main.root + 1) * pageBytes)
  for (const name of ["bands", "recentRaw"]) {
    const head = meta.main.root * pageBytes + page.indexOf(`${name}\0`) + name.length + 1
    const isEmpty = whole.readUInt32LE(head + headRootAt) === 0xffffffff
    assert.equal(isEmpty, name === "bands")
    for (const bit of bits(8 * (treeHeadBytes - headFlagsAt))) {
      assert.ok(isTold(head + headFlagsAt, bit), `${name}, bit ${bit}`)
    }
  }
})

test("a last page far after the end of the file is reported: LMDB would map it", async (t) => {
  const { meta, isTold, pageBytes } = await probing(t)
  const newer = meta.transaction % 2
  for (const bit of bits(64).slice(15)) {
    assert.ok(isTold(newer * pageBytes + lastPageAt, bit), `bit ${bit}`)
  }
})
