import assert from "node:assert/strict"
import { test } from "node:test"
import {
  inputForm,
  inputMeaning,
  settingFlag,
  settingVariable,
} from "../../../src/config/setting.ts"
import { inputList } from "../../../src/config/settings.ts"
import { otherVariables } from "../../../src/config/environment.ts"
import { commandTable } from "../../../src/command/command-table.ts"
import { commandHelp, groupHelp, overview } from "../../../src/command/line/help.ts"
import { readLine } from "../../../src/command/line/read-line.ts"
import { wrapped } from "../../../src/command/line/wrap.ts"

const { commands, groups } = commandTable

test("the overview has a line of each command, and names --version and /docs", () => {
  const text = overview(commandTable)
  for (const { name } of commands) {
    const words = name.split(" ")
    const [, entry = ""] = text.split(`\n  ${words[0]} `)
    assert.ok(entry.split(/\n {2}\S/)[0]!.includes(words[1] ?? ""), name)
  }
  assert.match(text, /--version/)
  assert.match(text, /\/docs/)
})

test("no help text has a line longer than 100 columns", () => {
  const texts = [
    overview(commandTable),
    ...groups.map((group) => groupHelp(commandTable, group)),
    ...commands.map(commandHelp),
  ]
  for (const line of texts.flatMap((text) => text.split("\n"))) assert.ok(line.length <= 100, line)
})

test("the help of each command has its words, options and examples", () => {
  for (const command of commands) {
    const text = commandHelp(command)
    const { arguments: words = [], options = [], examples = [] } = command
    const parts = [command.name, ...words.map(({ name }) => `\n  ${name}\n`), ...examples]
    for (const part of parts) assert.ok(text.includes(part), `${command.name}: ${part}`)
    for (const { name } of options) assert.ok(text.includes(`\n  --${name}`), name)
  }
})

test("the help of serve documents every setting", () => {
  const text = commandHelp(commands.find(({ name }) => name === "serve")!).replace(/\s+/g, " ")
  for (const input of inputList) {
    const value = input.setting.isSwitch ? "" : " VALUE"
    assert.ok(text.includes(`${settingFlag(input)}${value} ${settingVariable(input)}`), input.name)
    assert.ok(text.includes(inputMeaning(input)) && text.includes(inputForm(input)), input.name)
  }
})

test("every example of the table is a line that is taken", () => {
  for (const { examples = [] } of commands) {
    for (const example of examples) {
      const [line] = example.split(" > ")
      const argv = line!
        .split(/ (?=(?:[^"]*"[^"]*")*[^"]*$)/)
        .map((word) => word.replaceAll('"', ""))
      const read = readLine(commandTable, argv)
      assert.ok("line" in read || argv[0] === "help", `${example}: ${JSON.stringify(read)}`)
    }
  }
})

test("one option takes a value in all commands or in none, and names are unique", () => {
  const kinds = new Map<string, boolean>()
  for (const { name, value } of commands.flatMap(({ options = [] }) => options)) {
    assert.equal(kinds.get(name) ?? value !== undefined, value !== undefined, name)
    kinds.set(name, value !== undefined)
  }
  assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length)
  for (const { name } of groups) assert.ok(commands.some((one) => one.name.startsWith(`${name} `)))
})

test("a variable of an option is a setting's, or known as one of commands", () => {
  const known = new Set([...inputList.map(settingVariable), ...otherVariables])
  for (const { variable, name } of commands.flatMap(({ options = [] }) => options)) {
    assert.ok(variable === undefined || known.has(variable), name)
  }
})

test("wrapped() breaks at spaces only, and indents by the head", () => {
  assert.deepEqual(wrapped("ab  ", "c d"), ["ab  c d"])
  const [first, second] = wrapped("ab  ", `${"x".repeat(95)} yy`)
  assert.deepEqual([first!.length, second], [99, "    yy"])
  assert.deepEqual(wrapped("", "z".repeat(120)), ["z".repeat(120)])
})
