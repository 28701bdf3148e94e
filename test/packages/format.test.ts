import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { formatJson } from "../../src/packages/format.ts"
import { lineOf, jsonProblems } from "../../src/packages/json-position.ts"
import { unzip } from "../../src/packages/unzip.ts"
import { zipOf } from "../../src/packages/zip.ts"

test("formatting is idempotent, and independent of the order of names", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const once = formatJson(JSON.stringify(value))
      assert.equal(formatJson(once), once)
      assert.equal(formatJson(JSON.stringify(reversed(value))), once)
      const shape = once.replace(/"(?:[^"\\]|\\.)*"/g, (text) => (text === '""' ? text : "x"))
      assert.ok(!/(null|\[\]|""|\{\})(,|\n(?!$))/.test(shape))
    }),
  )
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, reversed(one)] as const)
  return Object.fromEntries(entries.reverse())
}

test("empty values are removed with everything that contains nothing else", () => {
  const text = '{"b":[],"a":{"x":null,"y":"[]","z":{"q":""}},"c":[false,0,null,{"n":{}}]}'
  assert.equal(formatJson(text), '{\n  "c": [\n    false,\n    0\n  ]\n}\n')
})

test("a path gives its line, or that of the nearest ancestor if it does not exist", () => {
  const text = '{\n"policy": {\n"a.b": [\n1,\n{"c": 2}]\n}\n}'
  const cases: [string, number][] = [
    ["policy", 2],
    ["policy.a.b", 3],
    ["policy.a.b[0]", 4],
    ["policy.a.b[1].c", 5],
    ["policy.a.b[7]", 3],
    ["policy.name", 2],
    ["body", 1],
  ]
  for (const [path, line] of cases) assert.equal(lineOf(text, path), line, path)
})

test("duplicate names, comments and trailing commas are problems", () => {
  const f = (text: string) => jsonProblems(text).map(({ line, path }) => [line, path])
  assert.deepEqual(f('{"a":1,\n"b":{"a":1},\n"a":2}'), [[3, "a"]])
  assert.deepEqual(f('[{"a":\n{"b":1,"b":1}}]'), [[2, "[0].a.b"]])
  assert.equal(f('{"a":1 // no\n}').length, 1)
  assert.equal(f('{"a":[1,\n]}').length, 1)
  assert.deepEqual(f('{"a":{"a":1}}'), [])
})

test("an archive has the given files, and its bytes do not depend on their order", async () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/)
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, fc.uint8Array({ maxLength: 300 })), async (content) => {
      const files = Object.entries(content)
      const archive = await zipOf(new Map(files))
      assert.deepEqual(archive, await zipOf(new Map(files.reverse())))
      const back = await unzip(archive)
      assert.deepEqual([...back.keys()], [...back.keys()].sort())
      assert.equal(back.size, files.length)
      for (const [one, bytes] of files) {
        assert.deepEqual(Buffer.from(back.get(one)!), Buffer.from(bytes))
      }
    }),
    { numRuns: 50 },
  )
})
