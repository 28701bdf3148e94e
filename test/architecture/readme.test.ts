import assert from "node:assert/strict"
import { test } from "node:test"
import { section, tableRows } from "../support/project/markdown.ts"
import { layers, packageDoors } from "./layers.ts"
import { readText } from "./sources.ts"

const sourceReadme = readText("src/README.md")!
const dependencies: string[] = Object.keys(JSON.parse(readText("package.json")!).dependencies)

function unexplainedPackages(markdown: string, packages: readonly string[]): string[] {
  const rows = tableRows(section(markdown, /dependencies/i))
  return packages.filter((name) => {
    const reason = rows.find(([cell]) => cell === name)?.at(-1) ?? ""
    return reason.split(" ").length < 5
  })
}

test("src/README.md gives a reason for every runtime dependency, and for nothing else", () => {
  assert.deepEqual(unexplainedPackages(sourceReadme, dependencies), [])
  const named = tableRows(section(sourceReadme, /dependencies/i)).map(([name]) => name!)
  assert.deepEqual(named.slice(1).sort(), [...dependencies].sort())
})

test("src/README.md lists the layers as the layers test has them", () => {
  const listed = (names: readonly string[] | undefined, none: string) =>
    names === undefined || names.length === 0 ? none : names.join(", ")
  const want = layers.map(({ folder, mayImport }) => [folder, listed(mayImport, "–")])
  const page = section(sourceReadme, /^## Layers/)
  assert.deepEqual(
    tableRows(page)
      .slice(1)
      .map(([folder, , mayImport]) => [folder, mayImport]),
    want,
  )
  const restricted = layers.flatMap(({ folder, publicModules }) =>
    publicModules === undefined ? [] : [`${folder}: ${publicModules.join(", ")}`],
  )
  const pure = layers.filter(({ isPure }) => isPure).map(({ folder }) => folder)
  const text = page.replaceAll("`", "").replace(/\s+/g, " ")
  assert.ok(text.includes(`from outside it: ${restricted.join("; ")}.`), restricted.join("; "))
  assert.ok(text.includes(`(no node: module): ${pure.join(", ")}.`), pure.join(", "))
})

test("src/README.md names the doors of every package", () => {
  const rows = tableRows(section(sourceReadme, /dependencies/i)).slice(1)
  const have = Object.fromEntries(rows.map(([name, doors]) => [name, doors!.split(", ")]))
  assert.deepEqual(have, packageDoors)
})

test("the check catches a package without a reason and one without a row", () => {
  const reasons =
    "## Dependencies\n| a | here | it does one thing very well |\n| b | there | good |"
  assert.deepEqual(unexplainedPackages(reasons, ["a", "b", "c"]), ["b", "c"])
})
