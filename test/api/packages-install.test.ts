/** Packages over HTTP: installed from a file, listed, upgraded, removed without a trace. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { errorOf } from "../support/server/responses.ts"
import { callerOf, newUser, type TestCaller } from "../support/server/caller.ts"
import {
  boundary,
  configurationFile,
  dashboardFile,
  formWith,
  packageArchive,
  policyFile,
  type PackageDraft,
} from "../support/packages/package-files.ts"
import { useAccount } from "../support/server/server.ts"
import { answerOnce } from "../support/time/eventually.ts"

interface PackageRecord {
  readonly id: string
  readonly created: string
  readonly policies: readonly { readonly id: string }[]
  readonly dashboards: readonly { readonly id: string }[]
  readonly [field: string]: unknown
}

let admin: TestCaller
let readOnly: TestCaller
const client = useAccount({
  prepare: async (client) => {
    admin = callerOf(client)
    readOnly = await newUser(client, "reader", "Read Only")
  },
})

const type = `multipart/form-data; boundary=${boundary}`

async function upload(body: unknown, path = "/packages/install", contentType = type) {
  const headers = { authorization: client().authorization, "content-type": contentType }
  return client().send(path, { method: "POST", headers, body })
}

async function install(draft: PackageDraft, path?: string) {
  const reply = await upload(formWith(await packageArchive(draft)), path)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ package: PackageRecord; warnings: string[] }>()
}

const draft: PackageDraft = {
  id: "story.web",
  policies: { "p (1%).json": policyFile("Busy") },
  analyticConfigurations: { "m.json": configurationFile("cpu") },
  dashboards: { "d.json": dashboardFile("Board", { type: "SERVER" }) },
  manifest: {
    distro: { logo: "http://logo", download: "http://download" },
    name: "Web",
    tags: [],
  },
}

test("an installed package is shown as documented, and its assets exist", async () => {
  const { package: made, warnings } = await install(draft, "/packages/install/?userEmail=a@b.c")
  assert.deepEqual(warnings, [])
  const { id, tenantId, created, updated, policies, analyticConfigurations, dashboards, ...rest } =
    made
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-3[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  assert.equal(typeof tenantId, "string")
  assert.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.equal(updated, created)
  assert.deepEqual(rest, {
    packageId: "story.web",
    version: "1.0.0",
    name: "Web",
    description: "D",
    authorName: "Tests",
    authorEmail: "tests@example.com",
    logo: "http://logo",
    downloadUrl: "http://download",
    userEmail: "a@b.c",
    tags: [],
  })
  const [configuration] = analyticConfigurations as { id: string }[]
  const summary = { type: null, id: configuration!.id, name: null, scope: null, metrics: [] }
  assert.deepEqual(configuration, summary)
  const nulls = { name: null, description: null, layout: null, properties: null, widgets: null }
  const boardId = dashboards[0]!.id
  assert.deepEqual(dashboards, [{ id: boardId, ...nulls, type: null, private: false }])
  assert.deepEqual((await admin.get(`/packages/${id}/`)).json(), { package: made })
  assert.deepEqual((await admin.get("/packages/")).json(), { packages: [made] })

  const policy = await admin.get(`/policies/${policies[0]!.id}`)
  assert.equal(policy.json<{ policy: { name: string } }>().policy.name, "Busy")
  const board = (await admin.get(`/dashboards/${boardId}`)).json<{
    dashboard: { widgets: { id: string }[]; properties: { gridstackContents: string } }
  }>().dashboard
  const [place] = JSON.parse(board.properties.gridstackContents) as { id: string }[]
  assert.equal(place!.id, board.widgets[0]!.id)
})

test("again is an upgrade; without userEmail it is null", async () => {
  const before = (await admin.get("/packages")).json<{ packages: PackageRecord[] }>().packages[0]!
  const { package: now } = await install({ ...draft, version: "1.1.0" })
  assert.deepEqual(
    [now.id, now.created, now["version"], now["userEmail"]],
    [before.id, before.created, "1.1.0", null],
  )
  const versions = async (query: string) => {
    const reply = await admin.get(`/packages?${query}`)
    return reply.json<{ packages: PackageRecord[] }>().packages.map((one) => one["version"])
  }
  assert.deepEqual(await versions("packageId=story.web"), ["1.1.0"])
  assert.deepEqual(await versions("packageId=story.web&version=%5E1.0.0"), ["1.1.0"])
  assert.deepEqual(await versions("version=1.0.0"), [])
  assert.deepEqual(await versions("packageId=other"), [])
})

test("a removed package leaves nothing", async () => {
  const { package: made } = await install(draft)
  assert.equal((await readOnly.delete(`/packages/${made.id}`)).status, 403)
  const removed = await admin.delete(`/packages/${made.id}`)
  assert.deepEqual([removed.status, removed.text], [204, ""])
  for (const path of [
    `/packages/${made.id}`,
    `/policies/${made.policies[0]!.id}`,
    `/dashboards/${made.dashboards[0]!.id}`,
  ]) {
    assert.equal((await admin.get(path)).status, 404, path)
  }
  assert.deepEqual((await admin.get("/packages")).json(), { packages: [] })
  assert.equal((await admin.delete(`/packages/${made.id}`)).status, 404)
})

test("a refused archive is reported and stores nothing", async () => {
  const f = async (body: unknown, status: number, problem: RegExp, contentType = type) => {
    const reply = await upload(body, "/packages/install", contentType)
    assert.equal(reply.status, status, reply.text)
    assert.match(errorOf(reply).errors.join("\n"), problem)
  }
  const good = await packageArchive(draft)
  await f(good, 400, /Content-Type: expected multipart\/form-data/, "application/zip")
  await f(formWith(good), 400, /expected a boundary/, "multipart/form-data")
  await f(formWith(good, "archive"), 400, /a part named "file"/)
  await f(formWith(good).subarray(0, 200), 400, /it ends within a part/)
  await f(formWith(Buffer.from("x")), 400, /expected a whole ZIP archive/)
  await f(Buffer.alloc(34 * 1024 * 1024), 413, /bytes/)
  const worse = await packageArchive({ ...draft, policies: { "a.json": policyFile("", {}) } })
  await f(formWith(worse), 400, /^policies\/a\.json: policy\.name: expected/)
  const urls = { archives: ["https://192.0.2.1/a.zip"] }
  assert.equal((await readOnly.post("/packages", urls)).status, 403)
  assert.equal((await admin.post("/packages", { archives: "x" })).status, 400)
  assert.deepEqual((await admin.get("/packages?version=1")).json(), { packages: [] })
  assert.equal((await admin.get("/packages/nonsense")).status, 400)
})

async function packageOf(packageId: string): Promise<PackageRecord | undefined> {
  const reply = await admin.get(`/packages?packageId=${packageId}`)
  return reply.json<{ packages: PackageRecord[] }>().packages[0]
}

/** Waits until there is a package of this id; resolves to it. */
async function packageInTime(packageId: string): Promise<PackageRecord> {
  return (await answerOnce(
    () => packageOf(packageId),
    (found) => found !== undefined,
  ))!
}

