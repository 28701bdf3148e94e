/** Only its owner can open a store (A10). */

import assert from "node:assert/strict"
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { restrictToOwner } from "../../../src/store/lmdb/disk/private-files.ts"
import { makeFolder, removeFolder } from "../../support/machine/folder.ts"

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8)

function openFolder(t: TestContext, files: readonly string[]): string {
  const folder = makeFolder("tidegauge-private")
  t.after(() => removeFolder(folder))
  chmodSync(folder, 0o755)
  for (const name of files) {
    const path = join(folder, name)
    if (name.includes("/")) mkdirSync(join(path, ".."), { recursive: true, mode: 0o755 })
    writeFileSync(path, "")
    chmodSync(path, 0o644)
  }
  return folder
}

const own = ["data.mdb", "lock.mdb", "journal-12", "run.json", "backup.json", "journal-hold"]

test("files and folder of a store are closed, with what a repair set aside", (t) => {
  const aside = "quarantine-2026-01-05T00-00-00-000Z"
  const folder = openFolder(t, [...own, `${aside}/journal-1`, `${aside}/names-00ff`])
  chmodSync(join(folder, aside), 0o755)
  assert.deepEqual(restrictToOwner(folder), [])
  assert.equal(modeOf(folder), "700")
  assert.equal(modeOf(join(folder, aside)), "700")
  const files = [...own, `${aside}/journal-1`, `${aside}/names-00ff`]
  for (const name of files) assert.equal(modeOf(join(folder, name)), "600", name)
})

test("a folder with other files keeps its rights and theirs, and that is reported", (t) => {
  const folder = openFolder(t, ["data.mdb", "notes.txt"])
  const [warning, ...more] = restrictToOwner(folder)
  assert.deepEqual(more, [])
  assert.match(warning!, /is open to other users of this machine: it holds other files too/)
  assert.deepEqual(
    readdirSync(folder).map((name) => modeOf(join(folder, name))),
    ["600", "644"],
  )
  assert.equal(modeOf(folder), "755")
  chmodSync(folder, 0o700)
  assert.deepEqual(restrictToOwner(folder), [])
})

test("files of another user are reported and left, and no link is followed", (t) => {
  const folder = openFolder(t, ["data.mdb", "journal-1"])
  const other = openFolder(t, ["target"])
  symlinkSync(join(other, "target"), join(folder, "lock.mdb"))
  const warnings = restrictToOwner(folder, 12_345)
  assert.equal(warnings.length, 3, warnings.join("\n"))
  for (const warning of warnings)
    assert.match(warning, /is open to other .*: it belongs to user \d/)
  assert.equal(modeOf(join(folder, "data.mdb")), "644")
  assert.deepEqual(restrictToOwner(folder), [])
  assert.equal(modeOf(join(other, "target")), "644")
})

test("a folder behind a link is closed, and one that does not exist is not made", (t) => {
  const folder = openFolder(t, ["data.mdb"])
  const place = openFolder(t, [])
  const link = join(place, "link")
  symlinkSync(folder, link)
  assert.deepEqual(restrictToOwner(link), [])
  assert.equal(modeOf(folder), "700")
  assert.deepEqual(restrictToOwner(join(place, "missing")), [])
  assert.deepEqual(readdirSync(place), ["link"])
})
