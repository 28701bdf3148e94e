/**
 * All tests, as `npm test` runs them: bundled together by esbuild, then run by `node --test`, two
 * processes at a time. `npm test -- api/find query` runs the files whose paths contain a word;
 * with `--long` (`npm run test:long`) only those that have a long size, in that size. Without a
 * word the tests in a real browser are left to `npm run browser`, but for their smoke. What failed
 * is also written to the file of `--failures FILE`.
 *
 *   test/<folder>/*.test.ts ──► one bundle a folder, or a file ──► node --test
 *   src/main.ts             ──► the program as delivered  ◄── started by tests
 *   bundleOf("…")           ──► their children, threads   ◄──┘
 *
 * Tests are written for `node:test` through tsx, which still runs a file alone. For the whole suite
 * it is too slow: a file that imports the server takes 2.4 to 2.9 s of CPU before its first test,
 * 0.6 s from a bundle; there were 201 such processes, besides their children and threads.
 */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { build, transform, type Plugin } from "esbuild"
import { buildProgram, bundleName, makeBundleFolder, rootFolder } from "./support/project-paths.ts"
import { sizeVariable } from "./support/run/sizes.ts"

/** One for each core of the machine that the suite is measured on. */
const processesAtOnce = 2
/**
 * A file that takes longer is ended and named: one that hung once held up a run for 90 minutes
 * without a word. Ten times what the longest takes on two cores.
 */
const fileMsMax = 10 * 60_000

const reporterName = "failure-reporter"

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

/** Their browser is a program for this platform alone. */
const hasBrowser = process.platform === "linux" && process.arch === "x64"

interface Entry {
  readonly name: string
  readonly paths: readonly string[]
}

function sourcesBelow(place: string): string[] {
  const names = readdirSync(join(rootFolder, place), { recursive: true, encoding: "utf8" })
  const paths = names.map((name) => `${place}/${name.replaceAll("\\", "/")}`)
  return paths.filter((path) => path.endsWith(".ts")).sort()
}

/** The bundles that `node --test` runs, each in a process, in its order: it sorts by name. */
function entriesOf(tests: readonly string[]): Entry[] {
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

function textOf(path: string): string {
  return readFileSync(join(rootFolder, path), "utf8")
}

async function bundle(): Promise<void> {
  await build({
    absWorkingDir: rootFolder,
    entryPoints: {
      ...Object.fromEntries(entries.map(({ name }) => [name, `tests:${name}`])),
      [reporterName]: "test/support/run/failure-reporter.ts",
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
    plugins: [joinTests, keepPlaces],
  })
}

/** The modules that a file starts as a child or as a thread. */
function childrenOf(path: string): string[] {
  return [...textOf(path).matchAll(/\bbundleOf\(\s*"([\w/-]+\.ts)"/g)].map((call) => call[1]!)
}

/** An entry is a module that imports its files, and is nowhere on disk. */
const joinTests: Plugin = {
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
}

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

function reporters(): string[] {
  const all = ["--test-reporter=spec", "--test-reporter-destination=stdout"]
  if (values.failures === undefined) return all
  const reporter = join(folder, `${reporterName}.js`)
  return [...all, `--test-reporter=${reporter}`, `--test-reporter-destination=${values.failures}`]
}

async function run(): Promise<number> {
  const limits = [`--test-concurrency=${processesAtOnce}`, `--test-timeout=${fileMsMax}`]
  const flags = ["--enable-source-maps", "--test", ...limits, ...reporters()]
  const files = entries.map(({ name }) => join(folder, `${name}.js`))
  const child = spawn(process.execPath, [...flags, ...files], { cwd: rootFolder, stdio: "inherit" })
  // It ends what it started; then the bundles go.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal))
  const [status] = (await once(child, "close")) as [number | null]
  return status ?? 1
}

const { values, positionals: words } = parseArgs({
  options: { long: { type: "boolean", default: false }, failures: { type: "string" } },
  allowPositionals: true,
})
if (values.long) process.env[sizeVariable] = "long"
const sources = sourcesBelow("test")
const hasLongSize = (path: string) => /from ".*\/sizes\.ts"/.test(textOf(path))
const isOfBrowser = (path: string) => path.startsWith("test/browser/")
const isOfAll = (path: string) => !isOfBrowser(path) || path.endsWith("/smoke.test.ts")
const isNamed = (path: string) => words.some((word) => path.includes(word))
const isChosen = words.length === 0 ? isOfAll : isNamed
const chosen = sources.filter((path) => path.endsWith(".test.ts") && isChosen(path))
const skipped = hasBrowser ? [] : chosen.filter(isOfBrowser)
if (skipped.length > 0) {
  const platform = `${process.platform} ${process.arch}`
  console.error(`SKIPPED: ${skipped.join(", ")}: there is no browser for ${platform}`)
}
const tests = chosen.filter((path) => !skipped.includes(path))
const entries = entriesOf(values.long ? tests.filter(hasLongSize) : tests)
if (entries.length === 0 && skipped.length > 0) process.exit()
// Without files `node --test` searches for tests itself: a mistyped word ran for ten minutes.
if (entries.length === 0) {
  console.error(`No path of a file test/**/*.test.ts contains ${words.join(" or ")}`)
  process.exit(1)
}
const folder = makeBundleFolder()
try {
  await bundle()
  buildProgram(folder, [...new Set(sources.flatMap(childrenOf))])
  process.exitCode = await run()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
