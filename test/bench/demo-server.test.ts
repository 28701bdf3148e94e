import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { test } from "node:test"
import { seededRandom } from "../support/run/seeded-random.ts"
import { DemoError } from "../../bench/demo/demo-client.ts"
import { startLocalServer, urlOf } from "../../bench/demo/demo-server.ts"

/** A program that runs this code in place of a server; flags after it are its arguments. */
function programOf(code: string) {
  const program = [process.execPath, "-e", code, "--"]
  return { program, env: process.env, random: seededRandom(1) }
}

test("the address is read from the log line of a server that listens, and from no other", () => {
  const f = (line: string, want: string | null) => assert.equal(urlOf(line), want)

  f('{"level":"info","url":"http://127.0.0.1:80","msg":"listening"}', "http://127.0.0.1:80")
  f('{"level":"info","url":"http://127.0.0.1:80","msg":"stopping"}', null)
  f("(node:1) Warning: listening", null)
})

test("an own server gets a store and secrets, and stopping it removes the store", async () => {
  const line = `{ url: "http://127.0.0.1:" + process.env.TIDEGAUGE_API_KEY, msg: "listening" }`
  const server = await startLocalServer(
    programOf(`console.log(JSON.stringify(${line})); setInterval(() => {}, 1000)`),
  )
  assert.equal(server.address.url, `http://127.0.0.1:${server.address.apiKey}`)
  assert.match(server.address.apiKey, /^[0-9a-f]{32}$/)
  assert.ok(existsSync(server.folder))
  await server.stop()
  assert.ok(!existsSync(server.folder))
})

test("a server that ends before it listens is reported with its output", async () => {
  const program = programOf(`console.error("no such disk"); process.exitCode = 3`)
  await assert.rejects(startLocalServer(program), (error: Error) => {
    assert.ok(error instanceof DemoError)
    assert.match(error.message, /ended with status 3[^]*no such disk/)
    return true
  })
})
