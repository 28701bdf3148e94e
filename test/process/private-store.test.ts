/** No process of the program leaves a file that other users may read (A10). */

import assert from "node:assert/strict"
import { chmodSync, lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { runProgram, startServer } from "../support/server/server.ts"

/** Whatever in a folder is open to others, and the folder itself. */
function openPaths(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
  const paths = ["", ...names].map((name) => join(folder, name))
  return paths.filter((path) => (lstatSync(path).mode & 0o077) !== 0)
}

function openUp(folder: string): void {
  chmodSync(folder, 0o755)
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644)
}

async function run(...argv: string[]): Promise<void> {
  const { status, output } = await runProgram(argv)
  assert.equal(status, 0, output)
}

test("a folder that was open, a store of before, a backup and a restore are private", async () => {
  const folder = makeFolder("tidegauge-private")
  const [store, backup, restored] = ["store", "backup", "restored"].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const mask = process.umask(0o000)
  try {
    const first = await startServer({ folder: store })
    assert.deepEqual(openPaths(store), [])
    const sample = { metricId: "m", timestamp: Date.now(), val: 1 }
    assert.equal((await first.client.ingest([{ id: "e", samples: [sample] }])).status, 202)
    await first.stop()
    openUp(store)
    const second = await startServer({ folder: store })
    assert.deepEqual(openPaths(store), [])
    await run("backup", backup, "--data", store)
    assert.deepEqual([...openPaths(backup), ...openPaths(store)], [])
    await second.stop()
    openUp(backup)
    await run("restore", backup, "--data", restored)
    assert.deepEqual([...openPaths(backup), ...openPaths(restored)], [])
    openUp(restored)
    await run("user", "list", "--data", restored)
    assert.deepEqual(openPaths(restored), [])
    openUp(restored)
    await run("repair", "--data", restored)
    assert.deepEqual(openPaths(restored), [])
  } finally {
    process.umask(mask)
    removeFolder(folder)
  }
})
