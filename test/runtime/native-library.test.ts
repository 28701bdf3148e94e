import assert from "node:assert/strict"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { loadFromFirst, nativeFolders } from "../../src/runtime/native-library.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"

const work = makeFolder("tidegauge-native")
after(() => removeFolder(work))

const bytes = Buffer.from("the library")
const read = (path: string): string => readFileSync(path, "utf8")
const below = (name: string) => ({ path: join(work, name), isBelowExisting: false })
const fileIn = (name: string): string => join(work, name, readdirSync(join(work, name))[0]!)

test("the store's folder comes first, then those of the environment", () => {
  const env = { CACHE_DIRECTORY: "/c:/d", XDG_CACHE_HOME: "/x", HOME: "/h" }
  const paths = nativeFolders("/store", env, false).map(({ path }) => path)
  assert.deepEqual(paths, ["/store/native", "/c", "/x/tidegauge", "/h/.cache/tidegauge"])
  const relative = nativeFolders("/store", { HOME: "", XDG_CACHE_HOME: "x" }, false)
  assert.deepEqual(
    relative.map(({ path }) => path),
    ["/store/native"],
  )
})

test("the file and its folder are for their owner alone; the same file is used again", () => {
  const first = loadFromFirst([below("own")], bytes, read)
  assert.equal(first.exports, "the library")
  assert.equal(statSync(join(work, "own")).mode & 0o777, 0o700)
  assert.equal(statSync(fileIn("own")).mode & 0o777, 0o500)
  const written = statSync(fileIn("own")).mtimeMs
  assert.equal(loadFromFirst([below("own")], bytes, read).exports, "the library")
  assert.equal(statSync(fileIn("own")).mtimeMs, written)
  assert.equal(readdirSync(join(work, "own")).length, 1)
})

test("a changed file, one that others may write to, and a link are replaced", () => {
  loadFromFirst([below("changed")], bytes, read)
  const path = fileIn("changed")
  chmodSync(path, 0o700)
  writeFileSync(path, "another library")
  assert.equal(loadFromFirst([below("changed")], bytes, read).exports, "the library")
  chmodSync(path, 0o777)
  assert.equal(loadFromFirst([below("changed")], bytes, read).exports, "the library")
  assert.equal(statSync(path).mode & 0o777, 0o500)
  const target = join(work, "target")
  writeFileSync(target, bytes)
  mkdirSync(join(work, "linked"), { mode: 0o700 })
  symlinkSync(target, join(work, "linked", path.slice(path.lastIndexOf("/") + 1)))
  assert.equal(loadFromFirst([below("linked")], bytes, read).exports, "the library")
  assert.ok(statSync(fileIn("linked")).ino !== statSync(target).ino)
})

test("what an interrupted start left is replaced", () => {
  loadFromFirst([below("torn")], bytes, read)
  const path = fileIn("torn")
  renameSync(path, `${path}.${process.pid}`)
  assert.equal(loadFromFirst([below("torn")], bytes, read).exports, "the library")
  assert.equal(readdirSync(join(work, "torn")).length, 1)
})

const isAdministrator = process.geteuid?.() === 0

test(
  "the administrator leaves no files in another user's store",
  { skip: !isAdministrator },
  () => {
    mkdirSync(join(work, "other"), { mode: 0o700 })
    chownSync(join(work, "other"), 65534, 65534)
    const folders = [{ path: join(work, "other", "native"), isBelowExisting: true }, below("own")]
    assert.equal(loadFromFirst(folders, bytes, read).exports, "the library")
    assert.deepEqual(readdirSync(join(work, "other")), [])
  },
)

test("a folder that others may use is closed to them", () => {
  mkdirSync(join(work, "open"), { mode: 0o755 })
  loadFromFirst([below("open")], bytes, read)
  assert.equal(statSync(join(work, "open")).mode & 0o777, 0o700)
})

test("the next folder is taken if one fails; an error names all of them", () => {
  writeFileSync(join(work, "file"), "")
  const missing = { path: join(work, "none", "native"), isBelowExisting: true }
  const folders = [missing, below("file/native"), below("refused"), below("last")]
  const load = (path: string): string => {
    if (existsSync(join(work, "last"))) return read(path)
    throw new Error("cannot be executed")
  }
  assert.equal(loadFromFirst(folders, bytes, load).exports, "the library")
  assert.equal(existsSync(join(work, "none")), false)
  const refuse = (): never => {
    throw new Error("cannot be executed")
  }
  assert.throws(() => loadFromFirst(folders, bytes, refuse), {
    code: "storage",
    message: /none\/native: there is no folder[^]*file\/native: [^]*refused: cannot be executed/,
  })
})
