/** Which functions of the scripts are compiled when the executable is built. */

import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rootFolder, type Script } from "./bundle.ts"
import type { ScriptPlan } from "./code-cache.ts"

/** Other scripts are small. */
const compiledScripts = ["main.js", "worker-host.js", "shard-worker.js", "query-worker.js"]

const common = [/\/src\/(?:base|engine|model|runtime|wire)\//]

/**
 * Modules of which a start runs more than a third, by the coverage of one (NODE_V8_COVERAGE), as
 * bytes of the functions that are called. Compiled code of the others costs more than it saves: V8
 * reads and checks all of it, used or not.
 */
const startModules: Readonly<Record<string, readonly RegExp[]>> = {
  "main.js": [
    ...common,
    /\/src\/(?:accounts|analytics-settings|config|control|server|http\/(?:api|shared))\//,
    /\/src\/(?:records\/integrations|packages)\/|\/src\/\w+\.ts$/,
    /\/node_modules\/(?:@opentelemetry|hono|ipaddr\.js|pino|piscina|prom-client|semver)\//,
    /\/node_modules\/(?:pino-std-serializers|re2js|sonic-boom|valibot)\//,
  ],
  "worker-host.js": [/\/node_modules\/piscina\//],
  "shard-worker.js": [
    ...common,
    /\/src\/(?:worker|store\/lmdb\/(?:compaction|disk|metadata|wal))\//,
    /\/node_modules\/(?:lmdb|pino|pino-std-serializers|sonic-boom)\/(?!node_modules)/,
  ],
  "query-worker.js": [
    ...common,
    /\/src\/(?:worker|store\/lmdb\/disk)\//,
    /\/node_modules\/lmdb\/(?!node_modules)/,
  ],
}

/**
 * Flags of V8 with which the same script gives the same bytes, in a process of its own: hashes of
 * strings and the age of code, which collections of garbage count, are part of them.
 */
const sameBytes = ["--hash-seed=1", "--predictable", "--single-threaded", "--no-flush-bytecode"]

/** Compiled code by the name of its script; `node` is the runtime of the executable. */
export function compileScripts(node: string, scripts: readonly Script[]): Map<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "tidegauge-compile-"))
  const tool = join(rootFolder, ".ci/package/code-cache.ts")
  try {
    const flags = Number(execFileSync(node, [tool, "flags"], { encoding: "utf8" }))
    const compiled = scripts.filter(({ name }) => compiledScripts.includes(name))
    const compile = (script: Script): readonly [string, Buffer] => {
      const { name, text } = script
      const plan: ScriptPlan = { name, flags, ranges: rangesOf(script) }
      writeFileSync(join(folder, name), text)
      writeFileSync(join(folder, "plan.json"), JSON.stringify(plan))
      execFileSync(node, [...sameBytes, tool, folder], { stdio: "inherit" })
      return [name, readFileSync(join(folder, `${name}.cache`))]
    }
    return new Map(compiled.map(compile))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Ranges of lines of the modules that a start runs. */
function rangesOf({ name, lineFiles }: Script): [number, number][] {
  const patterns = startModules[name] ?? []
  const ranges: [number, number][] = []
  lineFiles.forEach((file, line) => {
    if (file === undefined || !patterns.some((pattern) => pattern.test(`/${file}`))) return
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === line) last[1] = line + 1
    else ranges.push([line, line + 1])
  })
  return ranges
}
