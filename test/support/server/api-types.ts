/** TypeScript types of the API, generated from its description by openapi-typescript. */

import { createRequire } from "node:module"
import { join } from "node:path"
import { build } from "esbuild"

interface Generator {
  default(api: object): Promise<unknown>
  astToString(ast: unknown): string
}

/**
 * The types as a module. `folder`: of the generator's bundle. It asks for the compiler of
 * TypeScript 5 as a library, which 7 is no more; the copy in @ts-morph/common takes its place.
 */
export async function apiTypes(api: object, folder: string): Promise<string> {
  const outfile = join(folder, "openapi-typescript.cjs")
  const require = createRequire(import.meta.url)
  const compiler = join(require.resolve("@ts-morph/common"), "..", "typescript.js")
  await build({
    stdin: {
      contents: `export { default, astToString } from "openapi-typescript"`,
      resolveDir: import.meta.dirname,
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    alias: { typescript: compiler },
    external: [compiler],
    logLevel: "warning",
  })
  const generator = require(outfile) as Generator
  return generator.astToString(await generator.default(api))
}
