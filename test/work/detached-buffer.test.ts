/** Detached buffers: from the first one on V8 checks typed arrays (src/codec/encoder.ts). */

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { test } from "node:test"
import { bundleOf } from "../support/project-paths.ts"
import { folderOf } from "../support/store/lmdb-folder.ts"

/** Whether V8 has seen a buffer detached. */
function hasDetached(args: readonly string[]): boolean {
  const program = bundleOf("test/work/detached-buffer-child.ts")
  const argv = ["--trace-protector-invalidation", program, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8" })
  assert.equal(status, 0, stderr)
  return stdout.includes("ArrayBufferDetaching")
}

test("flushes and compactions detach no buffer", (t) => {
  assert.equal(hasDetached([folderOf(t)]), false)
  assert.equal(hasDetached([]), true)
})
