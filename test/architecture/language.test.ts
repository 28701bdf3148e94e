import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { rootFolder } from "../support/project-paths.ts"
import {
  bannedIdentifiers,
  bannedWords,
  commentProblems,
  exportedNames,
  phraseProblems,
  stringProblems,
} from "./language.ts"
import { readSources, readText, type Source } from "./sources.ts"

const sources = readSources("src")
const everything = readSources("src", "test", "bench")
const words = bannedWords(readText("src/README.md")!)

/** Strings that cannot change: names on disk, and an action of SNS. */
const foreignStrings =
  /: (?:inbox|folded|published|journal-(?:\$\{\}|hold)?|lost-place-\S+|Publish)$/

/** An instruction of WebAssembly. */
const foreignIdentifiers = /: extract_lane$/

/** Names on disk, published works, and the action of SNS. */
const foreignInComments =
  /journal-\d|meta\/published|Journal of|[Pp]ublished (?:packages|test)|[Ss]ns|SNS/

/** These files quote what they forbid. */
const own = (path: string) => path.startsWith("test/architecture/language")

/** Documents of the project; the changelog keeps the words of its day. */
function documents(): Source[] {
  const folders = [
    "",
    "src",
    "src/docs",
    "src/spec",
    "src/store",
    "src/store/format",
    "src/analysis",
    "bench",
    "data",
    "test",
  ]
  return folders.flatMap((folder) =>
    readdirSync(join(rootFolder, folder))
      .filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md")
      .map((name) => join(folder, name))
      .map((path) => ({ path, text: readText(path)! })),
  )
}

test("an exported name is declared once in src", () => {
  const isWeb = ({ path }: Source) => path.startsWith("src/web/")
  const repeated = (some: readonly Source[]) =>
    [...exportedNames(some)].filter(([, files]) => files.length > 1)
  assert.deepEqual(repeated(sources.filter((source) => !isWeb(source))), [])
  // Pages share no code with the server, and each has a file of its words, `text`.
  const isText = ({ path }: Source) => path.endsWith("/text.ts")
  assert.deepEqual(repeated(sources.filter((source) => isWeb(source) && !isText(source))), [])
})

test("no identifier has a word that the glossary replaces", () => {
  assert.ok(words.length > 15, `${words.length} words`)
  const found = sources.flatMap((source) => bannedIdentifiers(source, words))
  assert.deepEqual(
    found.filter((entry) => !foreignIdentifiers.test(entry)),
    [],
  )
})

test("no string of src has a word that the glossary replaces, or a phrase of the list", () => {
  const found = sources.flatMap((source) => stringProblems(source, words))
  assert.deepEqual(
    found.filter((entry) => !foreignStrings.test(entry)),
    [],
  )
})

test("no comment or test title has a word that the glossary replaces", () => {
  // In comments "place" is English.
  const replaced = words.filter((word) => word !== "place")
  const found = everything.flatMap((source) => commentProblems(source, replaced))
  assert.deepEqual(
    found.filter((entry) => !own(entry) && !foreignInComments.test(entry)),
    [],
  )
})

test("no comment, test title or document has a phrase of the list", () => {
  assert.deepEqual(
    [...everything, ...documents()].filter(({ path }) => !own(path)).flatMap(phraseProblems),
    [],
  )
})

test("the language checks catch a repeated name, a replaced word and a phrase", () => {
  const source = (path: string, text: string) => ({ path, text })
  const twice = exportedNames([
    source("src/a.ts", "export interface Plan {}"),
    source("src/b.ts", "export type Plan = 1\nexport { other } from './c.ts'"),
  ])
  assert.deepEqual([...twice], [["Plan", ["src/a.ts", "src/b.ts"]]])

  const counted =
    (problemsOf: (of: Source, words: readonly string[]) => readonly unknown[]) =>
    (text: string, want: number) =>
      assert.equal(problemsOf(source("src/a.ts", text), ["seal", "slow reader"]).length, want, text)

  const f = counted(bannedIdentifiers)
  f("const sealDay = 1", 1)
  f("isSeal()", 1)
  f("slowReader.read()", 1)
  f("const steal = 1", 0)
  f('"seal" // seal', 0)

  const h = counted(stringProblems)
  h('const text = "a day is sealed"', 1)
  h("const text = `a ${x ? 'sealed' : ''} day`", 1)
  h('const text = "nobody"', 1)
  h("const text = `steal ${seal}` // seal", 0)
  h('import { a } from "./seal/seal.ts"', 0)

  const k = counted(commentProblems)
  k("// An unsealed day.", 1)
  k('test("a day seals", () => {})', 1)
  k("const seal = 1", 0)
  k("// `seal` is a name; to steal.", 0)

  const g = (text: string, want: RegExp | null) => {
    const found = phraseProblems(source("src/a.ts", text)).join()
    if (want === null) assert.equal(found, "")
    else assert.match(found, want)
  }
  g("// Null where there is none.", /if there is none/)
  g("/** What is known. */", /subject first/)
  g('test("nobody is asked", () => {})', /the actor/)
  g('const text = "nobody"', null)
  g("// `at once` is a name.", null)
})
