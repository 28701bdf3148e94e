/** Commits to the tables of the folder that its argument names; durability.test.ts looks on. */

import { openTables, textKey } from "../../../src/store/lmdb/disk/tables.ts"

const commits = 3
const tables = openTables(process.argv[2]!)
for (let i = 0; i < commits; i++) {
  await tables.meta.put(textKey(`key-${i}`), Buffer.alloc(10_000, i))
}
await tables.root.close()
