/** `tidegauge package` says what it is at: on a terminal in one line, in a pipe line by line. */

import assert from "node:assert/strict"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { runPackage } from "../../src/command/package/package.ts"
import { lineOf } from "../support/project/command-line.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { judgeNothing } from "../support/packages/package-files.ts"

const home = makeFolder("tidegauge-progress")
const folder = join(home, "my.pkg")
mkdirSync(folder)
after(() => removeFolder(home))

const id = "11111111-1111-4111-8111-111111111111"
const shown = { id, packageId: "my.pkg", version: "0.1.0" }

const escape = "\u001b"

/** Answers as a server does, or refuses what is installed. */
function serverOf(refusal: string | null): typeof globalThis.fetch {
  return async (_, init) => {
    const method = init?.method ?? "GET"
    if (method === "DELETE") return new Response(null, { status: 204 })
    if (method === "GET") return Response.json({ packages: [shown], package: shown })
    if (refusal === null) return Response.json({ package: shown, warnings: [] })
    return Response.json({ status: 400, detail: refusal, errors: [refusal] }, { status: 400 })
  }
}

/** The output of one command, in order, on both streams of a terminal or on two pipes. */
async function run(words: readonly string[], isTerminal: boolean, refusal: string | null = null) {
  const written: { out: string; error: string; both: string } = { out: "", error: "", both: "" }
  const login = ["--url", "http://127.0.0.1:1", "--user", "a@b.c", "--password", "p"]
  const isRemote = ["install", "uninstall"].includes(words[0]!)
  const status = await runPackage({
    line: lineOf("package", ...words, ...(isRemote ? login : [])),
    env: { HOME: home },
    print(text) {
      written.out += text
      written.both += text
    },
    printError(text) {
      written.error += text
      written.both += text
    },
    isTerminal,
    fetch: serverOf(refusal),
    validateConfiguration: judgeNothing,
  })
  return { status, ...written }
}

/** The final lines of a terminal: a return goes back, ESC [ K clears from there. */
function screenOf(text: string): string[] {
  return text.split("\n").map((line) => {
    let shownLine = ""
    for (const piece of line.split("\r")) {
      const [before, ...cleared] = piece.split(`${escape}[K`)
      shownLine = before! + shownLine.slice(before!.length)
      for (const rest of cleared) shownLine = rest
    }
    return shownLine
  })
}

const archive = join(folder, "pkg.zip")

test("in a pipe each piece of work is a plain line on standard error", async () => {
  assert.equal((await run(["init", folder], false)).status, 0)
  const created = await run(["create", folder], false)
  assert.match(created.error, /^Packing \d+ files\n$/)
  assert.match(created.out, /^Wrote .*pkg\.zip: \d+ files, \d+ bytes\n$/)
  const installed = await run(["install", archive], false)
  assert.match(installed.error, /^Sending pkg\.zip, \d+ bytes\n$/)
  assert.equal(installed.out, `Installed my.pkg 0.1.0 as ${id}\n`)
  const removed = await run(["uninstall", id], false)
  assert.equal(removed.error, "Removing my.pkg 0.1.0\n")
  assert.equal(removed.out, "Removed my.pkg 0.1.0\n")
  for (const { both } of [created, installed, removed]) {
    assert.ok(!both.includes("\r") && !both.includes(escape), both)
  }
})

test("on a terminal progress is one line, and nothing of it stays behind the outcome", async () => {
  const created = await run(["create", folder], true)
  assert.ok(created.error.startsWith(`\r${escape}[KPacking `), created.error)
  assert.match(screenOf(created.both).join("\n"), /^Wrote [^\n]*pkg\.zip: \d+ files, \d+ bytes\n$/)
  const installed = await run(["install", archive], true)
  assert.match(installed.error, /Sending pkg\.zip, \d+ bytes …/)
  assert.deepEqual(screenOf(installed.both), [`Installed my.pkg 0.1.0 as ${id}`, ""])
  const removed = await run(["uninstall", id], true)
  assert.match(removed.error, /Removing my\.pkg 0\.1\.0 …/)
  assert.deepEqual(screenOf(removed.both), ["Removed my.pkg 0.1.0", ""])
})

test("on a terminal a refusal has a line of its own, and JSON is nothing but JSON", async () => {
  const refused = await run(["install", archive], true, "package.json: no")
  assert.equal(refused.status, 1)
  assert.deepEqual(screenOf(refused.both), ["tidegauge: package.json: no", ""])
  const json = await run(["install", archive, "--json"], true)
  assert.equal((JSON.parse(json.out) as { package: { id: string } }).package.id, id)
})
