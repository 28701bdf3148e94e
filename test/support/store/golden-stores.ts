/** The golden stores: one of each format, as the program of its time left it. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

export const goldenFolder = new URL("../../../data/golden/", import.meta.url)

/** Names of the stores, as `5`, or `5-inbox` if unflushed batches are in LMDB. */
export const goldenStores = readdirSync(goldenFolder).flatMap(
  (name) => /^format-(\d+.*)$/.exec(name)?.[1] ?? [],
)

/** Writes the files of a golden store to a folder, which exists. */
export function unpackGolden(store: string, folder: string): void {
  const packed = new URL(`format-${store}/`, goldenFolder)
  for (const name of readdirSync(packed)) {
    const bytes = gunzipSync(readFileSync(new URL(name, packed)))
    writeFileSync(join(folder, name.replace(/\.gz$/, "")), bytes)
  }
}
