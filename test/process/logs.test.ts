/** The log of a real server: request ids, slow queries, the access log, and no secret in it. */

import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { settingList } from "../../src/config/settings.ts"
import { notificationTypes } from "../../src/wire/records/notification-body.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { errorOf } from "../support/server/responses.ts"
import { adminPassword, apiKey, startServer, storyProgram } from "../support/server/server.ts"
import type { TestServer } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

type Line = Readonly<Record<string, unknown>>

function linesOf(server: TestServer): Line[] {
  return server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as Line)
}

async function startedWith(t: TestContext, flags: readonly string[]) {
  const folder = makeFolder("tidegauge-logs")
  const store = join(folder, "store")
  const server = await startServer({ folder: store, flags, program: storyProgram() })
  t.after(async () => {
    await server.stop()
    removeFolder(folder)
  })
  return server
}

test("a request id is in head, error body and log; the client's if well formed", async (t) => {
  const server = await startedWith(t, ["--access-log", "all", "--slow-query", "PT0S"])
  const { client } = server
  const given = { "x-request-id": "4bf92f35-77b3:4da6" }
  const right = { authorization: client.authorization }
  const answered = await client.send("/elements/none", { headers: { ...right, ...given } })
  assert.equal(answered.status, 404)
  assert.equal(answered.headers["x-request-id"], given["x-request-id"])
  assert.equal(errorOf(answered).requestId, given["x-request-id"])

  const odd = { ...right, "x-request-id": "two words" }
  const other = await client.send("/elements/none", { headers: odd })
  assert.match(errorOf(other).requestId, /^[0-9a-f]{16}$/)
  assert.equal(other.headers["x-request-id"], errorOf(other).requestId)

  const posted = await client.ingest("no JSON", { "x-request-id": "post-1" })
  assert.equal(errorOf(posted).requestId, "post-1")
  assert.equal(posted.headers["x-request-id"], "post-1")
  const unnamed = await client.ingest("no JSON")
  assert.equal(unnamed.headers["x-request-id"], errorOf(unnamed).requestId)
  assert.equal((await client.ingest([], given)).headers["x-request-id"], given["x-request-id"])
  assert.equal((await client.ingest([])).headers["x-request-id"], undefined)

  const lines = () => linesOf(server)
  const requests = () => lines().filter(({ msg }) => msg === "request")
  await eventually(() => requests().length === 6)
  const query = requests().find(({ requestId }) => requestId === given["x-request-id"])!
  assert.equal(query["route"], "/elements/:elementId")
  assert.equal(query["status"], 404)
  assert.equal(query["principal"], "admin@example.com")
  assert.ok(requests().some(({ requestId, status }) => requestId === "post-1" && status === 400))
  await eventually(() => lines().some(({ msg }) => msg === "slow query"))
  const slow = lines().find(({ msg }) => msg === "slow query")!
  assert.equal(slow["requestId"], given["x-request-id"])
})

test("a slow query is one line with its plan, until SIGHUP ends it", async (t) => {
  const folder = makeFolder("tidegauge-logs")
  t.after(() => removeFolder(folder))
  const conf = join(folder, "conf")
  writeFileSync(conf, "slow-query = PT0S\n", { mode: 0o600 })
  const server = await startedWith(t, ["--config", conf])
  const nowMs = Date.now()
  const samples = Array.from({ length: 50 }, (_, i) => ({
    metricId: "cpu",
    timestamp: nowMs - 60_000 - i * 1000,
    val: i,
  }))
  const elements = [1, 2, 3].map((id) => ({ id: `web-${id}`, type: "SERVER", samples }))
  assert.equal((await server.client.ingest(elements)).status, 202)
  const params = { fqn: "cpu", duration: "PT1H", rollup: "ZERO" }
  assert.equal((await server.client.get("/metrics/statistics", params)).status, 200)
  const slow = () => linesOf(server).filter(({ msg }) => msg === "slow query")
  await eventually(() => slow().length === 1)
  const { level, kind, tenant, principal, outcome, resolution, series, ...rest } = slow()[0]!
  assert.deepEqual(
    { level, kind, tenant, principal, outcome, resolution, series },
    {
      level: "warn",
      kind: "statistics",
      tenant: 0,
      principal: "admin@example.com",
      outcome: "answered",
      resolution: "ZERO",
      series: 3,
    },
  )
  // Background work may have flushed them already, or a part of them.
  const { unflushedSamples, rows } = rest
  assert.ok(unflushedSamples === 150 || Number(rows) > 0, JSON.stringify(rest))
  assert.equal(rest["threads"], 1)
  assert.ok(Number(rest["bytes"]) > 100)
  for (const name of ["durationMs", "waitedMs", "busyMs", "partitions", "rows", "chunks"]) {
    assert.ok(Number.isInteger(rest[name]) && Number(rest[name]) >= 0, name)
  }
  writeFileSync(conf, "slow-query = PT1H\n")
  server.signal("SIGHUP")
  await eventually(() => linesOf(server).some(({ msg }) => msg === "settings reloaded"))
  assert.equal((await server.client.get("/metrics/statistics", params)).status, 200)
  assert.equal(slow().length, 1)
})

