/**
 * Builds the web interface (src/web) into one folder: scripts and styles with a hash in their
 * names, `index.html`, a brotli and a gzip form of each file, and `manifest.json`, which names the
 * files of a first load. `npm run build` runs it, and so do the tests for their servers.
 *
 *   node --import tsx src/web-build.ts [--out dist/web] [--quick]
 *
 * `--quick` compresses less: 0.1 s instead of 0.9 s of brotli.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { build, type Metafile, type Plugin } from "esbuild"

const rootFolder = fileURLToPath(new URL("..", import.meta.url))

/** The page of every path below /app/. The server puts the path of `--base-url` into the base. */
const basePlaceholder = "%BASE%"

interface BuildTarget {
  readonly folder: string
  readonly quick: boolean
}

interface ManifestFile {
  readonly name: string
  readonly bytes: number
  readonly brotliBytes: number
}

/** The files of each page with their sizes; tests of sizes and the bench read them. */
interface Manifest {
  readonly files: readonly ManifestFile[]
  /** Files of a first load of any page. */
  readonly entry: readonly string[]
  /** Files that a page loads in addition, by the path of its module from src/web. */
  readonly pages: Readonly<Record<string, readonly string[]>>
}

async function buildWeb({ folder, quick }: BuildTarget): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const worker = await bundleWorker(folder)
  const first = await bundle(folder, [], worker.name)
  const shared = sharings(first.metafile)
  const { metafile, outputFiles } = await bundle(folder, shared, worker.name)
  const entryStyles = loadedBy(metafile.outputs, mainEntry).filter((name) => name.endsWith(".css"))
  const isServed = (path: string) => !path.endsWith(".css") || entryStyles.includes(basename(path))
  const files = outputFiles
    .filter(({ path }) => isServed(path))
    .map(({ path, contents }) => ({ name: basename(path), contents }))
  const index = Buffer.from(indexPage(metafile))
  const sized = [...files, worker, { name: "index.html", contents: index }].map(
    ({ name, contents }) => {
      const brotli = brotliCompressSync(contents, {
        params: { [constants.BROTLI_PARAM_QUALITY]: quick ? 5 : 11 },
      })
      writeFileSync(join(folder, name), contents)
      writeFileSync(join(folder, `${name}.br`), brotli)
      writeFileSync(join(folder, `${name}.gz`), gzipSync(contents, { level: quick ? 6 : 9 }))
      return { name, bytes: contents.byteLength, brotliBytes: brotli.byteLength }
    },
  )
  const manifest = manifestOf(metafile, sized)
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`)
}

const mainEntry = "src/web/main.tsx"
/** Runs before all modules, as a script that shares no code with them. */
const beforeModules = "src/web/before-modules.ts"

/** The page whose first load has the budget that is hardest to keep. */
const largestPage = "src/web/pages/explore/explore-page.tsx"

const chartFolder = "src/web/chart/"
/** The part of another page that has the chart of the largest one. */
const chartPart = "src/web/pages/incident/condition-charts.tsx"

/** Modules that are loaded by themselves, and what all of them import; paths from the root. */
interface Sharing {
  readonly entries: readonly string[]
  readonly modules: readonly string[]
}

/** The entry of the pages, and what it and other modules load when it is needed. */
function entriesOf({ outputs }: Metafile): string[] {
  return Object.values(outputs)
    .map(({ entryPoint }) => entryPoint)
    .filter((path): path is string => path !== undefined && /^src\/web\/.*\.tsx?$/.test(path))
    .filter((path) => path !== beforeModules)
}

/**
 * Modules and styles of ours that the entry shares with anything, or the largest page with another
 * one, by path from the root. Every module that is loaded by itself imports them, so that they
 * are one chunk: esbuild makes one for each set that share something. A first load of Explore has
 * 14 files less this way, each with a head of 0.9 kB. What it shares with its own parts stays out.
 * The chart and what it needs are a chunk by themselves: two pages load it.
 */
function sharings(metafile: Metafile): Sharing[] {
  const { outputs } = metafile
  const loaded = (entry: string) => importedBy(outputs, outputOf(outputs, entry)[0]).slice(1)
  const entries = entriesOf(metafile)
  const others = entries.filter((entry) => entry.endsWith("-page.tsx") && entry !== largestPage)
  const ofOthers = new Set([...others, chartPart].flatMap(loaded))
  const ofLargest = loaded(largestPage).filter((name) => ofOthers.has(name))
  const shared = modulesOf(outputs, [...loaded(mainEntry), ...ofLargest])
  const isOfChart = (path: string) => path.startsWith(chartFolder)
  return [
    { entries, modules: shared.filter((path) => !isOfChart(path)) },
    { entries: [largestPage, chartPart], modules: shared.filter(isOfChart) },
  ]
}

/** Modules and styles of ours in chunks, by the names of these. */
function modulesOf(outputs: Outputs, names: readonly string[]): string[] {
  const isNamed = ([name, { entryPoint }]: [string, Outputs[string]]) =>
    entryPoint === undefined && names.includes(basename(name))
  const paths = Object.entries(outputs)
    .filter(isNamed)
    .flatMap(([, output]) => Object.keys(output.inputs))
  return paths.filter((one) => /^src\/web\/.*\.(tsx?|module\.css)$/.test(one))
}

/** Options that the bundles of the pages and of their worker share. */
const common = {
  absWorkingDir: rootFolder,
  bundle: true,
  platform: "browser",
  target: "es2022",
  entryNames: "[name]-[hash]",
  tsconfig: "src/web/tsconfig.json",
  minify: true,
  write: false,
  legalComments: "none",
  logLevel: "warning",
} as const

function bundle(folder: string, shared: readonly Sharing[], workerName: string) {
  return build({
    ...common,
    entryPoints: { main: mainEntry, "before-modules": beforeModules },
    outdir: folder,
    splitting: true,
    format: "esm",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".module.css": "local-css" },
    plugins: [iconPaths, allStyles, sharedChunks(shared), workerFile(workerName)],
    metafile: true,
  })
}

/** One file, since not every browser that we serve starts a worker of several. */
async function bundleWorker(folder: string) {
  const entryPoints = { "dense-worker": "src/web/chart/dense/dense-worker.ts" }
  const { outputFiles } = await build({ ...common, entryPoints, outdir: folder, format: "iife" })
  const [file] = outputFiles
  if (file === undefined || outputFiles.length > 1) throw new Error("Expected one file of a worker")
  return { name: basename(file.path), contents: file.contents }
}

/** `worker:dense` gives the name of the worker's file. */
function workerFile(name: string): Plugin {
  return {
    name: "worker-file",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^worker:dense$/ }, ({ path }) => ({ path, namespace: "worker" }))
      onLoad({ filter: /./, namespace: "worker" }, () => {
        return { contents: `export default ${JSON.stringify(name)}`, loader: "js" }
      })
    },
  }
}

/** An icon becomes the data of its paths alone: a third of the bytes, and nothing makes HTML of it. */
const iconPaths: Plugin = {
  name: "icon-paths",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]heroicons[\\/].*\.svg$/ }, ({ path }) => {
      const paths = [...readFileSync(path, "utf8").matchAll(/ d="([^"]+)"/g)].map(([, d]) => d)
      if (paths.length === 0) throw new Error(`Expected paths in ${path}`)
      return { contents: `export default ${JSON.stringify(paths)}`, loader: "js" }
    })
  },
}

/**
 * `styles:all` imports the styles of all pages: esbuild loads those of a module that is imported
 * later by no means, and all together they are smaller than the scripts of one page.
 */
const allStyles: Plugin = {
  name: "all-styles",
  setup({ onResolve, onLoad }) {
    const folder = join(rootFolder, "src/web")
    onResolve({ filter: /^styles:all$/ }, ({ path }) => ({ path, namespace: "styles" }))
    onLoad({ filter: /./, namespace: "styles" }, () => {
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
      const styles = names.filter((name) => name.endsWith(".module.css")).sort()
      const contents = styles.map((name) => `import "./${name}"\n`).join("")
      return { contents, resolveDir: folder }
    })
  },
}

/** Imports the modules of each sharing in its entries. */
function sharedChunks(all: readonly Sharing[]): Plugin {
  return {
    name: "shared-chunks",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/]web[\\/].*\.tsx?$/ }, ({ path }) => {
        const name = relative(rootFolder, path).replaceAll("\\", "/")
        const modules = all.flatMap((one) => (one.entries.includes(name) ? one.modules : []))
        if (modules.length === 0) return undefined
        const imports = [...new Set(modules)]
          .map((one) => `import ${JSON.stringify(join(rootFolder, one))}\n`)
          .join("")
        const loader = path.endsWith("x") ? "tsx" : "ts"
        return { contents: readFileSync(path, "utf8") + imports, loader }
      })
    },
  }
}

type Outputs = Metafile["outputs"]

/** The script and the style of an entry point, and the scripts that it imports statically. */
function loadedBy(outputs: Outputs, entry: string): string[] {
  const [path, { cssBundle }] = outputOf(outputs, entry)
  const styles = cssBundle === undefined ? [] : [basename(cssBundle)]
  return [...importedBy(outputs, path), ...styles]
}

function outputOf(outputs: Outputs, entry: string) {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  if (found === undefined) throw new Error(`Expected an output of ${entry}`)
  return found
}

/** A script and the scripts that it imports other than by `import()`, each once. */
function importedBy(outputs: Outputs, path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return []
  seen.add(path)
  const { imports = [] } = outputs[path] ?? {}
  const next = imports.filter(({ kind, external }) => kind === "import-statement" && !external)
  return [basename(path), ...next.flatMap((one) => importedBy(outputs, one.path, seen))]
}

function manifestOf({ outputs }: Metafile, files: readonly ManifestFile[]): Manifest {
  const entry = loadedBy(outputs, mainEntry)
  const pages = Object.values(outputs)
    .map(({ entryPoint }) => entryPoint)
    .filter((path): path is string => path?.startsWith("src/web/pages/") === true)
    .map((path): [string, string[]] => {
      const loaded = loadedBy(outputs, path).filter((name) => name.endsWith(".js"))
      const names = loaded.filter((name) => !entry.includes(name))
      return [relative("src/web", path), names]
    })
  return { files, entry, pages: Object.fromEntries(pages) }
}

function indexPage({ outputs }: Metafile): string {
  const template = readFileSync(join(rootFolder, "src/web/index.html"), "utf8")
  const names = loadedBy(outputs, mainEntry)
  const [before = ""] = loadedBy(outputs, beforeModules)
  const [main = ""] = names
  const preloads = names.slice(1).filter((name) => name.endsWith(".js"))
  const head = [
    ...names.filter((name) => name.endsWith(".css")).map((name) => styleLink(name)),
    `<script src="${before}"></script>`,
    ...preloads.map((name) => `<link rel="modulepreload" href="${name}">`),
    `<script type="module" src="${main}"></script>`,
  ]
  if (!template.includes(basePlaceholder)) throw new Error(`Expected ${basePlaceholder}`)
  return template.replace("<!-- files -->", head.join("\n    "))
}

function styleLink(name: string): string {
  return `<link rel="stylesheet" href="${name}">`
}

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(rootFolder, "dist/web") },
    quick: { type: "boolean", default: false },
  },
})

await buildWeb({ folder: values.out, quick: values.quick })
