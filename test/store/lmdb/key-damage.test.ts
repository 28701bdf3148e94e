import assert from "node:assert/strict"
import { cpSync } from "node:fs"
import { test, type TestContext } from "node:test"
import { openReadStore, scanStore, repairStore, verifyStore } from "../../../src/store/open.ts"
import { knownTables, type TableName } from "../../../src/store/lmdb/integrity/key-check.ts"
import { openEarlierTable } from "../../../src/store/lmdb/disk/tables.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import {
  folderOf,
  moveToInbox,
  openWriter,
  tampering,
  type Warning,
} from "../../support/store/lmdb-folder.ts"
import { append, noonMs, plain, seededNumbers } from "../../support/ingest/samples.ts"
import { answersOf, fillClosings, fillGolden } from "./golden-store.ts"
import { runSeed } from "../../support/run/seed.ts"
import { sized } from "../../support/run/sizes.ts"

const flipsPerTable = sized({ quick: 1, long: 8 })

/** A store with entries in every table, also in that of earlier formats. */
async function filled(t: TestContext): Promise<string> {
  const folder = folderOf(t)
  const writer = openWriter(folder)
  fillGolden(writer)
  fillClosings(writer)
  // The closed day is compacted with its bands; unflushed samples stay unflushed.
  maintainFully(writer, noonMs)
  await writer.close()
  const later = openWriter(folder)
  append(later, [plain(noonMs + 3000, 3)])
  await later.close()
  await moveToInbox(folder)
  return folder
}

async function answersIn(folder: string, warnings: Warning[]): Promise<string[]> {
  const writer = openWriter(folder, warnings)
  const reader = openReadStore({ folder })
  try {
    return answersOf(reader, writer)
  } finally {
    await reader.close()
    await writer.close()
  }
}

/** Moves one value of a table to its key with one bit flipped, which no other value has. */
function flipKey(folder: string, name: TableName, random: () => number) {
  return tampering(folder, (tables) => {
    const table = name === "inbox" ? openEarlierTable(tables)! : tables[name]
    const keys = Array.from(table.getKeys({}), (key) => Buffer.from(key))
    for (;;) {
      const key = keys[Math.floor(random() * keys.length)]!
      const other = Buffer.from(key)
      const bit = Math.floor(random() * 8 * key.length)
      other[bit >> 3]! ^= 1 << (bit & 7)
      if (table.doesExist(other)) continue
      table.put(other, Buffer.from(table.get(key)!))
      table.remove(key)
      return `${name}: ${key.toString("hex")} as ${other.toString("hex")}`
    }
  })
}

for (const name of knownTables) {
  test(`a flipped bit of a key of ${name} is reported, and repair restores it`, async (t) => {
    const whole = await filled(t)
    const opened = folderOf(t)
    cpSync(whole, opened, { recursive: true })
    const wanted = await answersIn(opened, [])
    const seed = runSeed
    t.diagnostic(`seed ${seed}`)
    const random = seededNumbers(seed)
    for (let i = 0; i < flipsPerTable; i++) {
      const folder = folderOf(t)
      cpSync(whole, folder, { recursive: true })
      const what = await flipKey(folder, name, random)
      const problems = scanStore(folder)
      // The start checks batches.
      assert.equal(problems.length > 0, name !== "inbox", `${what}: ${problems[0]}`)
      const { done, problems: left } = await repairStore(folder, noonMs)
      assert.deepEqual(left, [], what)
      assert.equal(done.length > 0, name !== "inbox", what)
      const warnings: Warning[] = []
      assert.deepEqual(await answersIn(folder, warnings), wanted, `${what}: ${done.join()}`)
      assert.equal(warnings.length, name === "inbox" ? 1 : 0, what)
      assert.deepEqual((await verifyStore(folder)).problems, [], what)
    }
  })
}
