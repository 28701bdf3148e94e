import assert from "node:assert/strict"
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { makeFolder } from "../../src/base/make-folder.ts"
import { makeFolder as makeRoot, removeFolder } from "../support/machine/folder.ts"

const root = makeRoot("tidegauge-make-folder")
after(() => removeFolder(root))

const codeOf = (code: string) => (error: unknown) => (error as NodeJS.ErrnoException).code === code

test("a folder is made with those above it, for its owner alone", () => {
  const path = join(root, "a", "b", "c")
  assert.equal(makeFolder(path), join(root, "a"))
  for (const one of [join(root, "a"), path]) assert.equal(statSync(one).mode & 0o777, 0o700)
  assert.equal(makeFolder(path), undefined)
  assert.equal(makeFolder(`${path}/../d/`), join(root, "a", "b", "d"))
})

test("a path that takes no folder is an error of the system", () => {
  const file = join(root, "file")
  writeFileSync(file, "")
  symlinkSync(join(root, "nowhere"), join(root, "link"))
  assert.throws(() => makeFolder(file), codeOf("EEXIST"))
  assert.throws(() => makeFolder(join(file, "x", "y")), codeOf("ENOTDIR"))
  assert.throws(() => makeFolder(join(root, "link")), codeOf("EEXIST"))
  if (existsSync("/proc/self")) assert.throws(() => makeFolder("/proc/x/y"), codeOf("ENOENT"))
  assert.throws(() => makeFolder(join(root, "n".repeat(300))), codeOf("ENAMETOOLONG"))
})

test("a folder that appears meanwhile is no error", () => {
  const link = join(root, "link-to-folder")
  mkdirSync(join(root, "real"))
  symlinkSync(join(root, "real"), link)
  assert.equal(makeFolder(link), undefined)
})
