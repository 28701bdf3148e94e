/** Makes folders. */

import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

/** Only their owner may read the folders that hold a store, or lead to one. */
const ownerOnly = 0o700

/**
 * Makes a folder and those above it; returns the uppermost one made, `undefined` if the folder was
 * there. Throws the system's error. `mkdirSync` with `recursive` never returns if the folder above
 * is there and says ENOENT, as `/proc` does.
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at)
  if (missing.length === 0) refuseFile(path)
  for (const folder of missing.toReversed()) makeOne(folder)
  return missing.at(-1)
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: ownerOnly })
  } catch (error) {
    // Another process may have made it meanwhile.
    const isMade = (error as NodeJS.ErrnoException).code === "EEXIST"
    if (!isMade || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Throws EEXIST if the path is that of a file. */
function refuseFile(path: string): void {
  if (!statSync(path).isDirectory()) mkdirSync(path)
}
