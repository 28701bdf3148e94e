/** What the executable carries of other people's work: packages, the runtime, LMDB in C. */

import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { rootFolder, type Script } from "./bundle.ts"

export interface Carried {
  readonly name: string
  readonly version: string
  /** SPDX expression, as its package.json has it. */
  readonly licence: string
  /** Texts of its licence files; none if the package has no such file. */
  readonly texts: readonly string[]
}

export type Architecture = "x64" | "arm64"

/** Where .ci/package/package-lock.json puts the parts of an architecture. */
export const partsFolder = join(rootFolder, ".ci/package/node_modules")

/** Parts in C of the package lmdb, whose licences are in its folder. */
const nativeLicences = [
  "dependencies/lmdb/libraries/liblmdb/LICENSE",
  "dependencies/lmdb/libraries/liblmdb/COPYRIGHT",
  "dependencies/lz4/lib/LICENSE",
]

/** Everything that is in the scripts and beside them, by name. */
export function carriedIn(scripts: readonly Script[], architecture: Architecture): Carried[] {
  const folders = new Set(scripts.flatMap(({ inputs }) => inputs.flatMap(packageFolder)))
  const packages = [...folders].map((folder) => readCarried(join(rootFolder, folder)))
  const runtime = readCarried(join(partsFolder, `node-${architecture}`))
  const library = readCarried(join(partsFolder, `lmdb-${architecture}`))
  const texts = nativeLicences.map((file) => readText(join(rootFolder, "node_modules/lmdb", file)))
  const all = [...packages, runtime, { ...library, texts }]
  const unique = new Map(all.map((one) => [`${one.name}@${one.version}`, one]))
  return [...unique.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

function keyOf({ name, version }: Carried): string {
  return `${name}@${version}`
}

/** `a/node_modules/@b/c/d.js` → `a/node_modules/@b/c`. */
function packageFolder(path: string): string[] {
  const found = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)
  return found === null ? [] : [found[0]]
}

function readCarried(folder: string): Carried {
  const manifest = JSON.parse(readText(join(folder, "package.json"))) as {
    name: string
    version: string
    license?: string
  }
  const { name, version, license: licence } = manifest
  if (licence === undefined && !existsSync(join(folder, "LICENSE"))) {
    throw new Error(`Expected a licence of ${name} in ${folder}`)
  }
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file))
  const texts = files.sort().map((file) => readText(join(folder, file)))
  return { name, version, licence: licence ?? "see the text", texts }
}

function readText(path: string): string {
  return readFileSync(path, "utf8")
}

/** The text that `tidegauge licences` prints. */
export function licencesText(own: string, carried: readonly Carried[]): string {
  const parts = [
    `Tidegauge\n\n${own.trim()}`,
    `Tidegauge carries:\n\n${carried.map(lineOf).join("\n")}`,
    ...carried.map((one) => `${lineOf(one)}\n\n${textOf(one)}`),
  ]
  return `${parts.join(`\n\n${"-".repeat(78)}\n\n`)}\n`
}

function lineOf({ name, version, licence }: Carried): string {
  return `${name} ${version}, ${licence}`
}

function textOf({ texts }: Carried): string {
  if (texts.length === 0) return "The package names this licence and has no text of it."
  return texts.map((text) => text.replaceAll("\r\n", "\n").trim()).join("\n\n")
}