/** Distinct texts that must not be in a log line. */
function secretsOf() {
  const webhook = "hooksecretT0000000B00000000XXXXXXXX"
  return {
    smtp: "smtpsecret4711smtpsecret",
    key: "0f1e".repeat(16),
    webhook,
    property: "propertysecret4711",
    password: "wrongpassword4711 entirely",
    apiKey,
    adminPassword,
  }
}

test("no line of the log has a secret of a setting, a password, a key or a receiver", async (t) => {
  const folder = makeFolder("tidegauge-logs")
  t.after(() => removeFolder(folder))
  const secrets = secretsOf()
  const conf = join(folder, "conf")
  const write = (text: string) => writeFileSync(conf, text, { mode: 0o600 })
  const mail = `smtp://mailer:${secrets.smtp}@127.0.0.1:1`
  const first = `smtp-url = ${mail}\nsecret-key = ${secrets.key}\n`
  const loud = "log-level = trace\naccess-log = all\nslow-query = PT0S\n"
  const allowed = "allow-private-addresses = all\n"
  write(first + loud + allowed)
  const server = await startedWith(t, ["--config", conf])
  const { client } = server

  const basic = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
  })
  const statuses = [
    await client.send("/elements", { headers: basic("admin@example.com", secrets.password) }),
    await client.send("/elements", { headers: basic(secrets.password, "x") }),
    await client.send("/elements", { headers: { authorization: `Bearer ${secrets.password}` } }),
    await client.send(`/ingest/${apiKey}x`, { method: "POST", body: "[]" }),
    await client.send(`/ingest/${apiKey}?k=${secrets.property}`, { method: "POST", body: "{" }),
    await client.send(`/check/${apiKey}/web-1/beat/0`, { method: "POST" }),
    await client.send(`/unknown/${apiKey}?password=${secrets.password}`),
    await client.get("/elements", { apiKey, password: secrets.password }),
    await client.post("/users", {
      user: { email: "a@b.c", password: secrets.password, role: "Nobody" },
    }),
  ].map(({ status }) => status)
  assert.ok(
    statuses.every((status) => status >= 400),
    statuses.join(),
  )
  await failDeliveries(server, secrets)
  await changeSecretSettings(server, { write, first, loud, secrets })
  assert.equal(await server.stop(), 0)

  const logged = linesOf(server)
  assert.ok(logged.filter(({ msg }) => msg === "request").length > 10)
  const encoded = [
    `admin@example.com:${secrets.password}`,
    `admin@example.com:${adminPassword}`,
    `ada:${secrets.property}`,
    `mailer:${secrets.smtp}`,
  ].map((pair) => Buffer.from(pair).toString("base64"))
  for (const line of logged) {
    const text = JSON.stringify(line)
    for (const secret of [...Object.values(secrets), ...encoded]) {
      assert.ok(!text.includes(secret), text)
    }
  }
})

type Secrets = ReturnType<typeof secretsOf>

/** A notification of each type whose receiver is not there, with secrets everywhere. */
async function failDeliveries({ client }: TestServer, secrets: Secrets): Promise<void> {
  const url = `http://user:${secrets.property}@127.0.0.1:1/services/${secrets.webhook}?t=${secrets.property}`
  const properties = {
    url,
    address: "ops@example.com",
    basicUsername: "ada",
    basicPassword: secrets.property,
    headers: `X-Token: ${secrets.property}`,
    serviceKey: secrets.property,
    apiKey: secrets.property,
    topicArn: "arn:aws:sns:eu-west-1:123456789012:alerts",
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: secrets.property,
  }
  for (const type of notificationTypes) {
    const notification = { type, properties: { ...properties, name: type } }
    const made = await client.post("/notifications", { notification })
    if (made.status !== 200) continue
    const { id } = made.json<{ notification: { id: number } }>().notification
    const tested = await client.post(`/notifications/test/${id}`, {})
    assert.ok(tested.status < 500, tested.text)
  }
}

/** Each secret setting is changed, and then malformed, in a file that the server reads again. */
async function changeSecretSettings(
  server: TestServer,
  {
    write,
    first,
    loud,
    secrets,
  }: { write: (text: string) => void; first: string; loud: string } & {
    secrets: Secrets
  },
): Promise<void> {
  const settings = settingList.filter(({ secret }) => secret === true)
  assert.ok(settings.length >= 4)
  const shown = (word: string) => linesOf(server).filter(({ msg }) => msg === word).length
  for (const { name } of settings) {
    const others = first.split("\n").filter((line) => !line.startsWith(`${name} `))
    // Blanks and letters: a value of no secret setting but the password.
    write(`${others.join("\n")}\n${loud}\n${name} = ${secrets.property} \u0001 ${secrets.smtp}\n`)
    const before = shown("settings not reloaded") + shown("settings reloaded")
    server.signal("SIGHUP")
    await eventually(() => shown("settings not reloaded") + shown("settings reloaded") > before)
  }
}
