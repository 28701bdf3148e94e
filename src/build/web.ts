/**
 * Builds the web interface (src/web) into one folder: scripts and styles with a hash in their
 * names, a brotli and a gzip form of each, `index.html`, and `manifest.json`, which names the files
 * of a first load and those that a page loads in addition.
 *
 *   styles: esbuild, one file ─► names of classes ─► modules: rolldown, a few files ─► index.html
 *
 *   node --import tsx src/build/web.ts [--out dist/web] [--quick]
 *
 * `--quick` compresses less: 0.1 s instead of 0.9 s of brotli.
 */

import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { build, type BuildOptions } from "esbuild"
import { rolldown, type ChunkingContext, type OutputChunk, type Plugin } from "rolldown"
import { tabIcon } from "../web/frame/live/tab-icon.ts"
import { pageAddresses } from "../web/pages/page-addresses.ts"

const rootFolder = fileURLToPath(new URL("../..", import.meta.url))
const webFolder = join(rootFolder, "src/web")

interface BuildTarget {
  readonly folder: string
  readonly quick: boolean
}

interface BuiltFile {
  readonly name: string
  readonly contents: Uint8Array
}

interface ManifestFile {
  readonly name: string
  readonly bytes: number
  readonly brotliBytes: number
}

/** The server reads `preloads`; tests of sizes and the bench read the rest. */
interface Manifest {
  readonly files: readonly ManifestFile[]
  /** Files of a first load of any page. */
  readonly entry: readonly string[]
  /** Scripts that a page or part of one loads in addition, by its module's path from src/web. */
  readonly pages: Readonly<Record<string, readonly string[]>>
  /** Scripts that a page loads in addition, by the pattern of its address. */
  readonly preloads: Readonly<Record<string, readonly string[]>>
}

