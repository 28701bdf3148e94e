/**
 * Docs page: the files of the page at `/docs`.
 *
 * They are HTML, CSS and JavaScript that browsers run unchanged, so that linter, formatter and
 * `tsc` (page/tsconfig.json) check them. Not TypeScript: from the sources nothing would compile it,
 * and a generated copy could differ. `npm run build` copies them next to the bundles.
 */

import { readFileSync } from "node:fs"

/** Relative to this module: the folder of the sources, and the folder of a bundle. */
const folders = ["./page/", "./"]

export const docsPage = readPageFile("docs.html")
export const docsStyle = readPageFile("docs.css")
export const docsScript = readPageFile("docs.js")

function readPageFile(name: string): string {
  let cause: unknown
  for (const folder of folders) {
    try {
      return readFileSync(new URL(folder + name, import.meta.url), "utf8")
    } catch (error) {
      cause = error
    }
  }
  throw new Error(`Expected ${name} of the docs page next to the program`, { cause })
}
