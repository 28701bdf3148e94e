/**
 * Builds the server into one folder: the entries of the process and of its worker threads with what
 * they share in chunks, and the pages of the handbook. The web interface comes from
 * src/build/web.ts.
 *
 *   node --import tsx src/build/server.ts [--out dist] [NAME=ENTRY …]
 *
 * Packages stay packages. Those in CommonJS are loaded by `require`: an `import` of one makes Node
 * read its source for the names that it exports, in JavaScript that V8 then optimises, in each
 * thread: 0.12 to 0.15 s of the 2.2 s of CPU of a start.
 */

import { readdirSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { build, type Plugin } from "esbuild"

const rootFolder = fileURLToPath(new URL("../..", import.meta.url))
const pages = ["docs.html", "docs.css", "docs.js", "handbook.html"]

/** Packages in CommonJS, and two whose modules import such packages. */
const requiredPackages = [
  "ipaddr.js",
  "jsonc-parser",
  "jszip",
  "lmdb",
  "msgpackr",
  "pino",
  "piscina",
  "prom-client",
  "semver",
  "yauzl",
]
const requiredFilter = new RegExp(`^(?:${requiredPackages.join("|").replaceAll(".", "\\.")})$`)

/** Gives each file what `require` is in CommonJS. */
const requireOfModule =
  'import { createRequire as requireAt } from "node:module";' +
  "const require = requireAt(import.meta.url);"

/** A module in place of each package that returns what `require` does. */
const required: Plugin = {
  name: "required",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: requiredFilter }, ({ path, namespace, kind }) => {
      if (namespace === "required") return { path, external: true }
      // `import()` gives names, which Node finds in the source.
      return kind === "import-statement" ? { path, namespace: "required" } : undefined
    })
    onLoad({ filter: /^/, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
}

interface Entry {
  readonly in: string
  /** Name in the folder, without its ending. */
  readonly out: string
}

function serverEntries(): Entry[] {
  const markdown = readdirSync(join(rootFolder, "src/docs")).filter((name) => name.endsWith(".md"))
  const workers = ["shard", "query", "password", "backup"]
  const paths = [
    "src/main.ts",
    ...workers.map((kind) => `src/worker/${kind}-worker.ts`),
    ...pages.map((name) => `src/http/description/page/${name}`),
    ...markdown.map((name) => `src/docs/${name}`),
  ]
  return paths.map((path) => ({ in: path, out: basename(path, extname(path)) }))
}

function entryOf(word: string): Entry {
  const [out, path] = word.split("=")
  if (!out || !path) throw new Error(`Expected NAME=ENTRY, got ${word}`)
  return { in: path, out }
}

const { values, positionals } = parseArgs({
  options: { out: { type: "string", default: "dist" } },
  allowPositionals: true,
})

await build({
  absWorkingDir: rootFolder,
  entryPoints: [...serverEntries(), ...positionals.map(entryOf)],
  outdir: values.out,
  bundle: true,
  splitting: true,
  sourcemap: true,
  platform: "node",
  target: "node20",
  format: "esm",
  packages: "external",
  loader: { ".md": "copy", ".html": "copy", ".css": "copy", ".js": "copy" },
  banner: { js: requireOfModule },
  plugins: [required],
  logLevel: "warning",
})
