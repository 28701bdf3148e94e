/** A client that is generated from /openapi.json compiles strictly, and its calls are answered. */

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { copyFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { after, test } from "node:test"
import { build } from "esbuild"
import { apiTypes } from "../support/server/api-types.ts"
import { makeBundleFolder, rootFolder } from "../support/project-paths.ts"
import { apiKey, useServer } from "../support/server/server.ts"

const folder = makeBundleFolder()
const client = useServer({
  prepare: async ({ send }) => {
    const api = (await send("/openapi.json")).json<object>()
    writeFileSync(join(folder, "api.d.ts"), await apiTypes(api, folder))
    copyFileSync(join(rootFolder, "test/client/calls/calls.ts"), join(folder, "calls.ts"))
  },
})

after(() => rmSync(folder, { recursive: true, force: true }))

/** Output of the TypeScript compiler for a file under the settings of strict projects. */
function compile(file: string): { readonly status: number | null; readonly output: string } {
  const strict = {
    target: "es2023",
    module: "nodenext",
    moduleResolution: "nodenext",
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    types: [],
    paths: { "tidegauge-api": ["./api.d.ts"] },
    lib: ["es2023", "dom"],
  }
  const project = join(folder, `tsconfig.${file}.json`)
  writeFileSync(project, JSON.stringify({ compilerOptions: strict, files: [file] }))
  const compiler = join(rootFolder, "node_modules/typescript/bin/tsc")
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", project])
  return { status, output: stdout.toString() }
}

test("ten calls compile strictly, with every field typed (D2)", () => {
  assert.deepEqual(compile("calls.ts"), { status: 0, output: "" })
})

test("a field that is not declared does not compile", () => {
  const wrong = `import type { components } from "./api.d.ts"
    export const id = (of: components["schemas"]["Element"]): number => of.id + of.nickname`
  writeFileSync(join(folder, "wrong.ts"), wrong)
  const { status, output } = compile("wrong.ts")
  assert.notEqual(status, 0)
  assert.match(output, /nickname/)
})

test("the ten calls are answered by a server", async () => {
  const outfile = join(folder, "calls.mjs")
  const entryPoints = [join(folder, "calls.ts")]
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm" })
  const { makeCalls } = (await import(pathToFileURL(outfile).href)) as {
    makeCalls(place: Readonly<Record<string, string>>): Promise<readonly unknown[]>
  }
  const { url: baseUrl, authorization } = client()
  const [told] = await makeCalls({ baseUrl, apiKey, authorization })
  assert.deepEqual(told, {
    detail: "1 elements received",
    fqn: "web-1",
    metric: "cpu.total",
    total: 1,
    tag: "prod",
    max: 41.5,
    values: [41.5],
    val: 41.5,
    rollup: "ZERO",
    level: 90,
    colors: [],
    status: 204,
    errors: 1,
  })
})
