import assert from "node:assert/strict"
import { test } from "node:test"
import { sections } from "../../bench/load/load.ts"
import { parseOptions } from "../../bench/options.ts"
import { compareAnswer } from "../../bench/parts/expected.ts"
import { measureParts } from "../../bench/parts/suite.ts"

const renew = "npm run bench -- --only parts --size small --renew"

test("each part of the bench computes the answer that is kept for it", async () => {
  const parts = await measureParts({ size: "small", timeMs: 0 })

  assert.ok(parts.length > 40, `${parts.length} parts`)
  const names = new Set(parts.map((part) => part.name))
  assert.equal(names.size, parts.length, "Names of parts must differ")
  for (const part of parts) {
    const verdict = compareAnswer("small", part)
    assert.equal(verdict, "same", `${part.name}: ${part.hash}. If that is meant: ${renew}`)
  }
})

test("parseOptions() runs everything at canonical size by default", () => {
  const all = parseOptions([])
  assert.equal(all.size, "canonical")
  assert.equal(all.withParts, true)
  assert.deepEqual(all.sections, Object.keys(sections))

  const some = parseOptions(["--only", "bulk,parts", "--size", "small"])
  assert.equal(some.size, "small")
  assert.equal(some.withParts, true)
  assert.deepEqual(some.sections, ["bulk"])
})

test("parseOptions() refuses a size and a part that do not exist", () => {
  const f = (argv: string[], want: RegExp) => assert.throws(() => parseOptions(argv), want)

  f(["--size", "huge"], /--size huge/)
  f(["--only", "agent,toString"], /--only toString/)
  f(["--only", "agents"], /--only agents/)
  f(["--connections", "0"], /--connections 0/)
})
