/**
 * A server that watches itself, on a clock that closes four cycles a second: its metrics, the
 * package that belongs to them, a policy of it that fires, and the alert rules for Prometheus.
 */

import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { zipOf } from "../../src/packages/zip.ts"
import { callerOf, type TestCaller } from "../support/server/caller.ts"
import { eventually } from "../support/time/eventually.ts"
import { boundary, formWith } from "../support/packages/package-files.ts"
import { rootFolder } from "../support/project-paths.ts"
import { useServer } from "../support/server/server.ts"

const folder = join(rootFolder, "data/packages/tidegauge")
const packageId = "tidegauge.self"

let isPosting = false
let posting = Promise.resolve()
// Before the server ends, whose hook comes later.
after(async () => {
  isPosting = false
  await posting
})

let admin: TestCaller
const flags = ["--clock", "2026-01-05T00:00:00Z,x1200", "--key-payloads-per-minute", "1"]
const client = useServer({
  flags: [...flags, "--self-monitoring", "on"],
  prepare: async (server) => void (admin = callerOf(server)),
})

interface InstalledPackage {
  readonly id: string
  readonly policies: readonly { readonly id: string; readonly name: string }[]
}

async function installedPackages(): Promise<InstalledPackage[]> {
  const reply = await admin.get(`/packages?packageId=${packageId}`)
  return reply.json<{ packages: InstalledPackage[] }>().packages
}

async function ownMetrics(): Promise<Set<string>> {
  const reply = await admin.get("/elements/tidegauge/metrics")
  const { metricMeta = [] } = reply.json<{ metricMeta?: { fqn: string }[] }>()
  return new Set(metricMeta.map(({ fqn }) => fqn))
}

/** Names of the metrics that the dashboards of the package show. */
function shownMetrics(): string[] {
  return readdirSync(join(folder, "dashboards")).flatMap((name) => {
    const { dashboard } = JSON.parse(readFileSync(join(folder, "dashboards", name), "utf8")) as {
      dashboard: { widgets: { properties: { metrics?: string } }[] }
    }
    return dashboard.widgets.flatMap(({ properties: { metrics = "[]" } }) =>
      (JSON.parse(metrics) as { fqn: string }[]).map(({ fqn }) => fqn),
    )
  })
}

async function archive(): Promise<Uint8Array> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
  const files = paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)] as const)
  return zipOf(new Map(files))
}

/** Posts far more often than the key may, for policies to see it. */
async function postTooOften(): Promise<void> {
  while (isPosting) {
    await client().ingest([])
    await wait(10)
  }
}

test("the package comes with the server's own metrics", async () => {
  await eventually(async () => (await installedPackages()).length === 1)
  const [{ id } = { id: "" }] = await installedPackages()
  assert.equal((await admin.delete(`/packages/${id}`)).status, 204)
})

test("it can be installed like any other, and its dashboards show metrics that exist", async () => {
  const type = `multipart/form-data; boundary=${boundary}`
  const headers = { authorization: client().authorization, "content-type": type }
  const body = formWith(await archive())
  const reply = await client().send("/packages/install", { method: "POST", headers, body })
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(reply.json<{ warnings: unknown[] }>().warnings, [])
  const shown = shownMetrics()
  assert.ok(shown.length > 20, `${shown.length} metrics`)
  // One query, and the seconds of a query exist.
  assert.equal((await client().get("/metrics/fqns")).status, 200)
  let missing = shown
  await eventually(async () => {
    await client().get("/metrics/fqns")
    const known = await ownMetrics()
    missing = shown.filter((fqn) => !known.has(fqn))
    return missing.length === 0
  }).catch(() => assert.deepEqual(missing, []))
})

test("a policy of it fires while posts are refused", async () => {
  const [installed] = await installedPackages()
  const { id } = installed!.policies.find(({ name }) => name === "Tidegauge: posts are refused")!
  isPosting = true
  posting = postTooOften()
  await eventually(async () => {
    const reply = await admin.get(`/incidents?policyId=${id}`)
    return reply.json<{ incidents: unknown[] }>().incidents.length === 1
  })
})

test("every metric of data/alerts.yml is on the page of a real server", async () => {
  const { text } = await client().send("/metrics/internal")
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
  const rules = readFileSync(join(rootFolder, "data/alerts.yml"), "utf8")
  const named = [...rules.matchAll(/\b(?:tidegauge|nodejs|process)_[a-z0-9_]+/g)].map(
    ([one]) => one,
  )
  assert.ok(named.length > 15, `${named.length} names`)
  const family = (name: string) => name.replace(/_(?:bucket|count|sum)$/, "")
  const unknown = named.filter((name) => !known.has(name) && !known.has(family(name)))
  assert.deepEqual(unknown, [])
})
