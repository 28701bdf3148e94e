/**
 * Bundles of tests, by esbuild:
 *
 *   test/<folder>/*.test.ts ──► one bundle a folder, or a file ──► node --test
 *   bundleOf("…")           ──► their children, threads   ◄── started by tests
 *
 * Tests are written for `node:test` through tsx, which still runs a file alone. For the whole suite
 * it is too slow: a file that imports the server takes 2.4 to 2.9 s of CPU before its first test,
 * 0.6 s from a bundle; there were 201 such processes, besides their children and threads.
 */

import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { build, transform, type Metafile, type Plugin } from "esbuild"
import { bundleName, rootFolder } from "../project-paths.ts"

/**
 * Folders whose files start processes, take long, or measure the whole heap: each file runs in a
 * process of its own. The files of another folder share one, and so do those of a folder that use
 * an account of a shared server. In the order in which they start, the longest first, so that no
 * long one is left at the end; `others` is the rank of all other folders.
 */
const order = [
  "process",
  "simulation",
  "contract",
  "abuse",
  "command",
  "bench",
  "browser",
  "others",
  "api",
]

/** A bundle that `node --test` runs in a process. */
export interface Entry {
  readonly name: string
  /** Test files in it, from the checkout. */
  readonly paths: readonly string[]
}

/** The bundles of these files; `node --test` runs them in the order of their names. */
export function entriesOf(tests: readonly string[]): Entry[] {
  const groups = new Map<string, string[]>()
  for (const path of tests) {
    const [, place = ""] = path.split("/")
    const rank = order.indexOf(place)
    const shared = `${order.indexOf("others")}-${place}.test`
    const isAlone = rank >= 0 && !textOf(path).includes("useAccount(")
    const name = isAlone ? `${rank}-${bundleName(path)}` : shared
    groups.set(name, [...(groups.get(name) ?? []), path])
  }
  return [...groups].map(([name, paths]) => ({ name, paths }))
}

/** A bundle for each file, to run it again. */
export function separateEntriesOf(tests: readonly string[]): Entry[] {
  return tests.map((path) => ({ name: `again-${bundleName(path)}`, paths: [path] }))
}

/** How esbuild bundles modules for node, which loads packages itself. */
export const nodeBundle = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
} as const

const reporterName = "outcome-reporter"

/** The reporter's bundle in a folder of bundles. */
export const reporterIn = (folder: string): string => join(folder, `${reporterName}.js`)

/** Writes the bundles into a folder of the checkout, and the reporter's. */
export async function bundleTests(folder: string, entries: readonly Entry[]): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: rootFolder,
    entryPoints: {
      ...Object.fromEntries(entries.map(({ name }) => [name, `tests:${name}`])),
      [reporterName]: "test/support/run/outcome-reporter.ts",
    },
    outdir: folder,
    ...nodeBundle,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: "warning",
    plugins: [joinTests(entries), keepPlaces],
  })
  return metafile
}

export function textOf(path: string): string {
  return readFileSync(join(rootFolder, path), "utf8")
}

/** The modules that a file starts as a child or as a thread. */
export function childrenOf(path: string): string[] {
  return [...textOf(path).matchAll(/\bbundleOf\(\s*"([\w/-]+\.ts)"/g)].map((call) => call[1]!)
}

/** An entry is a module that imports its files, and is nowhere on disk. */
const joinTests = (entries: readonly Entry[]): Plugin => ({
  name: "join-tests",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^tests:/ }, ({ path }) => ({ path, namespace: "tests" }))
    onLoad({ filter: /./, namespace: "tests" }, ({ path }) => {
      const { paths } = entries.find(({ name }) => path === `tests:${name}`)!
      // First the seed, which properties draw from.
      const modules = ["test/support/run/seed.ts", ...paths]
      const contents = modules.map((one) => `import "./${one}"\n`).join("")
      return { contents, resolveDir: rootFolder }
    })
  },
})

/** Tests find their data relative to their sources; only `project-paths.ts` sees bundles. */
const keepPlaces: Plugin = {
  name: "keep-places",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:test|bench)[\\/].*\.ts$/ }, async ({ path }) => {
      const text = readFileSync(path, "utf8")
      if (!text.includes("import.meta.") || path.endsWith("project-paths.ts")) return null
      const define = {
        "import.meta.url": JSON.stringify(pathToFileURL(path).href),
        "import.meta.dirname": JSON.stringify(dirname(path)),
      }
      const form = { format: "esm", target: "node20", loader: "ts" } as const
      const map = { sourcefile: path, sourcemap: "inline", sourcesContent: false } as const
      return { contents: (await transform(text, { ...form, ...map, define })).code, loader: "js" }
    })
  },
}
