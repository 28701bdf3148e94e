/** Starts on a store of another format: announced, refused, or impossible. */

import assert from "node:assert/strict"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { formatVersion } from "../../src/store/lmdb/disk/format-version.ts"
import { openTables, textKey } from "../../src/store/lmdb/disk/tables.ts"
import { readFormat } from "../../src/store/lmdb/integrity/read-format.ts"
import { folderOf } from "../support/store/lmdb-folder.ts"
import { goldenStores, unpackGolden } from "../support/store/golden-stores.ts"
import { runProgram, startServer } from "../support/server/server.ts"

const exitFormat = 78
const earlier = goldenStores.filter((store) => Number.parseInt(store, 10) < formatVersion)

function unpacked(t: TestContext, store: string): string {
  const folder = folderOf(t)
  unpackGolden(store, folder)
  return folder
}

/** Bytes, mode and time of every file of a folder, as hexadecimal. */
function contentOf(folder: string): readonly string[] {
  return readdirSync(folder).map((name) => {
    const { mode, mtimeMs } = statSync(join(folder, name))
    return `${name} ${mode} ${mtimeMs} ${readFileSync(join(folder, name)).toString("hex")}`
  })
}

for (const store of earlier) {
  test(`--no-migrate refuses the store of format ${store}, every byte unchanged`, async (t) => {
    const folder = unpacked(t, store)
    const before = contentOf(folder)

    const { status, output } = await runProgram(["--port", "0", "--data", folder, "--no-migrate"])

    assert.equal(status, exitFormat, output)
    const formats = `has format ${Number.parseInt(store, 10)}, .* writes ${formatVersion}`
    assert.match(output, new RegExp(`tidegauge: The store in ".*" ${formats}, and --no-migrate`))
    assert.deepEqual(contentOf(folder), before)
  })
}

test("a change of format is logged and printed once, before it happens", async (t) => {
  const folder = unpacked(t, "5")
  const note = `changes from format 5 to ${formatVersion}\\. A version that knows formats up to 5`
  const server = await startServer({ folder })
  assert.equal(await server.stop(), 0)
  assert.match(server.output(), new RegExp(`^The store in "[^"]*" ${note}`, "m"))
  const versions = `"from":5,"to":${formatVersion}`
  assert.match(server.output(), new RegExp(`"level":"warn".*${versions}.*${note}`))
  assert.equal(readFormat(folder), formatVersion)

  const again = await startServer({ folder, flags: ["--no-migrate"] })
  assert.equal(await again.stop(), 0)
  assert.doesNotMatch(again.output(), /changes from format/)
})

test("a newer format names both and what to do, every byte unchanged", async (t) => {
  const folder = unpacked(t, String(formatVersion))
  const tables = openTables(folder)
  await tables.meta.put(textKey("formatVersion"), Buffer.from(String(formatVersion + 1)))
  await tables.root.close()
  const before = contentOf(folder)
  const { status, output } = await runProgram(["--port", "0", "--data", folder])
  assert.equal(status, exitFormat)
  const formats = `format ${formatVersion + 1}, .* formats up to ${formatVersion}`
  assert.match(
    output,
    new RegExp(`tidegauge: .*${formats}: start the newer .* or restore a backup`),
  )
  assert.deepEqual(contentOf(folder), before)
})

test("a command on accounts leaves an earlier format to the server", async (t) => {
  const folder = unpacked(t, "5")
  const before = contentOf(folder)
  const { status, output } = await runProgram(["user", "list", "--data", folder])
  assert.equal(status, exitFormat)
  const versions = `has format 5, and this command writes ${formatVersion}`
  assert.match(output, new RegExp(`${versions}: start the server first`))
  assert.deepEqual(contentOf(folder), before)
})
