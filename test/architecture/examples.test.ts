import assert from "node:assert/strict"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { pathToFileURL } from "node:url"
import { makeBundleFolder, rootFolder } from "../support/project-paths.ts"
import { bundleModules, examplesOf, moduleOf } from "./examples.ts"
import { readSources } from "./sources.ts"

/** Modules that others use first: each shows how. */
const shownModules = [
  "src/base/async.ts",
  "src/base/bounded-cache.ts",
  "src/base/clock.ts",
  "src/base/cooperative.ts",
  "src/base/token-bucket.ts",
  "src/catalogue/catalogue.ts",
  "src/codec/value-stream.ts",
  "src/digest/digest.ts",
  "src/formula/evaluate.ts",
  "src/ingest/ingest.ts",
  "src/policy/policy-set.ts",
  "src/policy/scope.ts",
  "src/query/query.ts",
  "src/rollup/merge.ts",
  "src/rollup/statistics.ts",
  "src/store/lmdb/wal/wal.ts",
  "src/template/parse.ts",
  "src/wire/body.ts",
  "src/wire/json.ts",
]

const sources = readSources("src")
const examples = sources.flatMap((source) =>
  examplesOf(source).map((example) => ({ ...example, code: moduleOf(example, source) })),
)

test("the modules that others use first have an example", () => {
  const have = new Set(examples.map(({ path }) => path))
  assert.deepEqual(
    shownModules.filter((path) => !have.has(path)),
    [],
  )
  assert.deepEqual(
    sources.filter(({ text }) => text.includes("* @example")).map(({ path }) => path),
    [...have],
    "every @example is found",
  )
})

test("every example of a docstring runs and asserts something", async (t) => {
  const outdir = makeBundleFolder()
  t.after(() => rmSync(outdir, { recursive: true, force: true }))
  await bundleModules(examples, { rootFolder, outdir })
  for (const [i, { path, line, code }] of examples.entries()) {
    await t.test(`${path}:${line}`, async () => {
      assert.match(code, /^ *assert/m)
      await import(pathToFileURL(join(outdir, `${i}.js`)).href)
    })
  }
})
