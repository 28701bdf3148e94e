/** A store in a folder whose name looks like a file's. */

import { join } from "node:path"
import { test } from "node:test"
import { openTables } from "../../../src/store/lmdb/disk/tables.ts"
import { folderOf } from "../../support/store/lmdb-folder.ts"

test("a store opens again in a folder with a point in its name", async (t) => {
  const folder = join(folderOf(t), "shop.example")
  for (let times = 0; times < 2; times++) {
    const { root } = openTables(folder)
    await root.close()
  }
})
