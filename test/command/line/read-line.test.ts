import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { commandTable } from "../../../src/command/command-table.ts"
import { readLine } from "../../../src/command/line/read-line.ts"
import { lineOf, problemsOf } from "../../support/project/command-line.ts"

const read = (...argv: string[]) => readLine(commandTable, argv)

test("options are accepted before, between or behind words, and before the command", () => {
  for (const argv of [
    ["backup", "--data", "S", "DEST"],
    ["backup", "DEST", "--data", "S"],
    ["--data=S", "backup", "DEST"],
    ["backup", "--data=S", "--", "DEST"],
  ]) {
    const { command, words, options } = lineOf(...argv)
    assert.deepEqual([command.name, words, [...options]], ["backup", ["DEST"], [["data", "S"]]])
  }
  assert.deepEqual(lineOf("key", "--data", "S", "rotate", "8d").words, ["8d"])
  assert.equal(lineOf("--port", "0").command.name, "serve")
  assert.equal(lineOf().command.name, "serve")
})

test("an unknown name is one sentence that names the nearest one", () => {
  const f = (argv: string[], want: string) => assert.deepEqual(problemsOf(...argv), [want])
  const all = "`tidegauge --help` lists all"

  f(["vefiry"], `Unknown command "vefiry", did you mean verify? ${all}`)
  f(["frobnicate"], `Unknown command "frobnicate": ${all}`)
  f(["help", "bakcup"], `Unknown command, did you mean backup? ${all}`)
  f(
    ["user", "lst"],
    "Unknown command of user: did you mean user list? expected one of list, " +
      "create, role, password, link, disable, enable, delete",
  )
  f(
    ["verify", "--dat", "x"],
    "Unknown option --dat of verify, did you mean --data? " + "`tidegauge verify --help` lists all",
  )
  // Known elsewhere: no other name is meant.
  f(
    ["verify", "--port", "1"],
    "Unknown option --port of verify: `tidegauge verify --help` lists all",
  )
  f(["verify", "-x"], "Unknown option at argument 2 of verify: `tidegauge verify --help` lists all")
})

test("missing and surplus words and values are reported", () => {
  const f = (argv: string[], want: RegExp) => assert.match(problemsOf(...argv).join("\n"), want)

  f(["backup"], /^backup needs BACKUP: a folder for the backup/)
  f(["backup", "a", "b"], /^Argument 3 is too much: backup takes BACKUP$/)
  f(["verify", "a"], /^Argument 2 is too much: verify takes no argument$/)
  f(["verify", "--data"], /^--data needs a value$/)
  f(["verify", "--data", "--help"], /^--data needs a value$/)
  f(["replay", "x", "--json=yes"], /^--json takes no value$/)
  f(["replay", "x", "--sparse", "Nothing"], /^--sparse: expected one of None, ReplaceWithZero/)
  f(["user", "create", "--role", "King"], /^--role: expected one of Administrator/)
  f(["account", "create", "--email", "a@b.org"], /^account create needs --name$/)
  f(["completion", "tcsh"], /^Argument 2 of completion: expected one of bash, zsh, fish$/)
  assert.equal(
    lineOf("user", "role", "a@b.c", "--role", "read only").options.get("role"),
    "Read Only",
  )
})

test("help is asked for in each way, and the version", () => {
  const help = (...argv: string[]) => {
    const found = read(...argv)
    assert.ok("help" in found, argv.join(" "))
    return found.help
  }
  assert.equal(help("help"), help("--help"))
  assert.equal(help("-h"), help("--help"))
  assert.equal(help("help", "account", "create"), help("account", "create", "--help"))
  assert.equal(help("help", "account"), help("account"))
  assert.match(help("backup", "--help"), /^tidegauge backup: Copies a store/)
  assert.deepEqual(read("--version"), { version: true })
  assert.deepEqual(read("verify", "--version"), { version: true })
})

const secret = "hunter2hunter2!"

test("law: no problem repeats a word behind the first, nor a value", () => {
  const part = fc.constantFrom(
    "--admin-password",
    "--admin-pasword",
    "--password",
    "--api-key",
    "--data",
    "--json",
    "--",
    "-p",
    "user",
    secret,
    `--${secret}`,
    `-p${secret}`,
    `--passwd=${secret}`,
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      // The first word is reported; an option's name too, if no other unknown one precedes it.
      const argv = ["serve", "--admin-pasword", ...parts]
      const told = problemsOf(...argv).join("\n")
      const isName = parts.some((one, i) => one === `--${secret}` && i > 0)
      if (!isName) assert.ok(!told.includes("hunter"), told)
    }),
  )
})
