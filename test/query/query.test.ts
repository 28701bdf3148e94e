import assert from "node:assert/strict"
import { test } from "node:test"
import { elementUuid, metricUuid } from "../../src/model/fqn.ts"
import { defaultPolicy, matchAllScope } from "../../src/model/records/policy.ts"
import { queryKinds } from "../../src/query/registry.ts"
import type { QueryRequest } from "../../src/query/query.ts"
import { FakeStore, ask, nowMs, queryOf, requestOf, tenantUuids } from "./fake-store.ts"
import { textOfParts } from "../support/server/answer-text.ts"

const id = elementUuid(tenantUuids[0]!, "web")
const anyValue = {
  analytic: "actual",
  wildcard: null,
  metricScopeTags: {},
  level2: null,
  metricThresholdLevel: null,
  metricThresholdAnalytic: null,
} as const
const condition = { ...anyValue, metric: "cpu", operator: ">", level: 1 } as const
const policy = { ...defaultPolicy, conditions: [condition] }
const requests: Record<QueryRequest["kind"], QueryRequest> = {
  statistics: requestOf("statistics", { fqn: "cpu", showValues: "true" }, ["web"]),
  samples: requestOf("samples", { elementId: "web", metricId: "cpu", ui: "true" }),
  seriesQuery: requestOf(
    "seriesQuery",
    {},
    { queries: [{ id: "all", filter: {} }, { id: "bad" }, { id: "sum", filter: {}, by: "all" }] },
  ),
  rawPoints: requestOf(
    "rawPoints",
    {},
    { names: [{ elementId: "web", metricId: "cpu" }], span: { startMs: 0, endMs: nowMs } },
  ),
  metricQuery: requestOf("metricQuery", {}, { startDate: "20240101", sort: { field: "fqn" } }),
  metricAgg: requestOf("metricAgg", { term: "fqn" }, { startDate: "20240101" }),
  metrics: requestOf("metrics"),
  elementQuery: requestOf("elementQuery", {}, { startDate: "20240101", sort: { field: "name" } }),
  elementAgg: requestOf("elementAgg", { term: "tags" }, {}),
  fqns: requestOf("fqns", { elementTag: '{"env":["prod"]}' }),
  metricTree: requestOf("metricTree", { elementFqn: "web" }),
  search: requestOf("search", { q: "web" }),
  searchValues: requestOf("searchValues", { field: "tag.env", q: "p" }),
  element: requestOf("element", { elementId: id }),
  elementLookup: requestOf("elementLookup", {}, { elementFqns: ["web", "nobody"] }),
  names: requestOf("names", { elementId: id, metricId: "cpu" }),
  tags: requestOf("tags", { elementId: "web" }),
  namePreview: requestOf("namePreview", {}, { elementId: "web", template: "${tags.env}!" }),
  newestElement: requestOf("newestElement"),
  relationships: requestOf("relationships", { elementId: "web", levels: "2" }),
  elementList: requestOf("elementList", { type: "SERVER" }),
  elementIds: requestOf("elementIds"),
  elementStatus: requestOf("elementStatus", {}, {}),
  selectedElements: requestOf("selectedElements", {}, { ids: ["web", "none"], filter: {} }),
  elementMetrics: requestOf("elementMetrics", { elementId: "web" }),
  acrossElements: requestOf("acrossElements", { aggregation: "max" }, {}),
  aggregateStatistics: requestOf("aggregateStatistics", { fqn: "cpu" }, { types: ["SERVER"] }),
  policyReplay: requestOf("policyReplay", {}, { policy, elements: ["web"], detail: "cycles" }),
  scopes: requestOf("scopes", { elementId: "web" }, { scopes: { p: matchAllScope } }),
}

function sampleStore(): FakeStore {
  const store = new FakeStore()
  const tags = [{ name: "env", value: "prod" }]
  const attributes = [{ name: "cpus", value: "4" }]
  const web = store.element("web", { type: "SERVER", location: "here", tags, attributes })
  store.metric(web, "cpu", { values: [1, 2, 3], patch: { unit: "percent" } })
  store.metric(store.element("quiet"), "silent")
  return store
}

