/** Series queries that are wrong, or that ask for more than a limit (spec/series §1). */

import assert from "node:assert/strict"
import { test } from "node:test"
import {
  groupedBucketsMax,
  seriesMatchedMax,
  seriesOrderMsMax,
  seriesPerReadMax,
  seriesReadMsMax,
} from "../../src/base/limits/series.ts"
import { Query } from "../../src/query/query.ts"
import type { BucketConsumer, BucketValuesRequest } from "../../src/store/query-store.ts"
import type { UnflushedSamples } from "../../src/store/append-store.ts"
import { textOfParts } from "../support/server/answer-text.ts"
import { ask, FakeStore, requestOf, tenantUuids } from "./fake-store.ts"
import { querySeries, type QueryAnswer } from "./series-fixture.ts"

test("a query that is wrong is an error of its own", async () => {
  const store = new FakeStore()
  store.metric(store.element("a"), "m", { values: [1] })
  const named = [{ elementId: "a", metricId: "m" }]
  const bad: readonly [Readonly<Record<string, unknown>>, RegExp][] = [
    [{ id: "none" }, /filter: expected either filter or series, got neither/],
    [{ id: "both", filter: {}, series: named }, /got both/],
    [{ id: "word", filter: {}, fields: ["actal"] }, /fields\[0\]: expected one of actual, low/],
    [{ id: "name", filter: {}, feilds: [] }, /"feilds" is no field here; did you mean "fields"/],
    [{ id: "by", filter: {}, by: "colour" }, /by: expected one of series, .*got "colour"/],
    [{ id: "tag", filter: {}, by: "tag" }, /by: expected one of .*tag\.<name>/],
    [{ id: "band", filter: {}, by: "all", fields: ["baseline"] }, /no baseline with by all/],
    [{ id: "empty", filter: {}, fields: [] }, /fields: expected at least one field/],
    [{ id: "shift", filter: {}, shift: "yesterday" }, /shift: expected an ISO 8601 duration/],
    [{ id: "limit", filter: {}, limit: 1001 }, /limit: expected a whole number, 1 to 1000/],
    [{ id: "group", filter: { metricFqn: {} } }, /"metricFqn" is no field here/],
    [{ id: "expression", filter: { metricFqns: regex("(") } }, /regular expression "\("/],
    [{ id: "good", filter: {} }, /id: expected an id of its own, got "good" again/],
  ]
  const queries: Readonly<Record<string, unknown>>[] = [
    { id: "good", filter: {} },
    ...bad.map(([query]) => query),
  ]
  const answer = await ask(store, requestOf("seriesQuery", {}, { duration: "PT1H", queries }))
  const [good, ...rest] = answer.queries as QueryAnswer[]
  assert.deepEqual([good!.status, good!.errors, good!.shown], ["ok", [], 1])
  rest.forEach(({ id, status, errors, rollup, series }, i) => {
    assert.deepEqual([id, status, rollup, series], [queries[i + 1]!["id"], "error", null, []])
    assert.match(errors.join("; "), bad[i]![1])
  })
})

const regex = (item: string) => ({ items: [{ item, queryType: "REGEX" }] })

test("a body that is wrong as a whole is refused", async () => {
  const good = { id: "a", filter: {} }
  const f = async (body: unknown, want: RegExp) => {
    await assert.rejects(ask(new FakeStore(), requestOf("seriesQuery", {}, body)), want)
  }
  await f(null, /queries: expected a value/)
  await f({ queries: [] }, /queries: expected 1 to 64 queries/)
  await f({ queries: Array(65).fill(good) }, /queries: expected 1 to 64 queries/)
  await f({ queries: [good], width: 5000 }, /width: expected a whole number, 1 to 4096/)
  await f({ queries: [good], rollup: "PT1M" }, /rollup: expected one of AUTO, ZERO/)
  await f({ queries: [good], duration: "1h" }, /duration: expected an ISO 8601 duration/)
  await f({ queries: [good], duration: "PT1H", endTime: 5e12 }, /got both/)
  await f({ queries: [good], startTime: "2024-03-02", endTime: "2024-03-01" }, /startTime: /)
  await f({ queries: [good], start: "2024-03-02" }, /"start" is no field here/)
})

test("a limit is an error that names it, or the answer says that it is partial", async () => {
  const store = new FakeStore()
  for (let i = 0; i < 40; i++) store.metric(store.element(`e${i}`), "m", { values: [i] })
  const long = { startTime: "2023-06-01", endTime: "2024-03-06", rollup: "PT5M" }
  const refused = await querySeries(store, long, {})
  assert.match(refused.errors.join(), /rollup: expected at most 32768 buckets of PT5M/)

  let ms = 0
  const elapsedMs = () => (ms += seriesReadMsMax / 10)
  const tenantUuid = (tenant: number) => tenantUuids[tenant]!
  const query = new Query({ store, tenantUuid, elapsedMs })
  const queries = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, filter: {} }))
  const request = requestOf("seriesQuery", {}, { duration: "PT1H", queries })
  const parts = await query.answer(await query.plan(request), null)
  const answers: QueryAnswer[] = JSON.parse(textOfParts(parts)).queries
  assert.equal(answers[0]!.isPartial, false)
  assert.equal(answers.at(-1)!.isPartial, true)
  assert.ok(seriesMatchedMax > answers[0]!.matched)
})

