/**
 * Compile cache: V8's compiled code of all modules, kept from the first start on in a folder next
 * to the program, where only those may write who could change the program itself. Node has it from
 * 22.8 on; the single executable carries its own (.ci/package/compile.ts).
 */

import module from "node:module"
import { fileURLToPath } from "node:url"
import { isSingleExecutable } from "./resources.ts"

/** Functions that the types of Node 20 lack. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown
  readonly flushCompileCache?: () => void
}

const { enableCompileCache, flushCompileCache } = module as typeof module & CompileCache

/**
 * Keeps the code of modules that are loaded from now on, in this thread, in threads and in child
 * processes, which take the folder from `env`. Does nothing from the sources, on older versions of
 * Node, and if the folder cannot be written to.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv): void {
  const url = import.meta.url
  if (isSingleExecutable || url.endsWith(".ts") || enableCompileCache === undefined) return
  const folder = fileURLToPath(new URL("compile-cache", url))
  env["NODE_COMPILE_CACHE"] ??= folder
  enableCompileCache(env["NODE_COMPILE_CACHE"])
}

/**
 * Writes the code of the modules that this thread has loaded, unless it was taken from there. To be
 * called before V8's flags change: code that is written later has others and is never taken.
 */
export function writeCompiledCode(): void {
  flushCompileCache?.()
}
