/**
 * The files of the web interface. All are read at the first request and looked up by their exact
 * name, so no path of a request ever reaches the disk.
 */

import { createHash } from "node:crypto"
import { brotliCompressSync, brotliDecompressSync, gzipSync } from "node:zlib"
import { resources, resourceText } from "../../runtime/resources.ts"
import type { ResponseCoding } from "../shared/send.ts"

export interface WebFile {
  readonly type: string
  /** Decompressed with each call: every browser takes a compressed form. */
  readonly plain: () => Uint8Array
  readonly coded: Readonly<Record<ResponseCoding, Uint8Array>>
}

export interface IndexPage extends WebFile {
  readonly etag: string
}

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
}

const folder = "web"
/** In index.html, as src/build/web.ts leaves them. */
const basePlaceholder = "%BASE%"
const pagePlaceholder = "<!-- page -->"

/** Names of scripts by the pattern of the address that needs them, such as `elements/:fqn`. */
type Preloads = Readonly<Record<string, readonly string[]>>

export class WebFiles {
  private files: ReadonlyMap<string, WebFile> | null = null
  private preloads: Preloads | null = null
  private readonly indexPages = new Map<string, IndexPage>()

  /** A script, style or icon, or undefined. */
  find(name: string): WebFile | undefined {
    this.files ??= readFiles()
    return this.files.get(name)
  }

  /**
   * The page of a path below /app/, for a service below `basePath`: empty, or a path without last
   * slash. It links to the scripts that the page of the path loads after the entry, so that a
   * browser asks for them together with the entry.
   */
  indexPage(basePath: string, path: string): IndexPage {
    this.preloads ??= readPreloads()
    const pattern = Object.keys(this.preloads).find((one) => fits(one, path))
    const key = JSON.stringify([basePath, pattern])
    let page = this.indexPages.get(key)
    if (page === undefined) {
      page = makeIndexPage(basePath, pattern === undefined ? [] : this.preloads[pattern]!)
      this.indexPages.set(key, page)
    }
    return page
  }
}

function readFiles(): ReadonlyMap<string, WebFile> {
  const names = resources.list(folder).map((name) => name.slice(folder.length + 1))
  const compressed = names.filter((name) => name.endsWith(".br")).map((name) => name.slice(0, -3))
  const served = compressed.filter((name) => typeOf(name) !== undefined)
  return new Map(served.map((name) => [name, readFile(name)]))
}

function readFile(name: string): WebFile {
  const read = (suffix: string): Uint8Array => resources.read(`${folder}/${name}${suffix}`)
  const br = read(".br")
  const coded = { br, gzip: read(".gz") }
  return { type: typeOf(name)!, plain: () => brotliDecompressSync(br), coded }
}

function typeOf(name: string): string | undefined {
  return types[name.slice(name.lastIndexOf(".") + 1)]
}

function readPreloads(): Preloads {
  const manifest = JSON.parse(resourceText(`${folder}/manifest.json`)) as { preloads: Preloads }
  return manifest.preloads
}

/** Whether a path is of a pattern, whose parts with a colon match any. */
function fits(pattern: string, path: string): boolean {
  const [wanted, parts] = [pattern, path].map((one) => one.split("/").filter((part) => part !== ""))
  if (wanted!.length !== parts!.length) return false
  return wanted!.every((part, i) => part.startsWith(":") || part === parts![i])
}

function makeIndexPage(basePath: string, scripts: readonly string[]): IndexPage {
  const links = scripts.map((name) => `<link rel="modulepreload" href="${name}">`)
  const text = resourceText(`${folder}/index.html`)
    .replaceAll(basePlaceholder, () => escaped(basePath))
    .replace(pagePlaceholder, links.join("\n    "))
  const bytes = Buffer.from(text)
  const hash = createHash("sha256").update(bytes).digest("base64url")
  return {
    type: "text/html; charset=utf-8",
    plain: () => bytes,
    coded: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes) },
    // Weak: one for all codings.
    etag: `W/"${hash.slice(0, 22)}"`,
  }
}

/** Inside a quoted attribute of HTML. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
}