test("if finding the first lines takes long, the best of those found are shown", async () => {
  const store = new FakeStore()
  const count = 2 * seriesPerReadMax
  for (let i = 0; i < count; i++) store.metric(store.element(`e${i}`), "m", { values: [i] })
  // The second of two reads does not begin in time.
  const times = [0, 1, seriesOrderMsMax + 1]
  let calls = 0
  const elapsedMs = () => times[Math.min(calls++, times.length - 1)]!
  const query = new Query({ store, tenantUuid: (tenant) => tenantUuids[tenant]!, elapsedMs })
  const body = { duration: "PT1H", queries: [{ id: "a", filter: {}, limit: 2 }] }
  const parts = await query.answer(await query.plan(requestOf("seriesQuery", {}, body)), null)
  const [answer] = (JSON.parse(textOfParts(parts)) as { queries: QueryAnswer[] }).queries
  assert.deepEqual([answer!.matched, answer!.shown, answer!.isPartial], [count, 2, true])
  const best = [seriesPerReadMax - 1, seriesPerReadMax - 2]
  assert.deepEqual(
    answer!.series.map(({ summary }) => summary["avg"]),
    best,
  )
})

test("if reading a group takes long, it has what was read and says so", async () => {
  const store = new FakeStore()
  const count = 2 * seriesPerReadMax
  for (let i = 0; i < count; i++) store.metric(store.element(`e${i}`), "m", { values: [1] })
  const ask = async (times: readonly number[]) => {
    let calls = 0
    const elapsedMs = () => times[Math.min(calls++, times.length - 1)]!
    const query = new Query({ store, tenantUuid: (tenant) => tenantUuids[tenant]!, elapsedMs })
    const queries = [{ id: "a", filter: {}, by: "all", aggregation: "sum" }]
    const request = requestOf("seriesQuery", {}, { duration: "PT1H", queries })
    const parts = await query.answer(await query.plan(request), null)
    const [answer] = (JSON.parse(textOfParts(parts)) as { queries: QueryAnswer[] }).queries
    return answer!
  }
  const whole = await ask([0])
  assert.deepEqual([whole.isPartial, whole.series[0]!.summary["sum"]], [false, count])
  const part = await ask([0, 1, seriesReadMsMax + 1])
  assert.deepEqual([part.isPartial, part.series[0]!.summary["sum"]], [true, seriesPerReadMax])
})

/** Keeps how many series each read of a field was about. */
class CountingStore extends FakeStore {
  readonly reads: { readonly field: string; readonly series: number }[] = []

  override bucketValues(
    request: BucketValuesRequest,
    open: UnflushedSamples | null,
    take: BucketConsumer,
  ): void {
    this.reads.push({ field: request.field, series: request.series.length })
    super.bucketValues(request, open, take)
  }
}

test("the buckets of many long lines are held in parts, of every field", async () => {
  const store = new CountingStore()
  const count = 80
  for (let i = 0; i < count; i++) store.metric(store.element(`e${i}`), "m", { values: [i, i + 2] })
  const startTime = "2023-11-15"
  const buckets = (Date.parse("2024-03-06") - Date.parse(startTime)) / 300_000
  const body = { startTime, endTime: "2024-03-06", rollup: "PT5M", width: 10 }
  const fields = ["actual", "avg", "sum"]
  for (const by of ["series", "element"]) {
    const { series, isPartial } = await querySeries(store, body, { by, fields, limit: count })
    assert.deepEqual([series.length, isPartial], [count, false])
    const told = series.map(({ values }) => (values["avg"] ?? []).filter((one) => one !== null))
    assert.deepEqual(
      told.flat().sort((one, other) => one - other),
      Array.from({ length: count }, (_, i) => i + 1),
    )
  }
  // Of the actuals of single series nothing is held but their columns.
  const held = store.reads.filter(({ field }) => field === "avg" || field === "cnt")
  assert.ok(held.length > 0)
  for (const { field, series } of held) {
    assert.ok(series * buckets <= groupedBucketsMax, `${field} of ${series} series`)
  }
})

test("raw samples of many series are looked for until the time is over", async () => {
  const store = new FakeStore()
  const count = 2_000
  for (let i = 0; i < count; i++) store.metric(store.element(`e${i}`), "m", { values: [i] })
  const times = [0, 1, seriesOrderMsMax + 1]
  let calls = 0
  const elapsedMs = () => times[Math.min(calls++, times.length - 1)]!
  const query = new Query({ store, tenantUuid: (tenant) => tenantUuids[tenant]!, elapsedMs })
  const queries = [{ id: "a", filter: {}, limit: 2 }]
  const body = { duration: "P15D", rollup: "ZERO", queries }
  const parts = await query.answer(await query.plan(requestOf("seriesQuery", {}, body)), null)
  const [answer] = (JSON.parse(textOfParts(parts)) as { queries: QueryAnswer[] }).queries
  assert.deepEqual([answer!.matched, answer!.shown, answer!.isPartial], [count, 2, true])
})
