/**
 * Examples of docstrings: the code after `@example` up to the end of the comment. Such code sees
 * `assert` and everything that its module exports, and may import other modules.
 */

import { posix } from "node:path"
import { build, type Plugin } from "esbuild"
import { codeOf, type Source } from "./sources.ts"
import { nodeBundle } from "../support/run/bundles.ts"

export interface Example {
  /** The module that has the example. */
  readonly path: string
  readonly line: number
  readonly code: string
}

const comment = /^\/\*\*\n(?: \*.*\n)*? \* @example\n((?: \*.*\n)+?) \*\//gm

export function examplesOf({ path, text }: Source): Example[] {
  return [...text.matchAll(comment)].map((match) => {
    const code = match[1]!.replaceAll(/^ \* ?/gm, "")
    const before = text.slice(0, match.index + match[0].indexOf(match[1]!))
    return { path, line: before.split("\n").length, code }
  })
}

/** The example as a module that imports `assert` and what it uses of the module's own exports. */
export function moduleOf({ path, code }: Example, source: Source): string {
  const names = [...codeOf(source.text).matchAll(exportForm)]
    .filter(([, , name]) => new RegExp(`\\b${name}\\b`).test(code))
    .map(([, kind, name]) => (/interface|type/.test(kind!) ? `type ${name}` : name!))
  const own = `import { ${names.join(", ")} } from "./${posix.basename(path)}"`
  return `import assert from "node:assert/strict"\n${own}\n${code}`
}

const exportForm =
  /^export (?:abstract )?(?:async )?(function\*?|class|const|interface|type) ([\w$]+)/gm

/**
 * Bundles modules, each with the path of the file in whose folder its imports are resolved, to one
 * file each in `outdir`: `0.js`, `1.js` and so on.
 */
export async function bundleModules(
  modules: readonly { readonly path: string; readonly code: string }[],
  { rootFolder, outdir }: { readonly rootFolder: string; readonly outdir: string },
): Promise<void> {
  const examples: Plugin = {
    name: "examples",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^example:/ }, ({ path }) => ({ path, namespace: "example" }))
      onLoad({ filter: /.*/, namespace: "example" }, ({ path }) => {
        const { code, path: file } = modules[Number(path.slice("example:".length))]!
        return {
          contents: code,
          loader: "ts",
          resolveDir: posix.join(rootFolder, posix.dirname(file)),
        }
      })
    },
  }
  await build({
    absWorkingDir: rootFolder,
    entryPoints: Object.fromEntries(modules.map((_, i) => [`${i}`, `example:${i}`])),
    outdir,
    ...nodeBundle,
    plugins: [examples],
    logLevel: "error",
  })
}
