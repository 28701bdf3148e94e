/**
 * The scripts of the single executable: one for the main thread and one for each kind of worker
 * thread, each with all packages in it, as CommonJS, since Node's single executables load no
 * modules from their assets and V8's code cache is of scripts.
 */

import { SourceMap } from "node:module"
import { fileURLToPath } from "node:url"
import { build, type BuildOptions, type Plugin } from "esbuild"

export const rootFolder = fileURLToPath(new URL("../..", import.meta.url))

export interface Script {
  /** Without its folder: `main.js`. */
  readonly name: string
  readonly text: string
  /** Paths from the checkout of all files that are in it. */
  readonly inputs: readonly string[]
  /** The file of each line of the text; absent for `start.js`, which Node compiles. */
  readonly lineFiles: readonly (string | undefined)[]
}

const options = {
  absWorkingDir: rootFolder,
  bundle: true,
  write: false,
  metafile: true,
  sourcemap: "external",
  sourcesContent: false,
  platform: "node",
  target: "node26",
  format: "cjs",
  charset: "ascii",
  // Comments and blanks are a third of the text, which each thread keeps in memory.
  minifyWhitespace: true,
  lineLimit: 200,
  // Licences are printed by `tidegauge licences`.
  legalComments: "none",
  // A script that is no module has no `import()`; modules of Node load by `require`.
  supported: { "dynamic-import": false },
  define: { "import.meta.url": "moduleUrl" },
  // Its CommonJS form finds its files in a way that cannot be bundled.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  logLevel: "warning",
} satisfies BuildOptions

/** Modules that another one stands in for: `by` takes the place of what `importer` imports. */
interface Substitute {
  readonly imported: RegExp
  readonly importer: RegExp
  /** From the checkout; null for a module that is left out. */
  readonly by: string | null
}

const substitutes: readonly Substitute[] = [
  {
    imported: /^node-gyp-build-optional-packages$/,
    importer: /[\\/]lmdb[\\/]/,
    by: "src/executable/lmdb-library.ts",
  },
  {
    imported: /^(?:node:)?worker_threads$/,
    importer: /[\\/]piscina[\\/]dist[\\/]worker_pool[\\/]/,
    by: "src/executable/worker-threads.ts",
  },
  // Native parts that are used only if they are there.
  { imported: /^msgpackr-extract$/, importer: /[\\/]msgpackr[\\/]/, by: null },
  { imported: /^@napi-rs\/nice$/, importer: /[\\/]piscina[\\/]/, by: null },
]

const substitute: Plugin = {
  name: "substitute",
  setup({ onResolve, onLoad }) {
    for (const { imported, importer, by } of substitutes) {
      onResolve({ filter: imported }, (call) => {
        if (!importer.test(call.importer)) return undefined
        if (by === null) return { path: call.path, namespace: "left-out" }
        return { path: `${rootFolder}${by}` }
      })
    }
    onLoad({ filter: /./, namespace: "left-out" }, () => ({ contents: "module.exports = null" }))
  },
}

/** Piscina's side of a worker thread, which a module of src/worker shares. */
const workerHost = `
  exports.piscina = require("piscina")
  require("./node_modules/piscina/dist/worker.js")
`

const workerModules = ["shard-worker", "query-worker", "password-worker", "backup-worker"]

/** All scripts; `start.js` is the entry of the others. */
export async function bundleScripts(): Promise<Script[]> {
  const scripts = [
    await bundle("start.js", { entryPoints: ["src/executable/start.ts"] }),
    await bundle("main.js", { entryPoints: ["src/main.ts"] }),
    await bundle("worker-host.js", { stdin: { contents: workerHost, resolveDir: rootFolder } }),
  ]
  for (const name of workerModules) {
    const entryPoints = [`src/worker/${name}.ts`]
    scripts.push(await bundle(`${name}.js`, { entryPoints, external: ["piscina"] }))
  }
  return scripts
}

async function bundle(name: string, entry: BuildOptions): Promise<Script> {
  const { outputFiles = [], metafile } = await build({
    ...options,
    ...entry,
    outfile: name,
    plugins: [substitute],
  })
  const code = outputFiles.find(({ path }) => path.endsWith(".js"))!.text
  const map = outputFiles.find(({ path }) => path.endsWith(".map"))!.text
  const text = name === "start.js" ? code : wrap(code)
  if (/[^\0-\x7f]/.test(text)) throw new Error(`Expected ASCII alone in ${name}`)
  const inputs = Object.keys(metafile?.inputs ?? {})
  return { name, text, inputs, lineFiles: filesByLine(text, map) }
}

function filesByLine(text: string, map: string): (string | undefined)[] {
  const sources = new SourceMap(JSON.parse(map))
  return text.split("\n").map((_, line) => {
    const entry = sources.findEntry(line, 0)
    return "originalSource" in entry ? entry.originalSource : undefined
  })
}

/** The parameters are those of `ScriptBody` in src/executable/start.ts. */
function wrap(text: string): string {
  const parameters = "exports, require, module, __filename, __dirname, moduleUrl"
  return `(function (${parameters}) {${text.replace(/^#!.*/, "")}\n})`
}
