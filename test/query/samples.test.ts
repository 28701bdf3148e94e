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

test("samples come in time order, by default five-minute buckets of the last hour", () => {
  const { samples, ...rest } = ask(oneServer(), of())
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

test("element and metric are found by UUID and by FQN", () => {
  for (const params of [{}, { elementId: "web" }, { metricId: "cpu" }]) {
    assert.equal(ask(oneServer(), of(params)).samples.length, 3)
    assert.equal(ask(oneServer(), of(params)).samples[0].metricId, metricId)
  }
})

test("an unknown element or metric is missing, and named", () => {
  const f = (params: Record<string, string>, want: RegExp) =>
    assert.throws(
      () => queryOf(oneServer()).plan(of(params)),
      (error: Error & { code: string }) => error.code === "missing" && want.test(error.message),
    )
  f({ elementId: "db" }, /Cannot find element "db"/)
  f({ metricId: "mem" }, /Cannot find metric "mem" of element/)
  f({ metricId: elementId }, /Cannot find metric/)
})

test("aggregations choose fields in any case; a sample without any of them is left out", () => {
  const f = (params: Record<string, string | string[]>, want: object[]) =>
    assert.deepEqual(
      ask(oneServer(), of(params)).samples.map((sample: { data: object }) => sample.data),
      want,
    )
  f({ aggregations: "ACTUAL" }, [{ actual: 1 }, { actual: 2 }, { actual: 6 }])
  f({ aggregations: ["avg", "actual"], duration: "PT10M" }, [{ avg: 6, actual: 6 }])
  f({ aggregations: "sparseValue,CNT" }, [])
  f({ aggregations: "VAL", rollup: "ZERO" }, [{ val: 1 }, { val: 2 }, { val: 6 }])
  f({ aggregations: "ACTUAL", rollup: "ZERO" }, [{ actual: 1 }, { actual: 2 }, { actual: 6 }])
})

test("an unknown aggregation is refused, the accepted ones named", () => {
  assert.throws(
    () => queryOf(oneServer()).plan(of({ aggregations: "P99", rollup: "x" })),
    /rollup: .*; aggregations: expected one of ACTUAL, VAL, .*SPARSEVALUE, .*CONTEXTUALLOWER, got "P99"/,
  )
})

test("the ui variant adds figures over the actual values, whatever fields are chosen", () => {
  const figures = { sampleMin: 1, sampleAvg: 3, sampleMax: 6, sampleSum: 9 }
  for (const params of [{}, { aggregations: "MIN" }, { rollup: "ZERO" }]) {
    const { samples: _, ...rest } = ask(oneServer(), of({ ui: "true", ...params }))
    assert.deepEqual(rest, figures)
  }
  const none = { sampleMin: null, sampleAvg: null, sampleMax: null, sampleSum: null }
  const { samples, ...rest } = ask(oneServer(), of({ ui: "true", endTime: "20200101" }))
  assert.deepEqual([samples, rest], [[], none])
})

test("the plan has the one series and the span of its unflushed samples, which count", () => {
  const store = oneServer()
  const query = queryOf(store)
  const plan = query.plan(of({ rollup: "ZERO" }))
  assert.deepEqual([...plan.series], [0])
  assert.ok(plan.span!.startMs <= nowMs - 3_600_000 && plan.span!.endMs >= nowMs)
  const open = openOf(0, [{ timeMs: nowMs - 1, value: 42 }])
  const { samples } = ask(store, of({ rollup: "ZERO" }), open)
  assert.deepEqual(samples.at(-1).data, { val: 42 })
})
