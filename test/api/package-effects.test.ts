/**
 * Effects of a package on measured values, on a clock that closes four cycles a second: an
 * archive as the field has them is installed, takes effect, and is removed without a trace.
 */

import assert from "node:assert/strict"
import { after, test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { callerOf, type TestCaller } from "../support/server/caller.ts"
import { boundary, formWith, packageArchive } from "../support/packages/package-files.ts"
import { useServer } from "../support/server/server.ts"
import { answerOnce } from "../support/time/eventually.ts"

/** Five minutes of it are a quarter of a second of ours. */
const clock = "2026-01-05T00:00:00Z,x1200"
let isPosting = true
let withQueues = true
let posting = Promise.resolve()
// Before the server ends, whose hook comes later.
after(async () => {
  isPosting = false
  await posting
})

let admin: TestCaller
const client = useServer({
  flags: ["--clock", clock],
  prepare: async (server) => void (admin = callerOf(server)),
})

const packageId = "community.packages.shop"
const event = (category: number) => [{ category, type: "event" }]

/** Sparse, as the format command of the field leaves them. */
const policies = {
  "shop.-.high.error.rate.(%).json": {
    policy: {
      actions: [...event(3), { type: "notification", id: 23513, enabled: true }],
      conditions: [
        { analytic: "actual", level: 5, metric: "community.shop.errorpercent", operator: ">" },
      ],
      creatorEmail: "research@example.com",
      deleted: false,
      duration: 600,
      enabled: true,
      name: "Shop - High Error Rate",
      scope: { elementTypes: ["SHOP"] },
    },
  },
  "shop.-.disk.full.json": {
    policy: {
      actions: event(1),
      conditions: [
        {
          analytic: "actual",
          level: 95,
          operator: ">",
          wildcard: "community.shop.disk.*.percentused",
        },
      ],
      duration: 300,
      name: "Shop - Disk Full",
      scope: { elementType: "SHOP" },
    },
  },
}

const analyticConfigurations = {
  "ace-shop.json": {
    analyticConfiguration: {
      metrics: [
        { match: "community.shop.errorpercent", properties: { baseline: true, correlation: true } },
        {
          match: "community.shop.disk\\.(.*)\\.percentused",
          properties: { baseline: false, correlation: false },
        },
      ],
      name: "Shop",
      scope: { metricMatches: "^(shop\\.requests|disk\\.).*" },
      type: "ACE",
    },
  },
  "metric_meta-shop.json": {
    analyticConfiguration: {
      metrics: [
        {
          match: "shop.requests",
          properties: { STATISTIC: "sum", sparseDataStrategy: "ReplaceWithZero" },
        },
        // Finds the computed metric too, as an entry of the public ALB package does.
        {
          match: "shop.error.*",
          properties: { STATISTIC: "sum", sparseDataStrategy: "ReplaceWithZero" },
        },
        { match: "shop.served", properties: { tags: { unit: "short" }, type: "COUNTER" } },
        {
          match: "community.shop..*percent.*",
          properties: { tags: { unit: "percent", utilization: true }, validMax: 100, validMin: 0 },
        },
      ],
      name: "Shop",
      scope: { elementType: "SHOP" },
      type: "METRIC_META",
    },
  },
  "computed_metric-shop.json": {
    analyticConfiguration: {
      metrics: [
        {
          match: "community.shop.errorpercent",
          properties: {
            expressions: ["100 * ${shop.errors}.actual / ${shop.requests}.actual", "0"],
            fqn: "community.shop.errorpercent",
            name: "Shop Error Percent",
          },
        },
        {
          match: "community.shop.disk.percentused",
          properties: {
            capture: "disk[.](.*)[.]percentfree",
            expressions: ["100 - ${disk.${1}.percentfree}.actual"],
            fqn: "community.shop.disk.${1}.percentused",
          },
        },
        {
          match: "community.shop.load",
          properties: {
            expression: "data['load.01'].actual / attribute['cpus'].value",
            fqn: "community.shop.load",
          },
        },
        {
          match: "community.shop.pressure",
          properties: {
            expression:
              "data['community.shop.load'].actual > 1 ? " +
              "Math.min(data.max('queue[.].*[.]length'), 100) : 0",
            fqn: "community.shop.pressure",
          },
        },
      ],
      name: "Shop",
      scope: { elementType: "SHOP" },
      type: "COMPUTED_METRIC",
    },
  },
  "sparse-shop.json": [
    { match: "queue[.].*[.]length", properties: { sparseDataStrategy: "ReplaceWithLast" } },
  ],
}

const widget = (id: string, name: string, metric: string) => ({
  id,
  name,
  properties: { metricLimit: "10", metric_fqn: metric, visualization: "gauge" },
  widgetType: "metric-status",
})
const place = (id: string, x: number) => ({ id, x, y: 0, width: 6, height: 9 })

const dashboards = {
  "shop.summary.json": {
    dashboard: {
      name: "Shop Summary",
      private: false,
      properties: {
        gridstackContents: JSON.stringify([place("w-1", 0), place("w-2", 6)]),
        refreshIntervalSeconds: "300",
        timeRangeDuration: "3600",
        wrap: "true",
      },
      type: "DEFAULT",
      widgets: [
        widget("w-1", "Errors", "community.shop.errorpercent"),
        widget("w-2", "Load", "community.shop.load"),
      ],
    },
  },
}

const archive = () =>
  packageArchive(
    { id: packageId, version: "3.9.0", policies, analyticConfigurations, dashboards },
    "community-packages-shop-master/",
  )

/** A shop that fails a tenth of its requests, with a full disk; and one that is well. */
const shops = [
  { id: "shop-ill", errors: 100, percentFree: 3 },
  { id: "shop-well", errors: 0, percentFree: 60 },
]

function shopPost(at: number, withQueues: boolean): object[] {
  return shops.map(({ id, errors, percentFree }) => {
    const values = {
      "shop.requests": 1000,
      "shop.errors": errors,
      "shop.served": 1_000_000 + 10 * at,
      "disk.root.percentfree": percentFree,
      "load.01": 4,
      ...(withQueues ? { "queue.a.length": 5, "queue.b.length": 9 } : {}),
    }
    return {
      id,
      type: "SHOP",
      attributes: [{ name: "cpus", value: "2" }],
      metrics: Object.keys(values).map((metric) => ({ id: metric, sparseDataStrategy: "None" })),
      samples: Object.entries(values).map(([metricId, val]) => ({ metricId, val })),
    }
  })
}

/** About a minute apart; stamped by the server, so that a slow machine makes gaps, not errors. */
async function postOn(): Promise<void> {
  for (let at = 0; isPosting; at++) {
    const headers = { "x-service-api-options": "INJECT_TIMESTAMP" }
    const { status, text } = await client().ingest(shopPost(at, withQueues), headers)
    assert.equal(status, 202, text)
    await wait(100)
  }
}
interface MetricMeta {
  readonly fqn: string
  readonly state: {
    readonly baselined: boolean
    readonly correlated: boolean
    readonly updated: string | null
    readonly lastActual: number | null
  }
  readonly configuration: {
    readonly validmin: number | null
    readonly validmax: number | null
    readonly sparsedatastrategy: string
  }
}

async function metaOf(element: string): Promise<Map<string, MetricMeta>> {
  const reply = await admin.get(`/elements/${element}/metrics`)
  // The element is unknown until its first post is answered.
  const { metricMeta = [] } = reply.json<{ metricMeta?: MetricMeta[] }>()
  return new Map(metricMeta.map((one) => [one.fqn, one]))
}

async function tagsOf(fqn: string): Promise<Record<string, string>> {
  const item = { item: fqn, contains: true, literal: true, queryType: "EXACT" }
  const body = { metricFqns: { and: false, items: [item] } }
  const reply = await admin.post("/metrics/search/metricQuery", body)
  const { content } = reply.json<{
    page: { content: { serviceTags: Record<string, string> }[] }
  }>().page
  assert.equal(content.length, shops.length)
  return content[0]!.serviceTags
}

const nowMs = async () => (await client().send("/time")).json<{ epochMillis: number }>().epochMillis

/** The time of `cycles` cycles plus the grace period of a minute, after which they close. */
async function cyclesPass(count: number): Promise<void> {
  const end = (await nowMs()) + count * 300_000 + 60_000
  await answerOnce(nowMs, (now) => now > end)
}

interface Installed {
  readonly package: {
    readonly id: string
    readonly policies: readonly { readonly id: string; readonly name: string }[]
    readonly analyticConfigurations: readonly { readonly id: string }[]
    readonly dashboards: readonly { readonly id: string }[]
  }
  readonly warnings: readonly string[]
}
let installed: Installed

const policyNamed = (name: string) =>
  installed.package.policies.find((one) => one.name === name)!.id

async function eventsOf(policy: string): Promise<{ elementId: string }[]> {
  const reply = await admin.get(`/events?policy=${policy}&duration=P1D`)
  return reply.json<{ events: { elementId: string }[] }>().events
}

async function incidentsOf(policy: string): Promise<{ closed: boolean }[]> {
  const reply = await admin.get(`/incidents?policyId=${policy}`)
  return reply.json<{ incidents: { closed: boolean }[] }>().incidents
}

test("a package computes for metrics that exist, from its installation on", async () => {
  posting = postOn()
  await answerOnce(
    () => metaOf("shop-ill"),
    (meta) => meta.has("netuitive.metrics.collected.percent"),
  )
  assert.ok(![...(await metaOf("shop-ill")).keys()].some((fqn) => fqn.startsWith("community.")))
  const type = `multipart/form-data; boundary=${boundary}`
  const headers = { authorization: client().authorization, "content-type": type }
  const body = formWith(await archive())
  const reply = await client().send("/packages/install/", { method: "POST", headers, body })
  assert.equal(reply.status, 200, reply.text)
  installed = reply.json<Installed>()
  const { policies: made, analyticConfigurations: configurations } = installed.package
  assert.deepEqual([made.length, configurations.length], [2, 4])
  assert.equal(installed.warnings.length, 1)
  assert.match(installed.warnings[0]!, /error\.rate.*there is no notification 23513/)

  const wanted = {
    "community.shop.errorpercent": 10,
    "community.shop.disk.root.percentused": 97,
    "community.shop.load": 2,
    "community.shop.pressure": 9,
  }
  const lastOf = (meta: Map<string, MetricMeta>, fqn: string) => meta.get(fqn)?.state.lastActual
  await answerOnce(
    () => metaOf("shop-ill"),
    (meta) => Object.entries(wanted).every(([fqn, value]) => lastOf(meta, fqn) === value),
  )
  const well = await metaOf("shop-well")
  assert.equal(lastOf(well, "community.shop.errorpercent"), 0)
  assert.equal(lastOf(well, "community.shop.disk.root.percentused"), 40)
})

test("its units, limits, strategies and bands are those of the metrics", async () => {
  const meta = await metaOf("shop-ill")
  const flags = (fqn: string) => {
    const { baselined, correlated } = meta.get(fqn)!.state
    return [baselined, correlated]
  }
  assert.deepEqual(flags("community.shop.errorpercent"), [true, true])
  assert.deepEqual(flags("community.shop.disk.root.percentused"), [false, false])
  assert.deepEqual(flags("load.01"), [true, true])
  assert.deepEqual(meta.get("community.shop.disk.root.percentused")!.configuration, {
    validmin: 0,
    validmax: 100,
    sparsedatastrategy: "None",
  })
  const configurations = meta.get("shop.requests")!.configuration
  assert.equal(configurations.sparsedatastrategy, "ReplaceWithZero")
  assert.deepEqual(await tagsOf("community.shop.disk.root.percentused"), {
    "n.statistic": "AVG",
    unit: "percent",
    utilization: "true",
  })
  assert.deepEqual(await tagsOf("shop.requests"), { "n.statistic": "SUM" })
  assert.deepEqual(await tagsOf("shop.served"), { unit: "short" })
  // An increase; the counter itself is at a million.
  const served = await answerOnce(
    async () => (await metaOf("shop-ill")).get("shop.served")!.state.lastActual,
    (actual) => actual !== null && actual < 1_000_000,
  )
  assert.ok(served! > 0 && served! % 10 === 0, String(served))
})

test("missing values are filled as the package says, and used in computed metrics", async () => {
  withQueues = false
  await cyclesPass(2)
  const endOf = (meta: Map<string, MetricMeta>, fqn: string) =>
    Date.parse(meta.get(fqn)!.state.updated!)
  const silent = await metaOf("shop-ill")
  await answerOnce(
    () => metaOf("shop-ill"),
    (meta) => endOf(meta, "queue.b.length") > endOf(silent, "queue.b.length"),
  )
  assert.equal((await metaOf("shop-ill")).get("community.shop.pressure")!.state.lastActual, 9)
})

test("its policies raise events and incidents where computed values call for them", async () => {
  const reply = await admin.get("/elements/shop-ill")
  const { element: ill } = reply.json<{ element: { id: string } }>()
  for (const name of ["Shop - High Error Rate", "Shop - Disk Full"]) {
    const id = policyNamed(name)
    const events = await answerOnce(
      () => eventsOf(id),
      ({ length }) => length >= 2,
    )
    assert.deepEqual([...new Set(events.map(({ elementId }) => elementId))], [ill.id])
    // A cycle in which a slow machine posted nothing ends an incident, and another one follows.
    await answerOnce(
      () => incidentsOf(id),
      (incidents) => incidents.some(({ closed }) => !closed),
    )
  }
})

test("its dashboards come with their widgets, each in its place", async () => {
  const { id } = installed.package.dashboards[0]!
  const { dashboard } = (await admin.get(`/dashboards/${id}`)).json<{
    dashboard: { name: string; widgets: { id: string }[]; properties: Record<string, string> }
  }>()
  assert.equal(dashboard.name, "Shop Summary")
  const { widgets } = (await admin.get(`/widgets?dashboardId=${id}`)).json<{
    widgets: { id: string; name: string; properties: Record<string, string> }[]
  }>()
  assert.deepEqual(widgets.map(({ name }) => name).sort(), ["Errors", "Load"])
  const load = widgets.find(({ name }) => name === "Load")!
  assert.equal(load.properties["metric_fqn"], "community.shop.load")
  const placed = JSON.parse(dashboard.properties["gridstackContents"]!) as { id: string }[]
  const ids = (list: readonly { id: string }[]) => list.map((one) => one.id).sort()
  assert.deepEqual(ids(placed), ids(widgets))
  assert.deepEqual(ids(dashboard.widgets), ids(widgets))
})

test("removed, it leaves no record, setting, new value or event; data stays", async () => {
  assert.equal((await admin.delete(`/packages/${installed.package.id}`)).status, 204)
  for (const kind of ["packages", "policies", "dashboards", "widgets"]) {
    const lists = (await admin.get(`/${kind}`)).json<Record<string, unknown[]>>()
    assert.deepEqual(lists[kind], [], kind)
  }
  for (const { id } of installed.package.policies) {
    assert.equal((await admin.get(`/policies/${id}`)).status, 404)
  }
  const isBare = ({ state, configuration }: MetricMeta) =>
    state.baselined &&
    state.correlated &&
    configuration.validmin === null &&
    configuration.validmax === null &&
    configuration.sparsedatastrategy === "None"
  await answerOnce(
    () => metaOf("shop-ill"),
    (meta) => [...meta.values()].every(isBare),
  )
  assert.deepEqual(await tagsOf("community.shop.disk.root.percentused"), { "n.statistic": "AVG" })
  assert.deepEqual(await tagsOf("shop.served"), { "n.statistic": "AVG" })

  // The cycle that was closing may still have been judged by it.
  await cyclesPass(1)
  const ids = installed.package.policies.map(({ id }) => id)
  const eventCounts = async () => Promise.all(ids.map(async (id) => (await eventsOf(id)).length))
  const before = { meta: await metaOf("shop-ill"), events: await eventCounts() }
  await cyclesPass(2)
  const now = await metaOf("shop-ill")
  assert.deepEqual(await eventCounts(), before.events)
  for (const [fqn, { state }] of now) {
    const isOwn = fqn.startsWith("community.") || fqn.startsWith("queue.")
    const wasUpdated = before.meta.get(fqn)!.state.updated
    if (isOwn) assert.equal(state.updated, wasUpdated, `${fqn} has new values`)
    else assert.notEqual(state.updated, wasUpdated, `${fqn} has no new values`)
  }
  // 10, or 0 if a slow machine left a gap.
  const lastOf = (meta: typeof now) => meta.get("community.shop.errorpercent")!.state.lastActual
  assert.equal(lastOf(now), lastOf(before.meta))
  assert.ok([0, 10].includes(lastOf(now)!), `${lastOf(now)}`)
  for (const id of ids) {
    await answerOnce(
      () => incidentsOf(id),
      (incidents) => incidents.every(({ closed }) => closed),
    )
  }
})
