import assert from "node:assert/strict"
import { test } from "node:test"
import { statisticsSeriesMax } from "../../src/base/limits/queries.ts"
import { elementUuid, metricUuid } from "../../src/model/fqn.ts"
import { FakeStore, ask, nowMs, openOf, queryOf, requestOf, tenantUuids } from "./fake-store.ts"

const cpu = "cpu.total"
const of = (params: Record<string, string | string[]> = {}, body?: unknown) =>
  requestOf("statistics", { fqn: cpu, ...params }, body)
const elementIds = (result: { metrics: { elementId: string }[] }) =>
  result.metrics.map((metric) => metric.elementId)
const uuid = (fqn: string, tenant = 0) => elementUuid(tenantUuids[tenant]!, fqn)

function threeServers(): FakeStore {
  const store = new FakeStore()
  for (const [i, fqn] of ["web", "db", "idle"].entries()) {
    const element = store.element(fqn)
    store.metric(element, cpu, { values: fqn === "idle" ? [] : [i + 1, i + 2, i + 3] })
    store.metric(element, "mem", { values: [9] })
  }
  store.metric(store.element("web", {}, 1), cpu, { values: [7] })
  return store
}

test("statistics of a name come from every element of the tenant with data, in order", async () => {
  const result = await ask(threeServers(), of())
  assert.equal(result.metricFqn, cpu)
  assert.deepEqual(elementIds(result), [uuid("web"), uuid("db")])
  const [web] = result.metrics
  assert.deepEqual(Object.keys(web), ["elementId", "metricId", "statistics"])
  assert.equal(web.metricId, metricUuid(tenantUuids[0]!, "web", cpu))
  assert.deepEqual([web.statistics.count, web.statistics.sum, web.statistics.avg], [3, 6, 2])
})

test("the time span is the window, cut to seconds", async () => {
  const { timeSpan } = await ask(threeServers(), of({ duration: "PT24H" }))
  assert.equal(timeSpan.startTime, "2024-03-04T12:00:46Z")
  assert.equal(timeSpan.endTime, "2024-03-05T12:00:46Z")
  assert.equal(timeSpan.duration.seconds, 86_400)
})

test("a POST asks for the elements that it names, by UUID or FQN, each once", async () => {
  const f = async (body: unknown, want: string[]) =>
    assert.deepEqual(elementIds(await ask(threeServers(), of({}, body))), want)
  await f([uuid("db")], [uuid("db")])
  await f(
    ["db", uuid("db").toUpperCase(), "web", "nothing", uuid("idle")],
    [uuid("web"), uuid("db")],
  )
  await f([uuid("web", 1)], [])
  await f([5, ""], [])
  await f([], [])
  await f(null, [uuid("web"), uuid("db")])
})

test("a POST body that is no array of ids is refused", async () => {
  const f = (body: unknown, want: RegExp) =>
    assert.rejects(() => queryOf(threeServers()).plan(of({}, body)), want)
  await f({ ids: [] }, /body: expected a JSON array of element ids, got an object/)
  await f("web", /body: expected a JSON array of element ids, got "web"/)
  await f(["web", null, ["db"]], /body\[1\]: .* got null; body\[2\]: .* got an array/)
})

test("an unknown name has no metrics, and needs no unflushed samples", async () => {
  const store = threeServers()
  const plan = await queryOf(store).plan(of({ fqn: "nothing" }))
  assert.deepEqual([plan.series.length, plan.span], [0, null])
  const result = await ask(store, of({ fqn: "nothing" }))
  assert.deepEqual([result.metricFqn, result.metrics], ["nothing", []])
})

test("a name is found as it is cleaned on ingest", async () => {
  const store = new FakeStore()
  store.metric(store.element("a"), "disk_free", { values: [1] })
  assert.equal((await ask(store, of({ fqn: "disk free%" }))).metrics.length, 1)
})

test("a name is required, and all problems are reported together", async () => {
  const bad = { fqn: "", duration: "P15D", rollup: "P1D", showValues: "2", exact: "no" }
  await assert.rejects(
    () => queryOf(threeServers()).plan(of(bad, {})),
    (error: Error & { code: string; problems: string[] }) => {
      assert.equal(error.code, "invalid")
      const fields = error.problems.map((problem) => problem.split(":")[0])
      assert.deepEqual(fields, ["fqn", "duration", "rollup", "showValues", "exact", "body"])
      return true
    },
  )
})

test("showValues adds data, showTimestamps times of the same length, each alone too", async () => {
  const f = async (params: Record<string, string>, want: string[]) => {
    const [web] = (await ask(threeServers(), of(params))).metrics
    assert.deepEqual(Object.keys(web).slice(3), want)
    if (want.includes("data")) assert.deepEqual(web.data, [1, 2, 3])
    if (want.includes("timestamps")) {
      assert.equal(web.timestamps.length, 3)
      assert.equal(web.timestamps[2], "2024-03-05T11:55:00.000Z")
    }
  }
  await f({}, [])
  await f({ showValues: "false" }, [])
  await f({ showValues: "true" }, ["data"])
  await f({ showValues: "1", showTimestamps: "TRUE" }, ["data", "timestamps"])
  await f({ showTimestamps: "1" }, ["timestamps"])
})

test("the store is asked for the window, rollup and exactness of the request", async () => {
  const store = threeServers()
  await ask(store, of({ duration: "PT2H", rollup: ["zero", "PT1H"], exact: "true" }))
  const [{ series, ...question }] = store.asked as [(typeof store.asked)[0]]
  assert.equal(series.length, 3)
  assert.deepEqual(question, {
    span: { startMs: nowMs + 1 - 7_200_000, endMs: nowMs + 1 },
    resolution: "ZERO",
    withValues: false,
    exact: true,
  })
})

test("unflushed samples count like flushed ones", async () => {
  const store = threeServers()
  const idle = store.catalogue.findSeries(2, store.catalogue.findName(0, cpu))
  const open = openOf(idle, [{ timeMs: nowMs - 1000, value: 42 }])
  const result = await ask(store, of({ rollup: "ZERO", showValues: "true" }), open)
  assert.deepEqual(result.metrics.at(-1).data, [42])
})

test("an empty window has no metrics", async () => {
  const at = "2024-03-05T11:00:00Z"
  assert.deepEqual((await ask(threeServers(), of({ startTime: at, endTime: at }))).metrics, [])
})

test("metrics keep the order of elements, whatever the order of their series", async () => {
  const store = new FakeStore()
  const [first, second] = [store.element("first"), store.element("second")]
  store.metric(second, cpu, { values: [2] })
  store.metric(first, cpu, { values: [1] })
  assert.deepEqual(elementIds(await ask(store, of())), [uuid("first"), uuid("second")])
  assert.deepEqual(elementIds(await ask(store, of({}, ["second", "first"]))), [
    uuid("first"),
    uuid("second"),
  ])
})

test("more elements than one answer holds are refused before the store is asked", async () => {
  const store = new FakeStore()
  for (let i = 0; i <= statisticsSeriesMax; i++) {
    store.catalogue.upsertSeries(store.catalogue.upsertElement(0, `e${i}`, { nowMs }), cpu)
  }
  await assert.rejects(
    () => queryOf(store).plan(of()),
    /metric of 100001 elements, more than 100000/,
  )
  assert.equal((await queryOf(store).plan(of({}, ["e1", "e2"]))).series.length, 2)
})
