/**
 * Resources: files that the program reads of itself. They are in folders next to its modules, or in
 * the single executable.
 *
 *   package.json      its version
 *   docs/NAME         pages at /docs: HTML, CSS, JavaScript, Markdown
 *   web/NAME          files of the web interface, see src/build/web.ts
 *   packages/PATH     packages that come with it
 *   licences.txt      licences of all that it carries; only in the single executable
 *
 * Worker threads and child processes run the same program, so how to start them is known here too.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { getRawAsset, isSea } from "node:sea"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export interface Resources {
  /** The bytes of a resource. Throws if the program has none of this name. */
  read(name: string): Uint8Array
  /** Names of all resources below `folder`, sorted. Throws if the program has no such folder. */
  list(folder: string): readonly string[]
  /** Returns the `filename` of a thread pool for the module `name` of src/worker. */
  workerFile(name: string): string
}

/**
 * Folders of the resources relative to this module: below `dist`, in the sources, and in bundles of
 * tests, which are one folder deeper than `dist`. By the first part of the name.
 */
const foldersByName: Readonly<Record<string, readonly string[]>> = {
  "package.json": ["../", "../../"],
  LICENSE: ["../", "../../"],
  docs: ["./", "../http/description/page/", "../docs/"],
  web: ["./web/", "../../dist/web/"],
  packages: ["../data/packages/", "../../data/packages/"],
}

/** Reads resources from folders next to the module at `url`. */
export function createFolderResources(url: string): Resources {
  const urlsOf = (name: string): URL[] => {
    const [first = "", ...rest] = name.split("/")
    const last = rest.length === 0 ? first : rest.join("/")
    return (foldersByName[first] ?? []).map((folder) => new URL(folder + last, url))
  }
  return {
    read: (name) => readFirst(name, urlsOf(name)),
    list: (folder) => {
      const files = filesBelow(folder, urlsOf(`${folder}/`))
      return files.map((file) => `${folder}/${file}`).sort()
    },
    workerFile: (name) => {
      const path = url.endsWith(".ts") ? `../worker/${name}.ts` : `./${name}.js`
      return new URL(path, url).href
    },
  }
}

function readFirst(name: string, urls: readonly URL[]): Uint8Array {
  let cause: unknown
  for (const url of urls) {
    try {
      return readFileSync(url)
    } catch (error) {
      cause = error
    }
  }
  throw new Error(`Expected the resource ${name} next to the program`, { cause })
}

/** Paths of the files below the first of these folders that exists, with forward slashes. */
function filesBelow(name: string, urls: readonly URL[]): string[] {
  const folder = urls.map((url) => fileURLToPath(url)).find((path) => existsSync(path))
  if (folder === undefined) throw new Error(`Expected the resources ${name} next to the program`)
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/"))
}

/** Name of the asset that lists all others, since Node 20 does not. */
export const assetList = "assets.json"

/** Resources in a single executable; `asset` returns the bytes of one, or throws. */
export function createAssetResources(asset: (name: string) => ArrayBuffer): Resources {
  const read = (name: string): Uint8Array => new Uint8Array(asset(name))
  const names = JSON.parse(Buffer.from(read(assetList)).toString()) as string[]
  return {
    read,
    list: (folder) => names.filter((name) => name.startsWith(`${folder}/`)).sort(),
    workerFile: (name) => name,
  }
}

/** Whether this process is the single executable. */
export const isSingleExecutable = isSea()

export const resources: Resources = isSingleExecutable
  ? createAssetResources((name) => getRawAsset(name) as ArrayBuffer)
  : createFolderResources(import.meta.url)

/** A resource as UTF-8 text. Throws if the program has none of this name. */
export function resourceText(name: string): string {
  return Buffer.from(resources.read(name)).toString()
}
