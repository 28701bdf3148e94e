/** Completion: what a real bash offers; zsh and fish judge their scripts if they are installed. */

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { commandTable } from "../../../src/command/command-table.ts"
import { completionScript, type Shell } from "../../../src/command/line/completion.ts"
import { commandsOf, firstWords, lastWord } from "../../../src/command/line/spec.ts"
import { makeFolder, removeFolder } from "../../support/machine/folder.ts"

const folder = makeFolder("tidegauge-completion")
after(() => removeFolder(folder))
mkdirSync(join(folder, "stores"))
writeFileSync(join(folder, "archive.zip"), "")

const { commands, groups } = commandTable
const scriptOf = (shell: Shell) => {
  const path = join(folder, `completion.${shell}`)
  writeFileSync(path, completionScript(commandTable, shell))
  return path
}

/** The completions that bash offers for each line; the last word is the one under the cursor. */
function offered(lines: readonly (readonly string[])[]): string[][] {
  const quoted = (word: string) => `'${word}'`
  const calls = lines.map((words) =>
    [
      `COMP_WORDS=(tidegauge ${words.map(quoted).join(" ")}) COMP_CWORD=${words.length}`,
      "_tidegauge",
      'printf "%s\\n" "${COMPREPLY[@]}" "--end"',
    ].join("\n"),
  )
  const script = [`source ${scriptOf("bash")}`, ...calls].join("\n")
  const run = spawnSync("bash", ["--norc", "-u", "-c", script], { cwd: folder, encoding: "utf8" })
  assert.equal(run.status, 0, run.stderr)
  assert.equal(run.stderr, "")
  const answers = run.stdout.split("--end\n").slice(0, -1)
  return answers.map((answer) => answer.split("\n").filter((word) => word !== ""))
}

test("bash offers commands, verbs, options, choices and paths", () => {
  const wanted: [string[], string[]][] = [
    [["ver"], ["verify"]],
    [["key", "r"], ["rotate"]],
    [["user", "create", "--r"], ["--role"]],
    [["user", "create", "--role", "R"], ["Read\\ Only"]],
    [["user", "create", "--role", "Read Only", "--em"], ["--email"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["completion", "bash", ""], []],
    [["replay", "--sparse", "ReplaceWithZ"], ["ReplaceWithZero"]],
    [["replay", "a"], ["archive.zip"]],
    [["verify", "--data", ""], ["stores"]],
    [["backup", "--data", "stores", "s"], ["stores"]],
    [["--data", "stores", "back"], ["backup"]],
    [["--por"], ["--port"]],
    [["user", "password", "a@b.c", "--password", ""], []],
    [["nothing", ""], []],
  ]
  assert.deepEqual(
    offered(wanted.map(([words]) => words)),
    wanted.map(([, want]) => want),
  )
})

test("bash offers every command, and exactly the options of each", () => {
  const [first, ...rest] = offered([
    [""],
    ...groups.map(({ name }) => [name, ""]),
    ...commands.map(({ name }) => [...name.split(" "), "--"]),
  ])
  assert.deepEqual(first, firstWords(commandTable))
  for (const [i, { name }] of groups.entries()) {
    assert.deepEqual(rest[i], commandsOf(commandTable, name).map(lastWord), name)
  }
  for (const [i, { name, options = [] }] of commands.entries()) {
    const want = [...options.map((option) => `--${option.name}`), "--help"]
    assert.deepEqual(rest[groups.length + i], want, name)
  }
})

test("each script names every command and option", () => {
  for (const shell of ["bash", "zsh", "fish"] as const) {
    const script = completionScript(commandTable, shell)
    for (const { name, options = [] } of commands) {
      for (const word of name.split(" ")) assert.ok(script.includes(word), `${shell}: ${word}`)
      for (const option of options) assert.ok(script.includes(option.name), option.name)
    }
  }
})

for (const shell of ["zsh", "fish"] as const) {
  const isThere = spawnSync(shell, ["--version"]).status === 0
  test(
    `${shell} reads its script without a complaint`,
    { skip: !isThere && "no such shell" },
    () => {
      const run = spawnSync(shell, ["-n", scriptOf(shell)], { encoding: "utf8" })
      assert.deepEqual([run.status, run.stderr], [0, ""])
    },
  )
}
