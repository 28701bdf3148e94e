/** Bytes of a first load: budgets of scripts and styles, compressed as they are served. */

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { rootFolder } from "../support/project-paths.ts"

interface Manifest {
  readonly files: readonly { readonly name: string; readonly brotliBytes: number }[]
  readonly entry: readonly string[]
  readonly pages: Readonly<Record<string, readonly string[]>>
}

/** Has the layout of graphs, which no other module needs. */
const graph = "pages/element/relations/relations-tab.tsx"
const element = "pages/element/element-page.tsx"
const explore = "pages/explore/explore-page.tsx"
const exploreScriptsMax = 90_000
const stylesMax = 14_000
const pageScriptsMax = 30_000
const graphScriptsMax = 25_000
const allFilesMax = 280_000

test("the scripts and styles of a first load keep their budgets", () => {
  const folder = makeFolder("tidegauge-web")
  try {
    const build = ["--import", "tsx", "src/build/web.ts", "--out", folder]
    const { status, stderr } = spawnSync(process.execPath, build, { cwd: rootFolder })
    assert.equal(status, 0, String(stderr))
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest
    const sizes = new Map(manifest.files.map(({ name, brotliBytes }) => [name, brotliBytes]))
    const bytesOf = (names: readonly string[], ending: string) =>
      names.filter((name) => name.endsWith(ending)).reduce((sum, name) => sum + sizes.get(name)!, 0)
    const { entry, pages } = manifest
    const scripts = bytesOf([...entry, ...pages[explore]!], ".js")
    assert.ok(scripts <= exploreScriptsMax, `${scripts} bytes of scripts of Explore`)
    const styles = bytesOf(entry, ".css")
    assert.ok(styles <= stylesMax, `${styles} bytes of styles`)
    const all = bytesOf([...sizes.keys()], "")
    assert.ok(all <= allFilesMax, `${all} bytes of all files`)
    // The page is loaded before it.
    const ofGraph = pages[graph]!.filter((name) => !pages[element]!.includes(name))
    const graphScripts = bytesOf(ofGraph, ".js")
    assert.ok(graphScripts <= graphScriptsMax, `${graphScripts} bytes of scripts of a graph`)
    for (const [page, names] of Object.entries(pages)) {
      if (page === explore) continue
      // A part comes after its page, and may have the chart, whose bytes are counted with Explore.
      const isPage = page.endsWith("-page.tsx")
      const [, folder] = /^pages\/(\w+)\//.exec(page) ?? []
      const before = [...pages[explore]!, ...(pages[`pages/${folder}/${folder}-page.tsx`] ?? [])]
      const own = isPage ? names : names.filter((name) => !before.includes(name))
      assert.ok(bytesOf(own, ".js") <= pageScriptsMax, `${page}: ${bytesOf(own, ".js")} bytes`)
    }
  } finally {
    removeFolder(folder)
  }
})
