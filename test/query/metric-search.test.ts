import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { elementUuid, metricUuid } from "../../src/model/fqn.ts"
import { FakeStore, ask, nowMs, openOf, queryOf, requestOf, tenantUuids } from "./fake-store.ts"

const of = (body?: unknown) => requestOf("metricQuery", {}, body)
const exact = (...texts: string[]) => ({
  and: false,
  items: texts.map((item) => ({ literal: true, contains: true, item, queryType: "EXACT" })),
})
const like = (item: string, more: object = {}) => ({ items: [{ item, literal: false, ...more }] })
const [web, db] = ["web", "db"].map((fqn) => elementUuid(tenantUuids[0]!, fqn))

function sampleStore(): FakeStore {
  const store = new FakeStore()
  const server = store.element("web", { type: "SERVER", name: "Web West" })
  store.metric(server, "cpu.total", { patch: { unit: "percent" }, values: [1] })
  store.metric(server, "cpu.user", { patch: { unit: "percent", type: "COUNTER" } })
  store.metric(server, "mem", { patch: { unit: "bytes", tags: [{ name: "env", value: "b" }] } })
  const base = store.element("db", { type: "RDS", name: "Db East" })
  store.metric(base, "cpu.total", { patch: { tags: [{ name: "env", value: "a" }] } })
  store.metric(store.element("web", {}, 1), "cpu.total", { values: [1] })
  return store
}

/** Metrics as `element/fqn`, of one page that holds all. */
async function found(store: FakeStore, body: object): Promise<string[]> {
  const { content } = (await ask(store, of({ pageSize: 1_000, ...body }))).page
  const names: Record<string, string> = { [web!]: "web", [db!]: "db" }
  return content.map(
    (metric: { elementId: string; fqn: string }) => `${names[metric.elementId]}/${metric.fqn}`,
  )
}

const all = ["web/cpu.total", "web/cpu.user", "web/mem", "db/cpu.total"]

test("each group keeps what it names", async () => {
  const store = sampleStore()
  const f = async (body: object, want: string[]) => assert.deepEqual(await found(store, body), want)
  const cpus = ["web/cpu.total", "web/cpu.user", "db/cpu.total"]

  await f({}, all)
  await f({ metricFqns: exact("cpu.total") }, ["web/cpu.total", "db/cpu.total"])
  await f({ metricFqns: exact("mem", "cpu.user", "none") }, ["web/cpu.user", "web/mem"])
  await f({ metricFqns: exact("CPU.total") }, [])
  await f({ metricFqns: { and: true, items: exact("mem", "cpu.user").items } }, [])
  await f({ metricFqns: like("CPU") }, cpus)
  await f({ metricFqns: like("CPU", { queryType: "PREFIX" }) }, cpus)
  await f({ metricFqns: like("user", { queryType: "PREFIX" }) }, [])
  await f({ metricFqns: like("cpu", { contains: false }) }, ["web/mem"])
  await f({ metricNames: exact("mem") }, ["web/mem"])
  await f({ elementTypes: exact("RDS") }, ["db/cpu.total"])
  await f({ elementTypes: exact("rds") }, [])
  await f({ elementNames: like("west") }, all.slice(0, 3))
  await f({ elementFqns: exact("db") }, ["db/cpu.total"])
  await f({ elementIds: exact(db!.toUpperCase()) }, ["db/cpu.total"])
  await f({ elementIds: exact("db") }, [])
  await f({ metricIds: exact(metricUuid(tenantUuids[0]!, "web", "mem")) }, ["web/mem"])
  await f({ metricTypes: exact("COUNTER") }, ["web/cpu.user"])
  await f({ metricUnits: exact("percent") }, ["web/cpu.total", "web/cpu.user"])
})

test("groups are joined by and; nested groups join as their own group says", async () => {
  const store = sampleStore()
  const f = async (body: object, want: string[]) => assert.deepEqual(await found(store, body), want)
  await f({ metricFqns: like("cpu"), elementTypes: exact("SERVER") }, [
    "web/cpu.total",
    "web/cpu.user",
  ])
  await f({ elementFqns: exact("web"), metricUnits: exact("bytes") }, ["web/mem"])
  await f({ metricFqns: exact("cpu.total"), elementIds: exact(web!) }, ["web/cpu.total"])
  const nestedItems = [like("total"), exact("mem")]
  await f({ metricFqns: { and: false, nestedItems } }, ["web/cpu.total", "web/mem", "db/cpu.total"])
  await f({ metricFqns: { and: true, nestedItems } }, [])
})

