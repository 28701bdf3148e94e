import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { dayMs, hourMs } from "../../../src/model/resolution.ts"
import { PageFile } from "../../../src/store/lmdb/integrity/page-file.ts"
import { dataFile } from "../../../src/store/lmdb/disk/store-files.ts"
import { scanStore } from "../../../src/store/open.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { folderOf, writing } from "../../support/store/lmdb-folder.ts"
import { append, noonMs, seriesName, steadyRequests } from "../../support/ingest/samples.ts"

test("a page scan ends for any content of the list of free pages", async (t) => {
  const folder = folderOf(t)
  const of = ["a", "b", "c"].map((name) => seriesName(name, "cpu"))
  await writing(folder, (writer) => {
    // Records that grow free runs of pages, which the list holds by number and length.
    for (let part = 0; part < 6; part++) {
      const fromMs = noonMs - dayMs + part * hourMs
      append(writer, ...steadyRequests({ of, fromMs, toMs: fromMs + hourMs, stepMs: 60_000 }))
      maintainFully(writer, noonMs)
    }
  })
  const path = join(folder, dataFile)
  const file = new PageFile(path)
  const { free } = file.meta()
  file.close()
  assert.equal(free.depth, 1, "Expected a store whose list of free pages is one page")
  const whole = readFileSync(path)
  const endAt = (free.root + 1) * file.pageBytes
  // Entries are at the end of a page; bit 5 of a number's seventh byte is 2^53.
  let refused = 0
  for (let at = endAt - 400; at < endAt; at++) {
    const bytes = Buffer.from(whole)
    bytes[at]! ^= 1 << 5
    writeFileSync(path, bytes)
    if (scanStore(folder).length > 0) refused++
  }
  assert.ok(refused > 100, `${refused} refused`)
  writeFileSync(path, whole)
  assert.deepEqual(scanStore(folder), [])
})
