/** The version of this program, as package.json has it. */

import { readFileSync } from "node:fs"

/** Read once, from the package that this module belongs to: `src/` and `dist/` are below it. */
export const version = readVersion(["../package.json", "../../package.json"])

/** The version in the first of these files that is ours; bundles of tests are one folder deeper. */
function readVersion(paths: readonly string[]): string {
  for (const path of paths) {
    try {
      const text = readFileSync(new URL(path, import.meta.url), "utf8")
      const manifest = JSON.parse(text) as { name?: unknown; version?: unknown }
      if (manifest.name === "tidegauge") return String(manifest.version)
    } catch {
      // Not there: the next one.
    }
  }
  return "unknown"
}
