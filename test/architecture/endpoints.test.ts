/** README.md tells every endpoint as the route table has it. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Access, DescribedRoute, Method } from "../../src/http/shared/route.ts"
import { describedRoutes } from "../../src/http/api/routes/route-table.ts"
import { section } from "../support/markdown.ts"
import { readText } from "./sources.ts"

const callers: Readonly<Record<Access, string>> = {
  reader: "any user",
  writer: "not Read Only",
  administrator: "administrator",
  key: "API key",
  anyone: "everybody",
  local: "this machine, any user",
}

interface Row {
  readonly method: Method
  readonly paths: string[]
  readonly who: string
  readonly summary: string
}

/** One name of a path that has two. */
const oneName = (path: string) => path.replace("/elasticsearch/", "/search/")

/** Operations of one section; one that goes by both names is one row. */
function rowsOf(routes: readonly DescribedRoute[]): Row[] {
  const rows: Row[] = []
  for (const { path, operations } of routes) {
    for (const [name, { access, summary }] of Object.entries(operations)) {
      const method = name as Method
      const shown = path.replace(/:(\w+)/g, "{$1}")
      const other = rows.find((row) => row.method === method && row.paths[0] === oneName(shown))
      if (other === undefined) rows.push({ method, paths: [shown], who: callers[access], summary })
      else other.paths.push(shown)
    }
  }
  return rows
}

/** The headings and tables, as lines of Markdown. */
function endpointLines(routes: readonly DescribedRoute[]): string[] {
  const names = [...new Set(routes.map((route) => route.section))]
  return names.flatMap((name) => [
    `### ${name}`,
    "| method | path | who | what |",
    "|---|---|---|---|",
    ...rowsOf(routes.filter((route) => route.section === name)).map(
      ({ method, paths, who, summary }) =>
        `| ${method} | ${paths.map((path) => `\`${path}\``).join(", ")} | ${who} | ${summary} |`,
    ),
  ])
}

/** As one pastes it: headings stand between empty lines. */
const asText = (lines: readonly string[]) =>
  lines.map((line) => (line.startsWith("#") ? `\n${line}\n` : line)).join("\n")

const writtenLines = (markdown: string) =>
  section(markdown, /^## Endpoints/)
    .split("\n")
    .filter((line) => /^(### |\|)/.test(line))

test("README.md lists every endpoint of the route table, and no other", () => {
  const wanted = endpointLines(describedRoutes)
  const written = writtenLines(readText("README.md")!)
  const strange = written.filter((line) => !wanted.includes(line))
  const missing = wanted.filter((line) => !written.includes(line))
  assert.deepEqual(
    written,
    wanted,
    `Not in the route table:\n${strange.join("\n")}\nNot in README.md:\n${missing.join("\n")}\n` +
      `Put this below "## Endpoints":\n${asText(wanted)}`,
  )
})

test("the list has a row an operation, and a path with two names shares one", () => {
  const operation = { summary: "Finds", access: "reader", answer: { status: 200, description: "" } }
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
  const head = ["| method | path | who | what |", "|---|---|---|---|"]
  assert.deepEqual(lines, [
    "### A",
    ...head,
    "| POST | `/a/search/b`, `/a/elasticsearch/b` | any user | Finds |",
    "### C",
    ...head,
    "| GET | `/c/{id}` | any user | Finds |",
    "| PUT | `/c/{id}` | any user | Finds |",
  ])
})
