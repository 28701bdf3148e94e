/**
 * The files of the web interface. All are read at the first request and looked up by their exact
 * name, so no path of a request ever reaches the disk.
 */

import { createHash } from "node:crypto"
import { brotliDecompressSync } from "node:zlib"
import { resources } from "../../runtime/resources.ts"
import type { ResponseCoding } from "../shared/send.ts"

export interface WebFile {
  readonly type: string
  /** Decompressed with each call: every browser takes a compressed form. */
  readonly plain: () => Uint8Array
  readonly coded: Readonly<Record<ResponseCoding, Uint8Array>>
}

export interface IndexPage {
  readonly bytes: Uint8Array
  readonly etag: string
}

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
}

const folder = "web"
const basePlaceholder = "%BASE%"

export class WebFiles {
  private files: ReadonlyMap<string, WebFile> | null = null
  private readonly indexPages = new Map<string, IndexPage>()

  /** A script or style, or undefined. */
  find(name: string): WebFile | undefined {
    this.files ??= readFiles()
    return this.files.get(name)
  }

  /** The page of all paths, for a service below `basePath`: empty, or a path without last slash. */
  indexPage(basePath: string): IndexPage {
    let page = this.indexPages.get(basePath)
    if (page === undefined) {
      const text = Buffer.from(resources.read(`${folder}/index.html`)).toString()
      const bytes = Buffer.from(text.replaceAll(basePlaceholder, escaped(basePath)))
      const hash = createHash("sha256").update(bytes).digest("base64url")
      page = { bytes, etag: `"${hash.slice(0, 22)}"` }
      this.indexPages.set(basePath, page)
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

/** Inside a quoted attribute of HTML. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
}
