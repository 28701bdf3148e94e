import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { test } from "node:test"
import { otherVariables } from "../../src/config/environment.ts"
import { settingVariable } from "../../src/config/setting.ts"
import { inputList } from "../../src/config/settings.ts"
import { errorCodes } from "../../src/base/errors.ts"
import { exampleMessage } from "../../src/notify/example-message.ts"
import { contentOf } from "../../src/notify/message-content.ts"
import type { DescribedRoute, Method } from "../../src/http/shared/route.ts"
import { section, tableRows } from "../support/project/markdown.ts"
import { rootFolder } from "../support/project-paths.ts"
import { endpointLines, handbookPages, readPage, regenerate } from "./handbook.ts"
import { readSources, readText, storePages } from "./sources.ts"

/** The most words of a page that is read from top to bottom. */
const wordsMax: Readonly<Record<string, number>> = {
  "README.md": 1_200,
  "src/README.md": 1_500,
  "bench/README.md": 900,
}

const pages = [
  ...Object.keys(wordsMax),
  ...handbookPages.map((name) => `src/docs/${name}`),
  "src/DECISIONS.md",
  ...storePages,
]

function strangeVariables(markdown: string): string[] {
  const known = new Set([...inputList.map(settingVariable), ...otherVariables])
  return (markdown.match(/\bTIDEGAUGE_[A-Z0-9_]+\b/g) ?? []).filter((name) => !known.has(name))
}

/** Links of a page to files of the project that do not exist. */
function deadLinks(path: string): string[] {
  const text = readText(path)!.replace(/```.*?```/gs, "")
  return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
    .map((match) => join(rootFolder, dirname(path), match[1]!))
    .filter((target) => !existsSync(target))
    .map((target) => `${path}: ${relative(rootFolder, target)}`)
}

/** Words that are read: rules and cell borders of tables are none. */
const wordCount = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length

test("npm run docs has written the generated parts of the handbook", async () => {
  for (const name of handbookPages) {
    const page = readPage(name)
    assert.equal(page, await regenerate(page), `src/docs/${name}`)
  }
})

test("pages for readers name existing files and variables, and stay short", () => {
  assert.deepEqual(pages.flatMap(deadLinks), [])
  assert.deepEqual(
    pages.flatMap((path) => strangeVariables(readText(path)!)),
    [],
  )
  for (const [path, max] of Object.entries(wordsMax)) {
    const count = wordCount(readText(path)!)
    assert.ok(count <= max, `${path}: ${count} words, at most ${max}`)
  }
})

test("the errors table has exactly the error codes", () => {
  const rows = tableRows(section(readPage("errors-and-limits.md"), /^## Errors/)).slice(1)
  assert.deepEqual(rows.map(([code]) => code!).sort(), Object.keys(errorCodes).sort())
})

test("the page of notifications has every property that a sender reads, and every name", () => {
  const text = readPage("notifications.md")
  const notify = readSources("src/notify").map((source) => source.text)
  const read = notify.flatMap((code) => [
    ...code.matchAll(/(?:properties\[|(?:propertyOf|templateOf)\(properties, )"(\w+)"/g),
  ])
  const properties = new Set(read.map((match) => match[1]!))
  assert.ok(properties.size > 15, [...properties].join())
  assert.deepEqual(
    [...properties].filter((name) => !text.includes(`\`${name}\``)),
    [],
  )
  const { names } = contentOf(exampleMessage(0, randomUUID(), 0), "http://127.0.0.1")
  const rows = tableRows(section(text, /^## Templates/)).slice(1)
  assert.deepEqual(rows.flatMap(([cell]) => cell!.split(", ")).sort(), Object.keys(names).sort())
})

test("the list has a row per operation, and a path with two names shares one", () => {
  const operation = {
    summary: "Finds",
    access: "reader",
    response: { status: 200, description: "" },
  }
  const route = (path: string, name: string, ...methods: Method[]) =>
    ({
      path,
      section: name,
      operations: Object.fromEntries(methods.map((method) => [method, operation])),
    }) as DescribedRoute
  const lines = endpointLines([
    route("/a/search/b", "A", "POST"),
    route("/c/:id", "C", "GET", "PUT"),
    route("/a/elasticsearch/b", "A", "POST"),
  ])
  const head = ["", "| method | path | who | what |", "|---|---|---|---|"]
  assert.deepEqual(lines, [
    "## A",
    ...head,
    "| POST | `/a/search/b`, `/a/elasticsearch/b` | any user | Finds |",
    "",
    "## C",
    ...head,
    "| GET | `/c/{id}` | any user | Finds |",
    "| PUT | `/c/{id}` | any user | Finds |",
    "",
  ])
})

test("the checks catch an unknown variable and part, and count words", async () => {
  assert.deepEqual(strangeVariables("set TIDEGAUGE_PROT or TIDEGAUGE_PORT"), ["TIDEGAUGE_PROT"])
  await assert.rejects(
    async () => regenerate("<!-- generated: nothing -->\n<!-- end -->"),
    /nothing/,
  )
  assert.equal(wordCount("one two\n  | three |"), 3)
})
