/** Reads the format version of a store without LMDB, which would write to the folder. */

import { existsSync } from "node:fs"
import { join } from "node:path"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { parseVersion, versionKey } from "../disk/format-version.ts"
import { dataFile } from "../disk/store-files.ts"
import { PageFile } from "./page-file.ts"
import { PageWalk } from "./page-walk.ts"

/** The version; null if there is no store, or none that can be read. */
export function readFormat(folder: string): number | null {
  const path = join(folder, dataFile)
  if (!existsSync(path)) return null
  try {
    const file = new PageFile(path)
    try {
      return versionIn(file)
    } finally {
      file.close()
    }
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return null
  }
}

function versionIn(file: PageFile): number | null {
  const walk = new PageWalk(file, file.meta(), { largeValuesMax: 0 })
  const head = walk.trees().get("meta")
  if (head === undefined) return null
  let version: number | null = null
  walk.walk("meta", head, (entry) => {
    if (entry.key.equals(versionKey)) version = parseVersion(entry.value())
  })
  return version
}
