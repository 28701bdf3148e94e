/** The version of this program, as package.json has it. */

import { readFileSync } from "node:fs"

/** Read once, from the package that this module belongs to: `src/` and `dist/` are below it. */
export const version = readVersion(["../package.json", "../../package.json"])

/** The first of these files that is ours; a bundle of the tests is one folder deeper. */
function readVersion(places: readonly string[]): string {
  for (const place of places) {
    try {
      const text = readFileSync(new URL(place, import.meta.url), "utf8")
      const manifest = JSON.parse(text) as { name?: unknown; version?: unknown }
      if (manifest.name === "tidegauge") return String(manifest.version)
    } catch {
      // Not there: the next one.
    }
  }
  return "unknown"
}
