/** Starts that cannot succeed: one sentence, nothing made or everything shown, all closed. */

import assert from "node:assert/strict"
import { readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { failedStartsRun } from "./failed-starts-run.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { sized } from "../support/run/sizes.ts"
import { adminPassword, apiKey, runProgram, startServer } from "../support/server/server.ts"

function folderOf(t: TestContext): string {
  const folder = makeFolder("tidegauge-failed-start")
  t.after(() => removeFolder(folder))
  return folder
}

/** The output that is no log line. */
function plainLines(output: string): string[] {
  return output.split("\n").filter((line) => line !== "" && !line.startsWith("{"))
}

async function takePort(t: TestContext): Promise<number> {
  const taken = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => taken.once("listening", resolve))
  t.after(() => taken.close())
  return (taken.address() as AddressInfo).port
}

test("a port in use is one sentence, and a first start makes nothing before it", async (t) => {
  const folder = folderOf(t)
  const port = await takePort(t)
  const argv = ["--port", String(port), "--data", folder]

  const { status, output } = await runProgram(argv)

  assert.equal(status, 1)
  const sentence = `tidegauge: Port ${port} is in use; choose another with --port`
  assert.deepEqual(plainLines(output), [sentence])
  assert.deepEqual(readdirSync(folder), [])
  const server = await startServer({ folder })
  assert.equal(await server.stop(), 0)
  assert.match(server.output(), new RegExp(`API key +${apiKey}`))
})

test("a host that this machine does not have is one sentence", async (t) => {
  const folder = folderOf(t)
  // Of TEST-NET-3 (RFC 5737), which no machine has.
  const argv = ["--port", "0", "--data", folder, "--host", "203.0.113.7"]

  const { status, output } = await runProgram(argv)

  assert.equal(status, 1)
  const sentence =
    'This machine does not have the address "203.0.113.7"; choose another with --host'
  assert.deepEqual(plainLines(output), [`tidegauge: ${sentence}`])
  assert.deepEqual(readdirSync(folder), [])
})

test("a first start that fails after its secrets were made shows them", async (t) => {
  const folder = folderOf(t)
  writeFileSync(join(folder, "secrets.key"), "no key")

  const { status, output } = await runProgram(["--port", "0", "--data", folder])

  assert.equal(status, 1)
  assert.match(output, /made before the start failed/)
  assert.match(output, new RegExp(`API key +${apiKey}`))
  assert.match(output, new RegExp(`password +${adminPassword}`))
})

test("with --first-secrets-file the secrets are in a file for its owner alone", async (t) => {
  const folder = folderOf(t)
  const place = folderOf(t)
  const path = join(place, "first")
  const flags = ["--first-secrets-file", path]
  writeFileSync(path, "somebody's")
  const refused = await runProgram(["--port", "0", "--data", folder, ...flags])
  assert.equal(refused.status, 1)
  assert.match(refused.output, /--first-secrets-file: ".*first" exists already/)
  assert.equal(readFileSync(path, "utf8"), "somebody's")
  unlinkSync(path)

  const server = await startServer({ folder, flags })
  assert.equal(await server.stop(), 0)
  assert.ok(!server.output().includes(apiKey))
  assert.ok(!server.output().includes(adminPassword))
  assert.ok(server.output().includes(path))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const text = readFileSync(path, "utf8")
  assert.match(text, new RegExp(`password +${adminPassword}\n`))
  assert.match(text, new RegExp(`API key +${apiKey}\n`))
})

test("starts that fail end with status 1 and one sentence, again and again", async (t) => {
  // `bench/faults/failed-starts.ts` makes 200 and more.
  const count = sized({ quick: 3, long: 15 })
  await failedStartsRun({ count, tell: (line) => t.diagnostic(line) })
})
