import assert from "node:assert/strict"
import { test } from "node:test"
import { pathToFileURL } from "node:url"
import { join } from "node:path"
import { createAssetResources, createFolderResources } from "../../src/runtime/resources.ts"
import { rootFolder } from "../support/project-paths.ts"

const fromSources = createFolderResources(
  pathToFileURL(join(rootFolder, "src/runtime/resources.ts")).href,
)

test("sources: a resource is found by its name, a folder lists its files sorted", () => {
  assert.match(String(Buffer.from(fromSources.read("package.json"))), /"name": "tidegauge"/)
  assert.match(String(Buffer.from(fromSources.read("docs/docs.html"))), /<html/)
  assert.match(String(Buffer.from(fromSources.read("docs/operations.md"))), /^# /)
  const packages = fromSources.list("packages")
  assert.ok(packages.includes("packages/containers/package.json"))
  assert.deepEqual(packages, [...packages].sort())
  for (const name of packages) assert.ok(fromSources.read(name).length > 0, name)
  assert.match(fromSources.workerFile("query-worker"), /src\/worker\/query-worker\.ts$/)
})

test("sources: an unknown name and a missing folder are errors that name it", () => {
  assert.throws(() => fromSources.read("docs/none.html"), /docs\/none\.html/)
  assert.throws(() => fromSources.read("other"), /other/)
  const elsewhere = createFolderResources("file:///none/a/b/main.js")
  assert.throws(() => elsewhere.list("packages"), /packages/)
  assert.match(elsewhere.workerFile("query-worker"), /\/none\/a\/b\/query-worker\.js$/)
})

test("executable: resources are assets, listed by the asset with their names", () => {
  const texts: Record<string, string> = {
    "assets.json": JSON.stringify(["packages/b/x", "packages/a/y", "packages.txt", "docs/z"]),
    "docs/z": "page",
  }
  const resources = createAssetResources((name) => {
    const text = texts[name]
    if (text === undefined) throw new Error(`no asset ${name}`)
    const bytes = new ArrayBuffer(text.length)
    new Uint8Array(bytes).set(Buffer.from(text))
    return bytes
  })
  assert.equal(String(Buffer.from(resources.read("docs/z"))), "page")
  assert.deepEqual(resources.list("packages"), ["packages/a/y", "packages/b/x"])
  assert.equal(resources.workerFile("query-worker"), "query-worker")
  assert.throws(() => resources.read("docs/none"), /docs\/none/)
})
