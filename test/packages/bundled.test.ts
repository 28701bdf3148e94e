/** Bundled packages: for which senders each is installed, and how often. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { bundledPackage, BundledPackages } from "../../src/packages/bundled.ts"
import { packageManifestFile } from "../../src/packages/manifest.ts"
import { ada } from "../records/test-deps.ts"
import { packageFiles, policyFile } from "../support/packages/package-files.ts"
import { openTestPackages } from "./test-packages.ts"

const compatibility = {
  linux: ["INFRASTRUCTURE:Linux"],
  web: ["INFRASTRUCTURE:nginx", "INFRASTRUCTURE: httpd "],
  pods: ["KUBERNETES:Containers"],
  any: ["GLOBAL"],
  statsd: ["StatsD"],
}

function bundledFixture() {
  const { packages, records, documents, clock } = openTestPackages()
  const metrics = new Set<string>()
  const asked: string[] = []
  const filesRead: string[] = []
  const bundle = Object.entries(compatibility).map(([id, words]) => {
    const policies = { "a.json": policyFile("A") }
    const draft = { id, policies, manifest: { compatibility: words } }
    const files = packageFiles(draft)
    const read = () => {
      filesRead.push(id)
      return files
    }
    return bundledPackage(read, files.get(packageManifestFile)!)
  })
  const bundled = new BundledPackages({
    deps: { documents, clock },
    packages,
    datasources: records.datasources,
    hasMetrics: async (_, prefix) => {
      asked.push(prefix)
      return [...metrics].some((fqn) => fqn.startsWith(prefix))
    },
    bundle: () => bundle,
    onError: (error) => assert.fail(String(error)),
  })
  const installed = async () => (await packages.list(0)).map(({ packageId }) => packageId).sort()
  const sent = async (kind: string | null, datasourceId = 1) => {
    bundled.onIngest({ tenant: 0, datasourceId }, kind)
    await bundled.drained()
    return installed()
  }
  return { packages, records, clock, metrics, asked, filesRead, sent }
}

test("a bundled package requires its type and its collector, not one of them", async () => {
  const f = async (kind: string | null, metrics: readonly string[], want: readonly string[]) => {
    const { sent, metrics: known } = bundledFixture()
    for (const one of metrics) known.add(one)
    assert.deepEqual(await sent(kind), [...want].sort(), `${kind}: ${metrics.join()}`)
  }
  await f(null, ["nginx.requests", "cpu.idle"], ["any"])
  await f("infrastructure", ["cpu.idle"], ["any", "linux"])
  await f("Infrastructure", ["nginxlike.x", "my.nginx.x"], ["any", "linux"])
  await f("infrastructure", ["nginx.requests"], ["any", "linux", "web"])
  await f("infrastructure", ["httpd.workers"], ["any", "linux", "web"])
  await f("kubernetes", ["nginx.requests"], ["any", "pods"])
  await f("statsd", ["nginx.requests"], ["any", "statsd"])
  // A collector is no type, and a type no collector.
  await f("nginx", ["nginx.requests"], ["any"])
  await f("linux", ["cpu.idle"], ["any"])
  await f("containers", [], ["any"])
})

test("only a package that is installed is read beyond its manifest", async () => {
  const { sent, filesRead } = bundledFixture()
  await sent("infrastructure")
  await sent("infrastructure", 2)
  assert.deepEqual(filesRead.sort(), ["any", "linux"])
})

test("the type of a datasource counts like the type in the path", async () => {
  const { sent, records } = bundledFixture()
  const agents = [{ name: "Agents", type: "INFRASTRUCTURE" }]
  const [made] = await records.datasources.create(0, agents, () => "dataSource")
  assert.deepEqual(await sent(null, Number(made!.datasource.id)), ["any", "linux"])
})

test("a collector that is enabled later is detected within a cycle", async () => {
  const { sent, metrics, clock, asked } = bundledFixture()
  assert.deepEqual(await sent("infrastructure"), ["any", "linux"])
  metrics.add("nginx.requests")
  const askedBefore = asked.length
  assert.deepEqual(await sent("infrastructure"), ["any", "linux"])
  assert.equal(asked.length, askedBefore, "nothing is looked for at each request")
  clock.advance(300_000)
  assert.deepEqual(await sent("infrastructure"), ["any", "linux", "web"])
  clock.advance(300_000)
  const askedAfter = asked.length
  await sent("infrastructure")
  assert.equal(asked.length, askedAfter, "nothing is looked for where nothing is waited for")
})

test("a package that a user removed is not installed again by any sender", async () => {
  const { sent, packages, clock, metrics } = bundledFixture()
  metrics.add("nginx.requests")
  assert.deepEqual(await sent("infrastructure"), ["any", "linux", "web"])
  for (const { id } of await packages.list(ada.tenant)) await packages.remove(ada.tenant, id)
  clock.advance(300_000)
  assert.deepEqual(await sent("infrastructure"), [])
  assert.deepEqual(await sent("infrastructure", 2), [])
})
