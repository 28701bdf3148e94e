import assert from "node:assert/strict"
import { test } from "node:test"
import { elementUuid, metricUuid } from "../../src/model/fqn.ts"
import { FakeStore, ask, nowMs, openOf, queryOf, requestOf, tenantUuids } from "./fake-store.ts"

const elementId = elementUuid(tenantUuids[0]!, "web")
const metricId = metricUuid(tenantUuids[0]!, "web", "cpu")
const of = (params: Record<string, string | string[]> = {}) =>
  requestOf("samples", { elementId, metricId, ...params })

function oneServer(): FakeStore {
  const store = new FakeStore()
  store.metric(store.element("web"), "cpu", { values: [1, 2, 6] })
  return store
}

test("samples come in time order, by default five-minute buckets of the last hour", async () => {
  const { samples, ...rest } = await ask(oneServer(), of())
  assert.deepEqual(rest, {})
  assert.deepEqual(samples[0], {
    metricId,
    timestamp: "2024-03-05T11:45:00.000Z",
    rollup: "PT5M",
    data: { actual: 1, avg: 1 },
  })
  assert.deepEqual(
    samples.map((sample: { data: { actual: number } }) => sample.data.actual),
    [1, 2, 6],
  )
})

test("element and metric are found by UUID and by FQN", async () => {
  for (const params of [{}, { elementId: "web" }, { metricId: "cpu" }]) {
    assert.equal((await ask(oneServer(), of(params))).samples.length, 3)
    assert.equal((await ask(oneServer(), of(params))).samples[0].metricId, metricId)
  }
})

test("an unknown element or metric is missing, and named", async () => {
  const f = (params: Record<string, string>, want: RegExp) =>
    assert.rejects(
      () => queryOf(oneServer()).plan(of(params)),
      (error: Error & { code: string }) => error.code === "missing" && want.test(error.message),
    )
  await f({ elementId: "db" }, /Cannot find element "db"/)
  await f({ metricId: "mem" }, /Cannot find metric "mem" of element/)
  await f({ metricId: elementId }, /Cannot find metric/)
})

test("aggregations choose fields in any case; a sample without any is left out", async () => {
  const f = async (params: Record<string, string | string[]>, want: object[]) =>
    assert.deepEqual(
      (await ask(oneServer(), of(params))).samples.map((sample: { data: object }) => sample.data),
      want,
    )
  await f({ aggregations: "ACTUAL" }, [{ actual: 1 }, { actual: 2 }, { actual: 6 }])
  await f({ aggregations: ["avg", "actual"], duration: "PT10M" }, [{ avg: 6, actual: 6 }])
  await f({ aggregations: "sparseValue,CNT" }, [])
  await f({ aggregations: "VAL", rollup: "ZERO" }, [{ val: 1 }, { val: 2 }, { val: 6 }])
  await f({ aggregations: "ACTUAL", rollup: "ZERO" }, [{ actual: 1 }, { actual: 2 }, { actual: 6 }])
})

test("an unknown aggregation is refused, the accepted ones named", async () => {
  await assert.rejects(
    () => queryOf(oneServer()).plan(of({ aggregations: "P99", rollup: "x" })),
    /rollup: .*; aggregations: expected one of ACTUAL, VAL, .*SPARSEVALUE, .*CONTEXTUALLOWER, got "P99"/,
  )
})

test("the ui variant adds figures over the actual values, whatever fields are chosen", async () => {
  const figures = { sampleMin: 1, sampleAvg: 3, sampleMax: 6, sampleSum: 9 }
  for (const params of [{}, { aggregations: "MIN" }, { rollup: "ZERO" }]) {
    const { samples: _, ...rest } = await ask(oneServer(), of({ ui: "true", ...params }))
    assert.deepEqual(rest, figures)
  }
  const none = { sampleMin: null, sampleAvg: null, sampleMax: null, sampleSum: null }
  const { samples, ...rest } = await ask(oneServer(), of({ ui: "true", endTime: "20200101" }))
  assert.deepEqual([samples, rest], [[], none])
})

test("the plan has the one series and the span of its unflushed samples, which count", async () => {
  const store = oneServer()
  const query = queryOf(store)
  const plan = await query.plan(of({ rollup: "ZERO" }))
  assert.deepEqual([...plan.series], [0])
  assert.ok(plan.span!.startMs <= nowMs - 3_600_000 && plan.span!.endMs >= nowMs)
  const open = openOf(0, [{ timeMs: nowMs - 1, value: 42 }])
  const { samples } = await ask(store, of({ rollup: "ZERO" }), open)
  assert.deepEqual(samples.at(-1).data, { val: 42 })
})
