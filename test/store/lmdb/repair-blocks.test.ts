import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { gunzipSync } from "node:zlib"
import { repairStore } from "../../../src/store/open.ts"
import { keyToPeriod, periodKey } from "../../../src/store/lmdb/disk/tables.ts"
import { folderOf, tampering, writing } from "../../support/store/lmdb-folder.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { dayMs } from "../../../src/model/resolution.ts"
import { noonMs } from "../../support/ingest/samples.ts"

const golden = new URL("../../../data/golden/format-3/data.mdb.gz", import.meta.url)

for (const name of ["recentRaw", "raw", "days", "cells"] as const) {
  for (const bit of [1, 12, 22, 30]) {
    test(`repair ends if a key of ${name} has block 2^${bit}`, async (t) => {
      const folder = folderOf(t)
      writeFileSync(join(folder, "data.mdb"), gunzipSync(readFileSync(golden)))
      // Values of format 3 have no checksum of their keys.
      await tampering(folder, (tables) => {
        const [first] = [...tables[name].getRange({ limit: 1 })]
        const { period, block } = keyToPeriod(first!.key)
        const other = Buffer.concat([periodKey(period, block + 2 ** bit), first!.key.subarray(8)])
        tables[name].put(other, Buffer.from(first!.value))
        tables[name].remove(Buffer.from(first!.key))
      })
      const { done, problems } = await repairStore(folder, noonMs)
      assert.ok(done.length > 0)
      assert.deepEqual(problems, [])
      await writing(folder, (writer) => maintainFully(writer, noonMs + 3 * dayMs))
    })
  }
}
