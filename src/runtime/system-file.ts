/** Files of /proc and /sys, by which the kernel tells about a process. */

import { readFileSync } from "node:fs"

/** The text of a file; null if it does not exist or cannot be read. */
export function readSystemFile(path: string): string | null {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return null
  }
}
