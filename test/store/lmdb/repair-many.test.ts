import assert from "node:assert/strict"
import { test } from "node:test"
import { packDocument } from "../../../src/store/lmdb/disk/record.ts"
import { indexKey } from "../../../src/store/lmdb/disk/tables.ts"
import { storedNumbersKey } from "../../../src/store/lmdb/metadata/stored-numbers.ts"
import { repairStore } from "../../../src/store/open.ts"
import { folderOf, reading, tampering, writing } from "../../support/store/lmdb-folder.ts"
import { sized } from "../../support/run/sizes.ts"
import { append, noonMs, plain, seriesName } from "../../support/ingest/samples.ts"

/** The long size is more than the maximum number of arguments of a call. */
const nameCount = sized({ quick: 4_000, long: 160_000 })

test("repair handles more names than a call can have arguments", async (t) => {
  const folder = folderOf(t)
  await writing(folder, (writer) => append(writer, [plain(noonMs, 1, seriesName("host", "m0"))]))
  await tampering(folder, (tables) => {
    for (let name = 1; name < nameCount; name++) {
      const key = indexKey(name)
      tables.names.putSync(key, packDocument(key, { tenant: 0, fqn: `m${name}` }))
    }
    // As before format 7, when each missing number was a loss.
    tables.meta.removeSync(storedNumbersKey)
  })
  await tampering(folder, (tables) => {
    tables.names.removeSync(indexKey(nameCount / 2))
  })

  const { done, problems } = await repairStore(folder, noonMs)
  assert.deepEqual(problems, [])
  assert.match(done.join("\n"), new RegExp(`names, entry ${nameCount / 2}: lost`))
  await reading(folder, ({ catalogue }) => assert.equal(catalogue.nameCount, nameCount))
})
