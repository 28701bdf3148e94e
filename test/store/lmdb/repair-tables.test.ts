import assert from "node:assert/strict"
import { test } from "node:test"
import { dayMs, hourMs } from "../../../src/model/resolution.ts"
import { catalogueTables, recordTables, type Tables } from "../../../src/store/lmdb/disk/tables.ts"
import { repairStore, verifyStore } from "../../../src/store/open.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { append, noonMs, plain, seriesName, steadyRequests } from "../../support/ingest/samples.ts"
import { folderOf, tampering, writing } from "../../support/store/lmdb-folder.ts"

/** Their records have a checksum of their key, and keys of one table are those of another. */
const tables = [...recordTables, ...catalogueTables]
type Name = (typeof tables)[number]

/** A compacted day, a compacted hour of the day with recent samples, and closed cycles. */
async function fill(folder: string): Promise<void> {
  await writing(folder, (writer) => {
    const of = ["cpu", "disk"].map((metric) => seriesName("web-1", metric))
    for (const fromMs of [noonMs - 2 * dayMs, noonMs]) {
      append(writer, ...steadyRequests({ of, fromMs, toMs: fromMs + hourMs, stepMs: 60_000 }))
      // A day whose series are all alike is a valid record of hours, too.
      append(writer, [plain(fromMs, 7, of[0])])
      maintainFully(writer, fromMs + hourMs)
    }
  })
}

/** Moves the first record of each other table to `target`, in place of what has its key; how many. */
function moveAll(all: Tables, target: Name): number {
  const moved = tables
    .filter((name) => name !== target)
    .flatMap((name) =>
      [...all[name].getRange({ limit: 1 })].map(({ key, value }) => {
        return { name, key: Buffer.from(key), value: Buffer.from(value) }
      }),
    )
  for (const { name, key } of moved) all[name].remove(key)
  for (const { key, value } of moved) all[target].put(key, value)
  return new Set(moved.map(({ key }) => key.toString("hex"))).size
}

for (const target of tables) {
  test(`records of other tables among ${target} are found and set aside`, async (t) => {
    const folder = folderOf(t)
    await fill(folder)
    const moved = await tampering(folder, (all) => moveAll(all, target))
    assert.ok(moved >= 4, `Expected records to move, got ${moved}`)
    assert.ok((await verifyStore(folder)).problems.length > 0)
    const { done, problems } = await repairStore(folder, noonMs)
    const strays = done.filter((line) => /set aside/.test(line))
    assert.ok(strays.length >= moved, done.join("\n"))
    assert.deepEqual(problems, [])
    await writing(folder, (writer) => maintainFully(writer, noonMs + 3 * dayMs))
  })
}