test("a plan that was cloned into another thread is answered there alike", async () => {
  const store = sampleStore()
  for (const kind of queryKinds) {
    const plan = structuredClone(await queryOf(store).plan(requests[kind]))
    const there = await queryOf(store.replica()).answer(plan, null)
    assert.deepEqual(JSON.parse(textOfParts(there)), await ask(store, requests[kind]), kind)
  }
})

test("execute() answers unless unflushed samples or scan workers take part", async () => {
  const store = sampleStore()
  for (const kind of queryKinds) {
    for (const isOpen of [false, true]) {
      const query = queryOf(store)
      const { plan, parts } = await query.execute(requests[kind], {
        hasUnflushed: isOpen,
        allowsParallel: true,
      })
      const waits = isOpen && (await query.plan(requests[kind])).series.length > 0
      assert.equal(plan !== undefined, waits, kind)
      const found = parts ?? (await query.answer(plan!, null))
      const words = JSON.parse(textOfParts(found)) as unknown
      assert.deepEqual(words, await ask(store, requests[kind]), kind)
    }
  }
})

test("both halves refresh the catalogue, the answer after the unflushed samples", async () => {
  for (const kind of queryKinds) {
    const store = sampleStore()
    const query = queryOf(store)
    const plan = await query.plan(requests[kind])
    assert.equal(store.refreshes, 1)
    await query.answer(plan, null)
    assert.equal(store.refreshes, 2)
  }
})

/** Of metrics that the store shows in the window no more need be known than that. */
const asksForOpen = new Set([
  "statistics",
  "samples",
  "seriesQuery",
  "rawPoints",
  "metricQuery",
  "metricAgg",
  "metrics",
  "elementQuery",
  "elementIds",
  "elementStatus",
  "elementMetrics",
  "acrossElements",
  "aggregateStatistics",
])

test("a plan needs unflushed samples if the answer depends on samples, and only then", async () => {
  for (const kind of queryKinds) {
    const plan = await queryOf(sampleStore()).plan(requests[kind])
    const needed = asksForOpen.has(kind)
    assert.equal(plan.series.length > 0, needed, kind)
    assert.equal(plan.span !== null, needed, kind)
    assert.deepEqual([plan.kind, plan.tenant], [kind, 0])
  }
})

test("the answer for an element is its whole document, by UUID or FQN", async () => {
  const want = {
    id,
    fqn: "web",
    name: "web",
    type: "SERVER",
    location: "here",
    serviceTags: {},
    netuitiveTags: {},
    sourceTags: { env: "prod" },
    attributes: [{ dataSourceId: 1, name: "cpus", value: "4", attributeType: "TEXT" }],
    metrics: [
      {
        id: metricUuid(tenantUuids[0]!, "web", "cpu"),
        fqn: "cpu",
        name: "cpu",
        unit: "percent",
        type: null,
        sparseDataStrategy: "None",
        dataSourceId: 1,
        serviceTags: { "n.statistic": "AVG", unit: "percent" },
        netuitiveTags: { "n.statistic": "AVG", unit: "percent" },
        sourceTags: {},
        processingFlags: {},
      },
    ],
    tenantId: tenantUuids[0],
    tags: [{ name: "env", value: "prod" }],
  }
  for (const elementId of [id, "web"]) {
    const { element } = await ask(sampleStore(), requestOf("element", { elementId }))
    const [attribute] = element.attributes
    assert.match(attribute.id, /^[0-9a-f-]{36}$/)
    delete attribute.id
    assert.deepEqual(element, want)
  }
})

test("an unknown element is missing", async () => {
  for (const elementId of ["db", elementUuid(tenantUuids[1]!, "web"), ""]) {
    await assert.rejects(
      () => queryOf(sampleStore()).plan(requestOf("element", { elementId })),
      (error: Error & { code: string }) => error.code === "missing",
    )
  }
})