async function send(path: string, metricId: string): Promise<void> {
  const samples = [{ metricId, timestamp: Date.now(), val: 1 }]
  const body = [{ id: "linux-1", type: "SERVER", samples }]
  assert.equal((await client().send(path, { method: "POST", body })).status, 202)
}

const linux = "tidegauge.linux.servers"
const web = "tidegauge.web.services"

test("a bundled package comes with the first data, and never again once removed", async () => {
  assert.equal(await packageOf(linux), undefined)
  await send(`/ingest/infrastructure/${client().apiKey}`, "cpu.total.idle")
  const found = await packageInTime(linux)
  assert.equal(found["userEmail"], null)
  assert.ok(found.policies.length > 3 && found.dashboards.length > 0)
  assert.equal((await admin.delete(`/packages/${found.id}`)).status, 204)
  await send(`/ingest/infrastructure/${client().apiKey}`, "cpu.total.idle")
  // Time for an installation, if one were to come.
  await wait(100)
  assert.equal(await packageOf(linux), undefined)
})

test("a bundled package for a collector comes when that sends, not with its agent", async () => {
  assert.equal(await packageOf(web), undefined)
  const dataSource = { name: "Agents", type: "INFRASTRUCTURE" }
  const reply = await admin.post("/datasources", { dataSource })
  const { apiId } = reply.json<{ dataSource: { apiId: string } }>().dataSource
  await send(`/ingest/${apiId}`, "nginx.active_connections")
  await packageInTime(web)
})
