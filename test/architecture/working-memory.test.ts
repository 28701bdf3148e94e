import assert from "node:assert/strict"
import { test } from "node:test"
import { codeOf, readSources, type Source } from "./sources.ts"

/** Folders whose modules hold constants only: memory belongs to a job, a reader or a caller. */
const folders = ["store", "rollup", "cycle", "analysis", "policy", "engine", "model"]

/** Files that may keep working memory between calls. */
const exceptions: readonly { readonly path: RegExp; readonly reason: string }[] = [
  {
    path: /^src\/(?:rollup|store\/lmdb)\/encoding\//,
    reason: "filled and read within one call to encode or decode; its 40 callers would pass it on",
  },
  {
    path: /^src\/store\/lmdb\/disk\/record\.ts$/,
    reason: "one buffer for the bytes of every record, of which encodeRecord returns a copy",
  },
  {
    path: /^src\/rollup\/(?:group-aggregator|bucket-tables)\.ts$/,
    reason: "V8 embeds the arrays of a function that is called once: 8 ns a value instead of 13",
  },
  {
    path: /^src\/store\/lmdb\/tiers\/compacted-day\.ts$/,
    reason: "the same: reads of compacted days take half the time",
  },
  {
    path: /^src\/store\/lmdb\/(?:wal\/segment|disk\/wal-file-system)\.ts$/,
    reason: "zero bytes, which nothing writes to",
  },
  { path: /^src\/model\/fqn\.ts$/, reason: "a table of characters, filled when it is loaded" },
]

const declaration = /^(?:export )?(const|let) (\w+|\{[^}]*\})(?:: ([^=]+))? = (.*)$/gm
/** A new object, or that of a factory; arrays of length 0 hold nothing. */
const isMade = /^(?:new (?!RegExp\b|\w+Array\(0\))|(?:create|make)[A-Z])/
const isReadonly = /^(?:readonly |Readonly|CycleOverrides$)/
const mutators = "push|pop|shift|unshift|splice|sort|fill|set|add|delete|clear"

/** Names of what a module keeps and writes to after it is loaded. */
function workingMemory(text: string): string[] {
  const code = codeOf(text)
  return [...code.matchAll(declaration)].flatMap(([, kind, name = "", type = "", value = ""]) => {
    const isWritten = new RegExp(
      String.raw`^\s+.*(?<![.\w])${name}(?:\.\w+|\[[^\]]*\]!?)+(?: [-+*|&]?=(?!=)|\+\+|--)` +
        String.raw`|(?<![.\w])${name}\.(?:${mutators})\(`,
      "m",
    )
    if (kind === "let") return [name]
    if (isMade.test(value)) return isReadonly.test(type) ? [] : [name]
    return /^\w+$/.test(name) && isWritten.test(code) ? [name] : []
  })
}

function offences({ path, text }: Source): string[] {
  if (exceptions.some((exception) => exception.path.test(path))) return []
  return workingMemory(text).map((name) => `${path}: ${name}`)
}

test("modules of the write path and of arithmetic keep no working memory", () => {
  const sources = readSources(...folders.map((folder) => `src/${folder}`))
  assert.ok(sources.length > 150)
  assert.deepEqual(sources.flatMap(offences), [])
})

test("each exception has a file with working memory, or with bytes that look like it", () => {
  const sources = readSources("src")
  for (const { path, reason } of exceptions) {
    const found = sources.filter((source) => path.test(source.path))
    assert.ok(found.flatMap(({ text }) => workingMemory(text)).length > 0, `${path}: ${reason}`)
  }
})

test("working memory is recognised in each of its forms", () => {
  const forms = [
    "let last = 0",
    "const cells = new CellColumns(256)",
    "export const byName = new Map<string, number>()",
    "const { all, count } = createTables()",
    "const moments = { sum: NaN }\nfunction f() {\n  moments.sum = 1\n}",
    "const kept: number[] = []\nfunction f() {\n  if (a) kept.push(1)\n}",
    "const range = Float64Array.of(0, 1)\nfunction f() {\n  range[0] += 1\n}",
  ]
  for (const form of forms) assert.equal(workingMemory(form).length, 1, form)
  const constants = [
    "const names = [1, 2]\nconst f = () => names[0] === 1",
    "const known: ReadonlySet<string> = new Set([1])",
    "const nothing = new Uint8Array(0)",
    "const sums = { max: 1 }\nfunction f() {\n  const total = sums.max\n  other.sums.max = 1\n}",
  ]
  for (const constant of constants) assert.deepEqual(workingMemory(constant), [], constant)
})
