import assert from "node:assert/strict"
import { test } from "node:test"
import { mayRunAgain } from "../support/run/second-run.ts"

interface Import {
  readonly path: string
  readonly external?: boolean
}

const inputs = (files: Readonly<Record<string, readonly Import[]>>) => {
  const imports = (list: readonly Import[]) =>
    list.map((one) => ({ ...one, kind: "import-statement" as const }))
  const entries = Object.entries(files)
  return {
    inputs: Object.fromEntries(
      entries.map(([path, list]) => [path, { bytes: 1, imports: imports(list) }]),
    ),
  }
}

test("a file may run again if its helpers start something, not if the program could", () => {
  const helper = "test/support/server/server.ts"
  const files = inputs({
    "test/rollup/sum.test.ts": [{ path: "src/rollup/sum.ts" }, { path: "test/support/seed.ts" }],
    "test/support/seed.ts": [{ path: "node:fs", external: true }],
    "src/rollup/sum.ts": [{ path: "node:http", external: true }],
    "test/api/story.test.ts": [{ path: helper }],
    [helper]: [{ path: helper }, { path: "node:child_process", external: true }],
    "test/browser/home.test.ts": [{ path: "playwright-core", external: true }],
  })
  assert.equal(mayRunAgain("test/rollup/sum.test.ts", files), false)
  assert.equal(mayRunAgain("test/api/story.test.ts", files), true)
  assert.equal(mayRunAgain("test/browser/home.test.ts", files), true)
  assert.equal(mayRunAgain("test/gone.test.ts", files), false)
})
