/** The calls of the system by which the WAL and LMDB put on disk what is acknowledged, in order. */

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import fs, { constants, readFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { nodeFileSystem } from "../../../src/store/lmdb/disk/wal-file-system.ts"
import { folderOf, tampering } from "../../support/store/lmdb-folder.ts"
import { bundleOf } from "../../support/project-paths.ts"

const isLinux = process.platform === "linux"
const descriptor = (file: number, of: "fd" | "fdinfo") => `/proc/self/${of}/${file}`

/** Paths in the order in which they are synced. */
function spySyncs(t: TestContext): string[] {
  const synced: string[] = []
  const { fsyncSync } = fs
  const replace = (by: typeof fsyncSync) => {
    fs.fsyncSync = by
    syncBuiltinESMExports()
  }
  replace((file) => {
    synced.push(fs.readlinkSync(descriptor(file, "fd")))
    fsyncSync(file)
  })
  t.after(() => replace(fsyncSync))
  return synced
}

test("a segment of the WAL and its name are synced before it is used", { skip: !isLinux }, (t) => {
  const folder = fs.realpathSync(folderOf(t))
  const [made, named] = [join(folder, "made"), join(folder, "named")]
  const synced = spySyncs(t)
  nodeFileSystem.create(made, [Buffer.alloc(4096)])
  assert.deepEqual(synced, [made, folder])
  nodeFileSystem.rename(made, named)
  assert.deepEqual(synced, [made, folder, folder])
})

test("a write to the WAL returns when it is on disk", { skip: !isLinux }, (t) => {
  const path = join(folderOf(t), "segment")
  nodeFileSystem.create(path, [Buffer.alloc(4096)])
  const file = nodeFileSystem.open(path)
  t.after(() => nodeFileSystem.close(file))
  const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(descriptor(file, "fdinfo"), "utf8"))![1]!
  assert.equal(Number.parseInt(flags, 8) & constants.O_DSYNC, constants.O_DSYNC)
})

const hasStrace = spawnSync("strace", ["-V"]).status === 0
const calls = "pwrite64,pwritev,writev,fdatasync,fsync"

test("LMDB syncs the pages of a commit, then writes its meta page", async (t) => {
  if (!hasStrace) return t.skip("SKIPPED: no strace here; `tidy.test.ts` bans the options alone")
  const [folder, log] = [folderOf(t), join(folderOf(t), "calls")]
  const options = ["-f", "-y", "-e", `trace=${calls}`, "-o", log]
  const child = [process.execPath, bundleOf("test/store/lmdb/commit-child.ts"), folder]
  const { status, stderr } = spawnSync("strace", [...options, ...child], { encoding: "utf8" })
  assert.equal(status, 0, stderr)
  const metaBytes = 2 * (await tampering(folder, ({ pageBytes }) => pageBytes))
  assert.ok(checkOrder(readFileSync(log, "utf8").split("\n"), metaBytes) >= 3)
})

/** Counts the meta pages that are written, none of which may be before the pages are synced. */
function checkOrder(lines: readonly string[], metaBytes: number): number {
  let commits = 0
  let isDirty = false
  for (const line of lines.filter((one) => /data\.mdb>|f(?:data)?sync resumed/.test(one))) {
    const isSync = /f(?:data)?sync(?:\(| resumed)/.test(line)
    const at = /, (\d+)\) += \d+$/.exec(line)?.[1]
    if (isSync) isDirty &&= line.includes("unfinished")
    else if (at !== undefined && Number(at) < metaBytes) {
      assert.ok(!isDirty, line)
      commits++
    } else isDirty = true
  }
  return commits
}
