import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { rootFolder } from "../support/project-paths.ts"
import { readSources, readText, storePages, type Source } from "./sources.ts"

const folder = "src/spec"
const pages = readdirSync(join(rootFolder, folder))
  .filter((file) => file.endsWith(".md"))
  .map((file): Source => {
    const path = `${folder}/${file}`
    return { path, text: readText(path)! }
  })

/** Everything that may cite a section: code, the Markdown pages of the project, the spec itself. */
const citing: readonly Source[] = [
  ...readSources("src", "test", "bench"),
  ...["README.md", "CHANGELOG.md", "src/README.md", ...storePages, "bench/README.md"]
    .map((path) => ({ path, text: readText(path) ?? "" }))
    .filter(({ text }) => text !== ""),
]

/** This file shows wrong citations. */
const own = "test/architecture/spec.test.ts"

/** `spec/samples` from `src/spec/samples.md`. */
function pageName(path: string): string {
  return path.replace(/^src\//, "").replace(/\.md$/, "")
}

/** The numbers of the headings of a page, such as 1 or 1.2, in order. */
function sectionsOf(text: string): string[] {
  return [...text.matchAll(/^#{2,4} §(\d+(?:\.\d+)?) \S/gm)].map((match) => match[1]!)
}

/** Headings without a number, numbers that are not the next ones, subsections without a parent. */
function numberProblems({ path, text }: Source): string[] {
  const problems: string[] = []
  let [section, subsection] = [0, 0]
  for (const number of sectionsOf(text)) {
    const [major, minor] = number.split(".").map(Number) as [number, number | undefined]
    const isNext =
      minor === undefined
        ? major === section + 1
        : major === section && section > 0 && minor === subsection + 1
    if (!isNext) problems.push(`${path}: §${number} follows §${section}.${subsection}`)
    ;[section, subsection] = [major, minor ?? 0]
  }
  return problems
}

function lineProblems(
  { path, text }: Source,
  problemOf: (line: string, at: number) => string | undefined,
): string[] {
  return text.split("\n").flatMap((line, index) => {
    const problem = problemOf(line, index)
    return problem === undefined ? [] : [`${path}:${index + 1}: ${problem}`]
  })
}

/** Citations `spec/PAGE §N` of sections that do not exist, and of pages without a section. */
function citationProblems(source: Source, known: ReadonlySet<string>): string[] {
  const citation = /(?<![\w/.])spec\/([a-z]+)(?!\w|\.test|\.md|\/)(?: §(\d+(?:\.\d+)?))?/g
  return lineProblems(source, (line) => {
    for (const [whole, page, number] of line.matchAll(citation)) {
      if (number === undefined) return `${whole}: expected a section, as in "spec/${page} §1"`
      if (!known.has(`spec/${page} §${number}`)) return `${whole}: there is no such section`
    }
    return undefined
  })
}

/** Section signs that belong neither to the spec nor to an RFC, and names of documents not here. */
function foreignProblems(source: Source): string[] {
  const ours = /spec\/[a-z]+ §\d+(?:\.\d+)?|RFC \d+ §[\d.]+(?:(?:,| and) §[\d.]+)*/g
  return lineProblems(source, (line) => {
    const found = /§|\bfield-facts\b|\bservice-api\.md\b/i.exec(line.replace(ours, ""))
    return found === null ? undefined : `${found[0]}: expected a citation such as "spec/samples §1"`
  })
}

/** Links and `§N` within a page of the spec that lead nowhere. */
function ownProblems({ path, text }: Source, paths: ReadonlySet<string>): string[] {
  const known = new Set(sectionsOf(text))
  return lineProblems({ path, text }, (line) => {
    if (line.startsWith("#") || path.endsWith("README.md")) return undefined
    for (const [, number] of line.matchAll(/(?<!spec\/[a-z]+ )§(\d+(?:\.\d+)?)/g)) {
      if (!known.has(number!)) return `§${number}: there is no such section of this page`
    }
    for (const [, target] of line.matchAll(/\]\(([^)#]+\.md)/g)) {
      if (!paths.has(`${folder}/${target}`)) return `${target}: there is no such page`
    }
    return undefined
  })
}

const known = new Set(
  pages.flatMap(({ path, text }) =>
    sectionsOf(text).map((number) => `${pageName(path)} §${number}`),
  ),
)

test("sections of the spec are numbered in order, without gaps and repeats", () => {
  assert.ok(known.size > 0)
  assert.deepEqual(pages.flatMap(numberProblems), [])
  const unnumbered = pages
    .filter(({ path }) => !path.endsWith("README.md"))
    .flatMap((page) =>
      lineProblems(page, (line) => (/^##+ (?!§\d+(?:\.\d+)? \S)/.test(line) ? line : undefined)),
    )
  assert.deepEqual(unnumbered, [])
})

test("the index of the spec lists every page and no other", () => {
  const index = pages.find(({ path }) => path.endsWith("README.md"))!
  const listed = [...index.text.matchAll(/^\| \[\w+\]\((\w+\.md)\)/gm)].map((match) => match[1]!)
  const others = pages.map(({ path }) => path.slice(folder.length + 1))
  assert.deepEqual(listed.toSorted(), others.filter((name) => name !== "README.md").toSorted())
})

test("every citation of the spec names a section that exists", () => {
  const paths = new Set(pages.map(({ path }) => path))
  const sources = [...citing, ...pages].filter(({ path }) => path !== own)
  assert.deepEqual(
    sources.flatMap((source) => citationProblems(source, known)),
    [],
  )
  assert.deepEqual(
    pages.flatMap((page) => ownProblems(page, paths)),
    [],
  )
})

test("no other document is cited by section, but for RFCs", () => {
  assert.deepEqual(citing.filter(({ path }) => path !== own).flatMap(foreignProblems), [])
})

test("the checks of the spec catch wrong numbers, citations and links", () => {
  const source = (text: string, path = "src/x.ts") => ({ path, text })
  assert.deepEqual(numberProblems(source("## §1 A\n### §1.1 B\n### §1.2 C\n## §2 D")), [])
  for (const text of ["## §2 A", "## §1 A\n## §1 B", "## §1 A\n### §1.2 B", "### §1.1 A"]) {
    assert.equal(numberProblems(source(text)).length, 1, text)
  }

  const f = (text: string, want: 0 | 1) =>
    assert.equal(citationProblems(source(text), new Set(["spec/samples §1"])).length, want, text)
  f("// (spec/samples §1).", 0)
  f("// RFC 9110 §5.1; import src/spec/samples.md and spec/samples.md", 0)
  f("// test/architecture/spec.test.ts and test/spec/x.ts", 0)
  f("// (spec/samples §2)", 1)
  f("// (spec/samples §1, spec/sample §1)", 1)
  f("// (spec/samples)", 1)
  f("// (spec/samples\n// §1)", 1)

  const g = (text: string, want: 0 | 1) =>
    assert.equal(foreignProblems(source(text)).length, want, text)
  g("// (spec/samples §1, spec/time §2)", 0)
  g("// RFC 9110 §5.1 and §5.5, RFC 4122 §4.3", 0)
  g("// (decisions §4)", 1)
  g("// (decisions\n// §4)", 1)
  g("// fields and order of service-api.md", 1)

  const page = (text: string) => ownProblems(source(text, "src/spec/samples.md"), new Set())
  assert.equal(page("## §1 A\nas in §1 and spec/time §3").length, 0)
  assert.equal(page("## §1 A\nas in §2").length, 1)
  assert.equal(page("[names](names.md)").length, 1)
})
