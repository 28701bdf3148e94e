/**
 * `npm run package`: the single executable and the Debian package of each architecture, into
 * `build/`.
 *
 *   src ─► bundle.ts ─► scripts ─► compile.ts ─► V8's code ─┐
 *   pages, handbook, packages of data/, licences ───────────┼─► executable.ts ─► one file
 *   package-lock.json ─► runtime, LMDB's native library ────┘      │
 *   units, scripts, configuration, completions, manual page ───────┴─► deb/contents.ts ─► .deb
 *
 * Options: `--arch x64` for one architecture, `--out FOLDER` for another folder. Needs `npm ci`, and
 * the packages of .ci/package/package-lock.json, which the npm script installs.
 */

import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { bundleScripts, rootFolder, type Script } from "./bundle.ts"
import { carriedIn, licencesText, partsFolder, type Architecture } from "./carried.ts"
import { compileScripts } from "./compile.ts"
import { debName, makeDeb } from "./deb/contents.ts"
import { buildExecutable, trimElf } from "./executable.ts"
import { sbomOf } from "./sbom.ts"
import { assetList } from "../../src/runtime/resources.ts"

const architectures: readonly Architecture[] = ["x64", "arm64"]

interface Manifest {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly integrity: string }>
  >
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { arch: { type: "string" }, out: { type: "string", default: "build" } },
  })
  const chosen = architectures.filter((one) => values.arch === undefined || values.arch === one)
  if (chosen.length === 0) throw new Error(`Expected --arch ${architectures.join(" or ")}`)
  checkLibraryVersion()
  const out = resolve(values.out)
  mkdirSync(out, { recursive: true })
  const scripts = await bundleScripts()
  const files: string[] = []
  for (const architecture of chosen) files.push(...(await packageFor(architecture, scripts, out)))
  writeFileSync(join(out, "SHA256SUMS"), files.map((name) => sumLine(out, name)).join(""))
}

/** Writes the executable, its list of components and the Debian package; returns their names. */
async function packageFor(
  architecture: Architecture,
  scripts: readonly Script[],
  out: string,
): Promise<string[]> {
  const name = `tidegauge-${version()}-linux-${architecture}`
  const runtime = nodeOf(architecture)
  const carried = carriedIn(scripts, architecture)
  const licences = licencesText(readText("LICENSE"), carried)
  const builder = nodeOf(process.arch as Architecture)
  const assets = new Map<string, Uint8Array>([
    ...scripts.map(({ name: script, text }) => [script, Buffer.from(text)] as const),
    // Compiled code fits the architecture on which it was made.
    ...(architecture === process.arch ? compiledAssets(runtime, scripts) : []),
    ...resourcesOf(architecture),
    ["licences.txt", Buffer.from(licences)],
  ])
  const names = JSON.stringify([...assets.keys()].sort())
  buildExecutable({
    builder,
    runtime,
    main: scripts.find((script) => script.name === "start.js")!.text,
    assets: new Map([...assets, [assetList, Buffer.from(names)]]),
    output: join(out, name),
  })
  writeFileSync(join(out, `${name}.cdx.json`), sbomOf(carried, architecture))
  const executable = readFileSync(join(out, name))
  const about = { version: version(), architecture, licences, node: builder }
  writeFileSync(join(out, debName(about)), await makeDeb({ ...about, executable }))
  return [name, `${name}.cdx.json`, debName(about)]
}

function compiledAssets(runtime: string, scripts: readonly Script[]): [string, Buffer][] {
  return [...compileScripts(runtime, scripts)].map(([name, code]) => [`${name}.cache`, code])
}

/** The names are those of src/runtime/resources.ts. */
function resourcesOf(architecture: Architecture): [string, Uint8Array][] {
  const library = join(partsFolder, `lmdb-${architecture}`, "node.napi.glibc.node")
  return [
    ["package.json", Buffer.from(JSON.stringify({ name: "tidegauge", version: version() }))],
    ["native/lmdb.node", trimElf(readFileSync(library))],
    ...filesBelow("src/docs", "docs"),
    ...filesBelow("src/http/description/page", "docs").filter(([path]) => !path.endsWith(".json")),
    ...filesBelow("data/packages", "packages"),
    ...webFiles(),
  ]
}

/** The web interface, built anew: `dist` may be of another commit. */
function webFiles(): [string, Uint8Array][] {
  const folder = "scratch/package-web"
  const argv = ["--import", "tsx", "src/build/web.ts", "--out", join(rootFolder, folder)]
  execFileSync(process.execPath, argv, { cwd: rootFolder })
  // The server reads scripts and styles in their compressed forms only.
  return filesBelow(folder, "web").filter(([name]) => !/\.(?:js|css)$/.test(name))
}

function filesBelow(folder: string, name: string): [string, Uint8Array][] {
  const entries = readdirSync(join(rootFolder, folder), { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const start = join(rootFolder, folder).length
  return paths.sort().map((path) => [`${name}${path.slice(start)}`, readFileSync(path)])
}

/** The native library belongs to the JavaScript of the package lmdb: both have one version. */
function checkLibraryVersion(): void {
  const read = (path: string) => (JSON.parse(readText(path)) as Manifest).packages
  const [own, parts] = [read("package-lock.json"), read(".ci/package/package-lock.json")]
  for (const architecture of architectures) {
    const wanted = own[`node_modules/@lmdb/lmdb-linux-${architecture}`]?.integrity
    if (parts[`node_modules/lmdb-${architecture}`]?.integrity !== wanted) {
      throw new Error(`Expected lmdb-${architecture} in .ci/package as package-lock.json has it`)
    }
  }
}

function nodeOf(architecture: Architecture): string {
  return join(partsFolder, `node-${architecture}`, "bin/node")
}

function version(): string {
  return (JSON.parse(readText("package.json")) as { version: string }).version
}

function readText(path: string): string {
  return readFileSync(join(rootFolder, path), "utf8")
}

function sumLine(folder: string, name: string): string {
  const sum = createHash("sha256")
    .update(readFileSync(join(folder, name)))
    .digest("hex")
  return `${sum}  ${name}\n`
}

await main()
