/** A reader that closes the pipe before the command has written: `tidegauge licences | head`. */

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { test } from "node:test"
import { deliveredProgram, rootFolder } from "../support/project-paths.ts"
import { environmentWithoutSettings } from "../support/server/environment.ts"

/** Exit status and standard error of a command whose output is closed before it starts to write. */
async function withClosedOutput(...argv: string[]) {
  const child = spawn(process.execPath, [...deliveredProgram(), ...argv], {
    cwd: rootFolder,
    env: environmentWithoutSettings(),
    stdio: ["ignore", "pipe", "pipe"],
  })
  child.stdout.destroy()
  let errors = ""
  child.stderr.on("data", (piece: Buffer) => (errors += piece.toString()))
  const [status] = (await once(child, "close")) as [number | null]
  return { status, errors }
}

const lines = [
  ["licences"],
  ["help", "serve"],
  ["config", "--template"],
  ["completion", "zsh"],
  ["replay", "data/replay/cpu.csv"],
]

for (const line of lines) {
  test(`${line.join(" ")} into a closed pipe ends with 0 and without a word`, async () => {
    assert.deepEqual(await withClosedOutput(...line), { status: 0, errors: "" })
  })
}

test("a command that fails keeps its status if standard error is closed", async () => {
  const argv = [...deliveredProgram(), "verify", "--data", "/nowhere"]
  const child = spawn(process.execPath, argv, {
    cwd: rootFolder,
    env: environmentWithoutSettings(),
    stdio: ["ignore", "pipe", "pipe"],
  })
  child.stderr.destroy()
  const [status] = (await once(child, "close")) as [number | null]
  assert.equal(status, 1)
})

test("the first lines are read, the rest is not: head", async () => {
  const command = '"$@" | head -n 1; echo "${PIPESTATUS[0]}"'
  const argv = [process.execPath, ...deliveredProgram(), "replay", "data/replay/cpu.csv"]
  const child = spawn("bash", ["-c", command, "bash", ...argv], {
    cwd: rootFolder,
    env: environmentWithoutSettings(),
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => (output += piece.toString()))
  }
  await once(child, "close")
  assert.match(output, /^timestamp,actual,[^\n]*\n0\n$/)
})
