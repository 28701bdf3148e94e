/**
 * Docs files: the files of the pages at `/docs`.
 *
 * HTML, CSS and JavaScript are files that browsers run unchanged, so that linter, formatter and
 * `tsc` (page/tsconfig.json) check them. Not TypeScript: from the sources nothing would compile
 * them, and a generated copy could differ. The handbook is Markdown in src/docs. `npm run build`
 * copies all of them next to the bundles.
 */

import { resourceText } from "../../runtime/resources.ts"

export const referencePage = readDocsFile("docs.html")
export const docsStyle = readDocsFile("docs.css")
export const docsScript = readDocsFile("docs.js")

export function readDocsFile(name: string): string {
  return resourceText(`docs/${name}`)
}
