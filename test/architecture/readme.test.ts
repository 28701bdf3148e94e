import assert from "node:assert/strict"
import { test } from "node:test"
import { errorCodes } from "../../src/base/errors.ts"
import {
  settingFallback,
  settingFlag,
  settingList,
  settingVariable,
} from "../../src/config/settings.ts"
import { commandTable } from "../../src/command/command-table.ts"
import { typedArgument } from "../../src/command/line/help.ts"
import { variablesOfCommands } from "../../src/config/environment.ts"
import { section, tableRows } from "../support/markdown.ts"
import { layers, packageDoors } from "./layers.ts"
import { readText } from "./sources.ts"

const readme = readText("README.md")
const sourceReadme = readText("src/README.md")!
const dependencies: string[] = Object.keys(JSON.parse(readText("package.json")!).dependencies)
const skip = readme === undefined && "README.md is not written yet"

function undocumentedSettings(markdown: string): string[] {
  const rows = tableRows(markdown)
  return settingList
    .map((setting) => [settingFlag(setting), settingVariable(setting), settingFallback(setting)])
    .filter((wanted) => !rows.some((cells) => wanted.every((text) => cells.includes(text))))
    .map((wanted) => `| ${wanted.join(" | ")} |`)
}

function strangeVariables(markdown: string): string[] {
  const known = new Set([...settingList.map(settingVariable), ...variablesOfCommands])
  return (markdown.match(/\bTIDEGAUGE_[A-Z0-9_]+\b/g) ?? []).filter((name) => !known.has(name))
}

/** First cells of the errors table, header aside. */
function documentedErrors(markdown: string): string[] {
  return tableRows(section(markdown, /error/i))
    .map(([code]) => code!)
    .filter((code) => code.toLowerCase() !== "code")
}

function unexplainedPackages(markdown: string, packages: readonly string[]): string[] {
  const rows = tableRows(section(markdown, /dependencies/i))
  return packages.filter((name) => {
    const reason = rows.find(([cell]) => cell === name)?.at(-1) ?? ""
    return reason.split(" ").length < 5
  })
}

test(
  "README.md documents every setting with flag, variable and default, and no other",
  { skip },
  () => {
    assert.deepEqual(undocumentedSettings(readme!), [])
    assert.deepEqual(strangeVariables(readme!), [])
  },
)

test("README.md lists the commands as the table of commands has them", { skip }, () => {
  const listed = tableRows(section(readme!, /^## Commands/)).slice(1)
  const wanted = commandTable.commands.map((command) => {
    const { name, meaning, arguments: words = [] } = command
    return [[name, ...words.map(typedArgument)].join(" "), meaning]
  })
  assert.deepEqual(listed, wanted)
})

test("the errors table of README.md has exactly the error codes", { skip }, () => {
  assert.deepEqual(documentedErrors(readme!).sort(), Object.keys(errorCodes).sort())
})

test("src/README.md gives a reason for every runtime dependency, and for nothing else", () => {
  assert.deepEqual(unexplainedPackages(sourceReadme, dependencies), [])
  const named = tableRows(section(sourceReadme, /dependencies/i)).map(([name]) => name!)
  assert.deepEqual(named.slice(1).sort(), [...dependencies].sort())
})

test("src/README.md lists the layers as the layers test has them", () => {
  const listed = (names: readonly string[] | undefined, none: string) =>
    names === undefined || names.length === 0 ? none : names.join(", ")
  const packagesIn = (folder: string) =>
    Object.entries(packageDoors)
      .filter(([, doors]) => doors.some((door) => door.startsWith(`src/${folder}/`)))
      .map(([name]) => name)
  const want = layers.map(({ folder, mayImport, publicModules }) => [
    folder,
    listed(mayImport, "–"),
    listed(publicModules, "all"),
    listed(packagesIn(folder).sort(), "–"),
  ])
  const have = tableRows(section(sourceReadme, /^## Layers/)).slice(1)
  assert.deepEqual(
    have.map(([folder, , mayImport, doors, packages]) => [
      folder,
      mayImport,
      doors,
      packages!.split(", ").sort().join(", "),
    ]),
    want,
  )
})

test("src/README.md names the doors of every package", () => {
  const rows = tableRows(section(sourceReadme, /dependencies/i)).slice(1)
  const have = Object.fromEntries(rows.map(([name, doors]) => [name, doors!.split(", ")]))
  assert.deepEqual(have, packageDoors)
})

test("the checks of this page catch what is missing or strange", () => {
  const row = "| `--port` | `TIDEGAUGE_PORT` | 8080 | Port |"
  assert.equal(undocumentedSettings(row).length, settingList.length - 1)
  assert.equal(undocumentedSettings(row.replace("8080", "80")).length, settingList.length)
  assert.deepEqual(strangeVariables("set TIDEGAUGE_PROT or TIDEGAUGE_PORT"), ["TIDEGAUGE_PROT"])
  const page = "## Errors\n| code | status |\n|---|---|\n| `invalid` | 400 |\n## Next\n| `x` | 1 |"
  assert.deepEqual(documentedErrors(page), ["invalid"])
  const reasons =
    "## Dependencies\n| a | here | it does one thing very well |\n| b | there | good |"
  assert.deepEqual(unexplainedPackages(reasons, ["a", "b", "c"]), ["b", "c"])
})
