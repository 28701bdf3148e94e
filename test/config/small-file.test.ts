import assert from "node:assert/strict"
import { chmodSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { smallFileBytesMax } from "../../src/base/limits.ts"
import { readSmallFile } from "../../src/config/small-file.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"

test("a small file is read with who may read it; what cannot be read is a problem", (t) => {
  const folder = makeFolder("tidegauge-small-file")
  t.after(() => removeFolder(folder))
  const [path, link] = [join(folder, "a"), join(folder, "b")]
  writeFileSync(path, "text\n")
  symlinkSync(path, link)
  for (const [mode, isOpenToAll] of [
    [0o600, false],
    [0o640, false],
    [0o644, true],
    [0o604, true],
  ] as const) {
    chmodSync(path, mode)
    for (const one of [path, link]) {
      assert.deepEqual(readSmallFile(one), { text: "text\n", isOpenToAll })
    }
  }
  const f = (one: string, want: { problem: string; isMissing: boolean }) =>
    assert.deepEqual(readSmallFile(one), want)
  f(join(folder, "c"), { problem: "does not exist", isMissing: true })
  f(join(path, "c"), { problem: "does not exist", isMissing: true })
  f(folder, { problem: "is a folder", isMissing: false })
  writeFileSync(path, "x".repeat(smallFileBytesMax))
  assert.ok("text" in readSmallFile(path))
  writeFileSync(path, "x".repeat(smallFileBytesMax + 1))
  f(path, { problem: `is larger than ${smallFileBytesMax} bytes`, isMissing: false })
})
