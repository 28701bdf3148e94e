/** Commands on a store, as processes: what they refuse, and that they then write nothing. */

import assert from "node:assert/strict"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { commandTable } from "../../src/command/command-table.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { freePort } from "../support/network/free-port.ts"
import { runProgram, startServer } from "../support/server/server.ts"

const folder = makeFolder("tidegauge-store-commands")
after(() => removeFolder(folder))

/** Commands that expect a store, one of each group, with what the table asks for. */
const lines = commandTable.commands
  .filter(({ name, options = [] }) => {
    const needsNone = ["serve", "config", "restore", "import"].includes(name)
    return !needsNone && options.some((option) => option.name === "data")
  })
  .filter(({ name }, i, all) => {
    const [group] = name.split(" ")
    return all.findIndex((one) => one.name.split(" ")[0] === group) === i
  })
  .map(({ name, arguments: words = [], options = [] }) => [
    ...name.split(" "),
    ...words.map(() => join(folder, "word")),
    ...options
      .filter(({ isRequired }) => isRequired)
      .map((option) => `--${option.name}=${option.choices?.[0] ?? "x"}`),
  ])

test("a command that expects a store makes none: status 1, one sentence", async () => {
  const groups = ["verify", "probe", "repair", "backup", "export", "account", "user", "key"]
  assert.deepEqual(
    lines.map(([word]) => word),
    groups,
  )
  const missing = join(folder, "nowhere")
  for (const line of lines) {
    const { status, output } = await runProgram([...line, "--data", missing])
    assert.equal(status, 1, line.join(" "))
    const advice = "name its folder with --data, or start the server once to make one"
    assert.equal(output, `tidegauge: There is no store in "${missing}": ${advice}\n`)
    assert.deepEqual(readdirSync(folder), [])
  }
})

test("a folder without a store stays empty", async () => {
  const { status, output } = await runProgram(["verify", "--data", folder])
  assert.equal(status, 1)
  assert.match(output, /^tidegauge: There is no store in /)
  assert.deepEqual(readdirSync(folder), [])
})

test("--data that is a file, or below one, is one sentence", async () => {
  const file = join(folder, "file")
  writeFileSync(file, "")
  for (const path of [file, join(file, "store")]) {
    const { status, output } = await runProgram(["serve", "--port", "0", "--data", path])
    assert.equal(status, 1)
    const plain = output.split("\n").filter((line) => line !== "" && !line.startsWith("{"))
    const sentence = `Cannot open the store in "${path}": that is no folder`
    assert.deepEqual(plain, [`tidegauge: ${sentence}; choose another folder with --data`])
  }
  const { status, output } = await runProgram(["serve", "--port", "0", "--data", "/proc/x"])
  assert.equal(status, 1)
  assert.match(
    output,
    /^tidegauge: Cannot open the store in "\/proc\/x": no folder can be made there; /m,
  )
  const backup = await runProgram(["verify", "--data", file])
  assert.equal(backup.status, 1)
  assert.match(backup.output, /^tidegauge: There is no store in "[^\n]*\n$/)
})

test("SIGTERM stops the server in order, and a store that is held names the process", async () => {
  const store = join(folder, "store")
  const server = await startServer({ folder: store })
  for (const argv of [["serve", "--port", "0"], ["verify"], ["repair"]]) {
    const { status, output } = await runProgram([...argv, "--data", store])
    assert.equal(status, 1)
    assert.match(output, new RegExp(`process ${server.pid}\\b`, "i"), argv[0])
    assert.doesNotMatch(output, /\n {4}at /)
  }
  server.signal("SIGTERM")
  assert.equal(await server.ended(), 0)
  assert.match(server.output(), /"stopped"/)
  assert.ok(!existsSync(join(store, "control.sock")))
})

test("an unreachable server is reported with the address and the reason", async () => {
  const address = `127.0.0.1:${await freePort()}`
  const login = ["--user", "a@b.c", "--password", "p", "--url", `http://${address}`]
  const { status, output } = await runProgram(["package", "list", ...login])
  assert.equal(status, 1)
  assert.equal(output, `tidegauge: Cannot reach http://${address}: ECONNREFUSED ${address}\n`)
})