test("an exact name is looked up, not searched for", async () => {
  const store = sampleStore()
  let read = 0
  const { name } = store.catalogue
  store.catalogue.name = (index) => {
    read++
    return name.call(store.catalogue, index)
  }
  for (let i = 0; i < 1_000; i++) store.metric(0, `m${i}`)
  read = 0
  assert.deepEqual(await found(store, { metricFqns: exact("mem") }), ["web/mem"])
  assert.ok(read < 10, `${read} names were read`)
})

test("pages cut what is found, and all of them together are all of it, once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.boolean(), async (pageSize, sorted) => {
      const store = sampleStore()
      const pages = Math.ceil(all.length / pageSize)
      const sort = sorted ? { field: "fqn", order: "desc" } : null
      const read = await Promise.all(
        Array.from({ length: pages }, (_, page) => found(store, { page, pageSize, sort })),
      )
      assert.deepEqual(read.flat().sort(), [...all].sort())
      assert.deepEqual(await found(store, { page: pages, pageSize, sort }), [])
    }),
    { numRuns: 20 },
  )
  const { page } = await ask(sampleStore(), of({ page: "1", pageSize: 3 }))
  const { content, ...rest } = page
  assert.equal(content.length, 1)
  assert.deepEqual(rest, {
    last: true,
    first: false,
    totalElements: 4,
    totalPages: 2,
    sort: null,
    numberOfElements: 1,
    size: 3,
    number: 1,
  })
})

test("sort orders by any field; missing values go first or last, in either order", async () => {
  const store = sampleStore()
  const f = async (sort: object, want: number[]) =>
    assert.deepEqual(
      await found(store, { sort }),
      want.map((i) => all[i]),
    )
  await f({ field: "fqn" }, [0, 3, 1, 2])
  await f({ field: "name", order: "DESC" }, [2, 1, 0, 3])
  await f({ field: "unit" }, [2, 0, 1, 3])
  await f({ field: "unit", missing: "_first" }, [3, 2, 0, 1])
  await f({ field: "unit", order: "desc" }, [0, 1, 2, 3])
  await f({ field: "unit", order: "desc", missing: "_first" }, [3, 0, 1, 2])
  await f({ field: "sourceTags.env" }, [3, 2, 0, 1])
  await f({ field: "serviceTags.unit", order: "desc" }, [0, 1, 2, 3])
  await f({ field: "sourceTags.toString" }, [0, 1, 2, 3])
  await f({ field: null }, [0, 1, 2, 3])
})

test("the walkthrough works: the ids of one page feed the statistics", async () => {
  const store = sampleStore()
  const excludes = ["fqn", "name", "unit", "dataSourceId", "processingFlags", "type"]
  const body = { metricFqns: exact("cpu.total"), sourceFilter: { excludes }, pageSize: 10_000 }
  const { content } = (await ask(store, of(body))).page
  assert.deepEqual(Object.keys(content[0]), [
    "id",
    "elementId",
    "sparseDataStrategy",
    "serviceTags",
    "netuitiveTags",
    "sourceTags",
  ])
  const ids = content.map((metric: { elementId: string }) => metric.elementId)
  const { metrics } = await ask(store, requestOf("statistics", { fqn: "cpu.total" }, ids))
  assert.deepEqual(
    metrics.map((metric: { metricId: string }) => metric.metricId),
    [content[0].id],
  )
})

test("dates keep the metrics with data in the window, unflushed samples included", async () => {
  const store = sampleStore()
  store.add(2, Date.parse("2024-01-01T00:01:00Z"), 5)
  const f = async (body: object, want: string[]) => assert.deepEqual(await found(store, body), want)
  await f({ startDate: "2024-03-05T11:00:00+00:00", endDate: "2024-03-05T13:00:00Z" }, [
    "web/cpu.total",
  ])
  await f({ startDate: "2024-01-01T00:00Z", endDate: "2024-01-02T00:00Z" }, ["web/mem"])
  // A sample in the cycle in which the window begins counts, though its bucket begins before.
  await f({ startDate: "2024-01-01T00:01Z", endDate: "2024-01-01T00:02Z" }, ["web/mem"])
  await f({ startDate: "20240101", elementFqns: exact("db") }, [])
  await f({ endDate: "20200101" }, [])

  const open = openOf(3, [{ timeMs: nowMs - 1000, value: 1 }])
  const request = of({ startDate: nowMs - 60_000, metricFqns: exact("cpu.total") })
  const { page } = await ask(store, request, open)
  assert.deepEqual([page.totalElements, page.content.length], [2, 2])
})

test("dates that have no meaning are refused with the names of the body", async () => {
  const f = (body: object, want: RegExp) =>
    assert.rejects(() => queryOf(sampleStore()).plan(of(body)), want)
  await f({ startDate: "yesterday" }, /startDate: cannot read "yesterday"/)
  await f({ startDate: "20240102", endDate: "20240101" }, /startDate: expected it before endDate/)
  await f({ startDate: {} }, /startDate: expected a text, got an object/)
})
