/** `tidegauge account|user|key`, with a server that runs and without one; rates of keys. */

import assert from "node:assert/strict"
import { after, test } from "node:test"
import { sendToOwner } from "../../src/control/control-socket.ts"
import { errorOf } from "../support/server/responses.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import {
  apiKey,
  runProgram,
  startServer,
  storyProgram,
  type TestServer,
} from "../support/server/server.ts"

const folder = makeFolder("tidegauge-commands")
let server: TestServer | null = null
after(async () => {
  await server?.stop()
  removeFolder(folder)
})

/** Has the running server do it, as the command would; gives what it prints. */
async function run(words: string, status = 0): Promise<string> {
  const reply = await sendToOwner(folder, words.split(" "))
  assert.equal(reply?.status, status, reply?.text)
  return reply.text
}

const keyIn = (text: string): string => /API key +([0-9a-f]{32})/.exec(text)![1]!

async function ingest(key: string, samples = 1) {
  const one = { metricId: "m", timestamp: Date.now(), val: 1 }
  const body = [{ id: "e", type: "SERVER", samples: Array.from({ length: samples }, () => one) }]
  return server!.client.send(`/ingest/${key}`, { method: "POST", body })
}

test("without a store there is nothing to change, and none is made", async () => {
  const { status, output } = await runProgram(["user", "list", "--data", `${folder}/nowhere`])
  assert.equal(status, 1)
  assert.match(output, /There is no store in .*nowhere/)
})

test("a running server executes commands immediately", async () => {
  server = await startServer({ folder, program: storyProgram() })
  const { client } = server
  assert.match(await run("account list"), /0 .*Tidegauge +active +admin@example\.com/)
  const words = "account create --name Two --email two@example.com --password second-password"
  const second = keyIn(await run(words))
  assert.equal((await ingest(second)).status, 202)
  const authorization = `Basic ${Buffer.from("two@example.com:second-password").toString("base64")}`
  const asSecond = () => client.send("/elements/e", { headers: { authorization } })
  assert.equal((await asSecond()).status, 200)
  assert.equal((await client.get("/elements/e")).status, 404)

  await run("account disable 1")
  assert.equal((await asSecond()).status, 401)
  assert.equal((await ingest(second)).status, 403)
  await run("account enable 1")
  assert.equal((await asSecond()).status, 200)

  const password = /password +(\S+)/.exec(await run("user password two@example.com"))![1]!
  assert.equal((await asSecond()).status, 401)
  assert.match(password, /^([a-z2-9]{4}-){4}[a-z2-9]{4}$/)
})

test("keys are listed without the key, rotated and disabled while the server runs", async () => {
  const list = await run("key list")
  assert.ok(!list.includes(apiKey))
  const id = /^[0-9a-f]{12}/m.exec(list)![0]
  const next = keyIn(await run(`key rotate ${id} --keep yes`))
  assert.equal((await ingest(apiKey)).status, 202)
  assert.equal((await ingest(next)).status, 202)
  await run(`key disable ${id}`)
  const refused = await ingest(apiKey)
  assert.equal(refused.status, 403)
  assert.ok(!refused.text.includes(apiKey))
  assert.equal((await ingest(next)).status, 202)
  await run(`key enable ${id}`)
  assert.equal((await ingest(apiKey)).status, 202)
})

test("a key over its rate is a 429 with Retry-After, and nothing is stored", async () => {
  const made = await run("key create")
  const id = /^id +(\S+)/m.exec(made)![1]!
  const key = keyIn(made)
  assert.match(await run(`key limit ${id} --payloads 2 --samples 1000`), /2 +1000/)
  assert.equal((await ingest(key)).status, 202)
  assert.equal((await ingest(key)).status, 202)
  const before = await server!.client.get("/metrics/statistics", { fqn: "m", rollup: "ZERO" })
  const over = await ingest(key)
  assert.equal(over.status, 429)
  const seconds = Number(over.headers["retry-after"])
  assert.ok(seconds >= 1 && seconds <= 30, over.headers["retry-after"])
  assert.match(errorOf(over).errors[0]!, /payloads/)
  const events = await server!.client.send(`/ingest/events/${key}`, { method: "POST", body: [] })
  assert.equal(events.status, 429)
  const after = await server!.client.get("/metrics/statistics", { fqn: "m", rollup: "ZERO" })
  assert.deepEqual(countOf(after.json()), countOf(before.json()))

  await run(`key limit ${id} --payloads 0 --samples 100`)
  assert.equal((await ingest(key, 150)).status, 202)
  const debt = await ingest(key)
  assert.equal(debt.status, 429)
  assert.match(errorOf(debt).errors[0]!, /samples/)
  await run(`key limit ${id} --samples default`)
  assert.equal((await ingest(key)).status, 202)
})

function countOf(answer: unknown): unknown {
  return (answer as { metrics: { statistics: { count: number } }[] }).metrics.map(
    ({ statistics }) => statistics.count,
  )
}

test("a refused command says why, and never repeats a password", async () => {
  const f = async (words: string, want: RegExp, status: number) =>
    assert.match(await run(words, status), want)

  await f("user", /tidegauge user: Users of an account/, 0)
  await f("user paint x", /list, create, role, password/, 64)
  await f("user create", /needs --email/, 64)
  await f("user create --email a@b.org --colour red", /Unknown option --colour of user create/, 64)
  await f("user delete", /user delete needs EMAIL/, 64)
  await f("user delete nobody@example.com", /e-mail of a user/, 1)
  await f("user role admin@example.com --role King", /Administrator, Power User, Read Only/, 64)
  await f("key limit x --payloads 1", /beginning of a key's id/, 1)
  await f("account delete 0", /first one/, 1)
  await f("key list --account 7", /id of an account/, 1)
  const refused = await run("user create --email a@b.org --password hunter", 1)
  assert.match(refused, /12 to 1024/)
  assert.ok(!refused.includes("hunter"))
})

test("a second server on the same store does not start", async () => {
  const { status, output } = await runProgram(["--data", folder, "--port", "0"])
  assert.equal(status, 1)
  assert.match(output, new RegExp(`Process ${server!.pid} holds the store in`))
})

test("if no server runs, the command opens the store itself", async () => {
  await server!.kill()
  const words = ["user", "create", "--data", folder, "--email", "late@example.com"]
  const made = await runProgram([...words, "--password", "a late password", "--role", "Read Only"])
  assert.equal(made.status, 0, made.output)
  // Files of a killed server do not prevent the next start.
  server = await startServer({ folder, program: storyProgram() })
  const text = Buffer.from("late@example.com:a late password").toString("base64")
  const headers = { authorization: `Basic ${text}` }
  assert.equal((await server.client.send("/users/current", { headers })).status, 200)
})

test("an unusable folder is reported in one sentence", async () => {
  const { status, output } = await runProgram(["--data", "/dev/null/store", "--port", "0"])
  assert.equal(status, 1)
  assert.match(output, /tidegauge: Cannot open the store in "\/dev\/null\/store"/)
  assert.doesNotMatch(output, /\n {4}at /)
})