async function buildWeb({ folder, quick }: BuildTarget): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { classes, styles } = await bundleStyles()
  const worker = await bundleAlone("chart/dense/dense-worker.ts")
  const before = await bundleAlone("before-modules.ts")
  const { chunks, later } = await bundleModules(classes, worker.name)
  const scripts = chunks.map(({ fileName, code }) => ({ name: fileName, contents: utf8(code) }))
  const icon = iconFile()
  const sized = [...scripts, worker, before, styles, icon].map((file) => write(folder, file, quick))
  const linked = { before: before.name, styles: styles.name, icon: icon.name }
  const page = { name: "index.html", contents: indexPage(chunks, linked) }
  const files = [...sized, write(folder, page, quick)]
  const manifest: Manifest = { files, ...loadedFiles({ chunks, later }, styles.name) }
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`)
}

function write(folder: string, { name, contents }: BuiltFile, quick: boolean): ManifestFile {
  const brotli = brotliCompressSync(contents, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quick ? 5 : 11 },
  })
  writeFileSync(join(folder, name), contents)
  writeFileSync(join(folder, `${name}.br`), brotli)
  writeFileSync(join(folder, `${name}.gz`), gzipSync(contents, { level: quick ? 6 : 9 }))
  return { name, bytes: contents.byteLength, brotliBytes: brotli.byteLength }
}

const utf8 = (text: string) => Buffer.from(text)

/** Names that the styles give to the classes of a module, by its path. */
type Classes = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Options of esbuild for styles and for scripts that stand alone. */
const alone = {
  absWorkingDir: rootFolder,
  outdir: rootFolder,
  bundle: true,
  platform: "browser",
  target: "es2022",
  entryNames: "[name]-[hash]",
  tsconfig: "src/web/tsconfig.json",
  minify: true,
  write: false,
  legalComments: "none",
  logLevel: "warning",
} as const satisfies BuildOptions

/** One file for all pages: together they are smaller than the scripts of one. */
async function bundleStyles(): Promise<{ readonly classes: Classes; readonly styles: BuiltFile }> {
  const names = readdirSync(webFolder, { recursive: true, encoding: "utf8" })
  const modules = names.filter((name) => name.endsWith(".module.css")).sort()
  const lines = modules.map((name, i) => `export { default as m${i} } from "./${name}"\n`)
  const contents = `import "./style/base.css"\n${lines.join("")}`
  const { outputFiles } = await build({
    ...alone,
    stdin: { contents, resolveDir: webFolder, sourcefile: "main.js" },
    entryNames: "main-[hash]",
    format: "esm",
    loader: { ".module.css": "local-css" },
  })
  const [script, styles] = [".js", ".css"].map((end) =>
    outputFiles.find(({ path }) => path.endsWith(end)),
  )
  const { text } = script!
  const named = await import(`data:text/javascript,${encodeURIComponent(text)}`)
  const classes = new Map(modules.map((name, i) => [join(webFolder, name), named[`m${i}`]]))
  return { classes, styles: { name: basename(styles!.path), contents: styles!.contents } }
}

/** One file: a worker, since not every browser that we serve starts one of several, or no module. */
async function bundleAlone(path: string): Promise<BuiltFile> {
  const entryPoints = [join(webFolder, path)]
  const { outputFiles } = await build({ ...alone, entryPoints, format: "iife" })
  const [file] = outputFiles
  if (file === undefined || outputFiles.length > 1) throw new Error(`Expected one file of ${path}`)
  return { name: basename(file.path), contents: file.contents }
}

const mainEntry = join(webFolder, "main.tsx")

interface Bundled {
  readonly chunks: readonly OutputChunk[]
  /** Modules that are loaded by `import()`. */
  readonly later: readonly string[]
}

async function bundleModules(classes: Classes, workerName: string): Promise<Bundled> {
  const bundle = await rolldown({
    input: { main: mainEntry },
    cwd: rootFolder,
    platform: "browser",
    tsconfig: false,
    transform: { target: "es2022", jsx: { runtime: "automatic", importSource: "preact" } },
    preserveEntrySignatures: false,
    plugins: [classNames(classes), iconPaths, workerFile(workerName)],
  })
  const entries = [mainEntry]
  let names: ReadonlyMap<string, string> | null = null
  // Helpers of rolldown are in no module of ours.
  const name = (id: string, graph: ChunkingContext) =>
    (names ??= chunkNames(graph, entries)).get(id) ?? "main"
  const { output } = await bundle.generate({
    format: "esm",
    minify: true,
    comments: false,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    hashCharacters: "base36",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name, debugName: "chunks" }],
    },
  })
  await bundle.close()
  const chunks = output.filter((one) => one.type === "chunk")
  return { chunks, later: entries.slice(1) }
}

/** The page whose first load has the budget that is hardest to keep. */
const largestPage = "explore-page"

/**
 * The file of each module, by its path, so that a first load has few of them:
 *
 *   main      what all pages need, and what the largest page and another one share
 *   a page    what it needs alone; of the largest one also what parts share with it, as the chart
 *   shared    what several other pages need, and parts as well
 *   parts     what is loaded later, by its folder: `explore-parts`, `frame-parts`; what several
 *             of them share is in `shared-parts`, for it may import the chart
 *
 * Adds to `entries` the modules that are loaded by `import()`.
 */
function chunkNames(graph: ChunkingContext, entries: string[]): ReadonlyMap<string, string> {
  const users = new Map<string, Set<string>>()
  const visit = (id: string, user: string): void => {
    const known = users.get(id) ?? new Set()
    if (known.has(user)) return
    users.set(id, known.add(user))
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {}
    for (const one of dynamicallyImportedIds) if (!entries.includes(one)) entries.push(one)
    for (const imported of importedIds) visit(imported, user)
  }
  for (const entry of entries) visit(entry, ownChunk(entry))
  return new Map([...users].map(([id, names]) => [id, commonChunk([...names])]))
}

const isPage = (name: string) => name === "main" || name.endsWith("-page")

/** Of a module that is loaded by itself. */
function ownChunk(id: string): string {
  const name = basename(id).replace(/\.tsx?$/, "")
  if (isPage(name)) return name
  const folders = relative(webFolder, dirname(id)).split(/[\\/]/)
  return `${folders.at(folders[0] === "pages" ? -1 : 0)}-parts`
}

function commonChunk(users: readonly string[]): string {
  const pages = users.filter(isPage)
  if (pages.includes("main")) return "main"
  if (users.length === 1) return users[0]!
  if (pages.length === 0) return "shared-parts"
  if (!pages.includes(largestPage)) return "shared"
  return pages.length === 1 ? largestPage : "main"
}

/**
 * Puts the name of a class in place of `style["name"]`: it is shorter, and half of the names are of
 * other pages. An object with all of a module stays if a name is computed.
 */
function classNames(classes: Classes): Plugin {
  return {
    name: "class-names",
    load: {
      filter: { id: /\.(?:tsx?|module\.css)$/ },
      handler(id) {
        const names = classes.get(id)
        if (names !== undefined) return { code: defaultOf(names), moduleType: "js" }
        const code = readFileSync(id, "utf8")
        const [, file] = /^import style from "(.+\.module\.css)"$/m.exec(code) ?? []
        if (file === undefined) return null
        const path = join(dirname(id), file)
        const named = code.replaceAll(/\bstyle\["(\w+)"\]/g, (_, name: string) => {
          const short = classes.get(path)?.[name]
          if (short === undefined) throw new Error(`Expected the class ${name} of ${id} in ${path}`)
          return JSON.stringify(short)
        })
        return { code: named, moduleType: id.endsWith("x") ? "tsx" : "ts" }
      },
    },
  }
}

const defaultOf = (value: unknown) => `export default ${JSON.stringify(value)}`

/** An icon becomes the data of its paths alone: a third of the bytes, and nothing makes HTML of it. */
const iconPaths: Plugin = {
  name: "icon-paths",
  load: {
    filter: { id: /[\\/]heroicons[\\/].*\.svg$/ },
    handler(id) {
      const paths = [...readFileSync(id, "utf8").matchAll(/ d="([^"]+)"/g)].map(([, d]) => d)
      if (paths.length === 0) throw new Error(`Expected paths in ${id}`)
      return { code: defaultOf(paths), moduleType: "js" }
    },
  },
}

/** `worker:dense` gives the name of the worker's file. */
function workerFile(name: string): Plugin {
  const id = "worker:dense"
  return {
    name: "worker-file",
    resolveId: (source) => (source === id ? id : null),
    load: (path) => (path === id ? { code: defaultOf(name), moduleType: "js" } : null),
  }
}

/** The chunk with a module, and those that it imports other than by `import()`. */
function importedBy(chunks: readonly OutputChunk[], id: string): string[] {
  const found = chunks.find(({ moduleIds }) => moduleIds.includes(id))
  if (found === undefined) throw new Error(`Expected a chunk with ${id}`)
  const names = new Set([found.fileName])
  for (const name of names) {
    const { imports } = chunks.find(({ fileName }) => fileName === name)!
    for (const one of imports) names.add(one)
  }
  return [...names]
}

function loadedFiles({ chunks, later }: Bundled, styles: string): Omit<Manifest, "files"> {
  const entry = importedBy(chunks, mainEntry)
  const more = (id: string) => importedBy(chunks, id).filter((name) => !entry.includes(name))
  const pages = later.map((id): [string, string[]] => [relative(webFolder, id), more(id)])
  const preloads = Object.entries(pageAddresses).map(([name, pattern]): [string, string[]] => [
    pattern,
    more(join(webFolder, "pages", name, `${name}-page.tsx`)),
  ])
  return {
    entry: [...entry, styles],
    pages: Object.fromEntries(pages),
    preloads: Object.fromEntries(preloads),
  }
}

/** The server puts the path of `--base-url` into it, and links to the scripts of the page. */
const placeholders = ["%BASE%", "<!-- page -->"]

/** The icon of the tab until the page knows whether alerts are open. */
function iconFile(): BuiltFile {
  const contents = utf8(tabIcon(null))
  const hash = createHash("sha256").update(contents).digest("hex").slice(0, 8)
  return { name: `icon-${hash.toUpperCase()}.svg`, contents }
}

/** Files that the document links to, by name. */
interface Linked {
  readonly before: string
  readonly styles: string
  readonly icon: string
}

/** The page of every path below /app/. */
function indexPage(chunks: readonly OutputChunk[], { before, styles, icon }: Linked): Buffer {
  const template = readFileSync(join(webFolder, "index.html"), "utf8")
  const [main, ...imported] = importedBy(chunks, mainEntry)
  const head = [
    `<link rel="icon" type="image/svg+xml" href="${icon}">`,
    `<link rel="stylesheet" href="${styles}">`,
    `<script src="${before}"></script>`,
    ...imported.map((name) => `<link rel="modulepreload" href="${name}">`),
    `<script type="module" src="${main}"></script>`,
  ]
  for (const one of placeholders) if (!template.includes(one)) throw new Error(`Expected ${one}`)
  return utf8(template.replace("<!-- files -->", head.join("\n    ")))
}

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(rootFolder, "dist/web") },
    quick: { type: "boolean", default: false },
  },
})

await buildWeb({ folder: values.out, quick: values.quick })
