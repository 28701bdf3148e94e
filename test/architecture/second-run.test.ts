import assert from "node:assert/strict"
import { test } from "node:test"
import { testsToRunAgain } from "../support/run/second-run.ts"

const kind = "import-statement" as const
const ours = (path: string) => ({ path, kind })
const others = (path: string) => ({ path, kind, external: true })

const imports = {
  "test/rollup/sum.test.ts": [ours("src/rollup/sum.ts"), ours("test/support/numbers.ts")],
  "test/support/numbers.ts": [others("node:fs")],
  "src/rollup/sum.ts": [others("node:http")],
  "test/api/story.test.ts": [ours("test/support/server.ts")],
  "test/support/server.ts": [ours("test/support/server.ts"), others("node:child_process")],
  "test/browser/home.test.ts": [others("playwright-core")],
  "test/http/head.test.ts": [ours("test/http/laws.ts")],
  "test/http/body.test.ts": [ours("test/http/laws.ts")],
  "test/http/laws.ts": [others("node:net")],
}
const files = Object.entries(imports)
const inputs = Object.fromEntries(files.map(([path, of]) => [path, { bytes: 1, imports: of }]))
const tests = Object.keys(imports).filter((path) => path.endsWith(".test.ts"))
const again = (...places: string[]) => testsToRunAgain(places, tests, inputs)

test("a file runs again if its helpers start something, not if the program could", () => {
  assert.deepEqual(again("test/rollup/sum.test.ts"), [])
  assert.deepEqual(again("test/api/story.test.ts"), ["test/api/story.test.ts"])
  assert.deepEqual(again("test/browser/home.test.ts"), ["test/browser/home.test.ts"])
})

test("a law that a helper defines runs again in all files that have it", () => {
  assert.deepEqual(again("test/http/laws.ts"), ["test/http/head.test.ts", "test/http/body.test.ts"])
})

test("nothing runs again next to a test that only computes, or that is nowhere", () => {
  assert.deepEqual(again("test/api/story.test.ts", "test/rollup/sum.test.ts"), [])
  assert.deepEqual(again("test/api/story.test.ts", ""), [])
})
