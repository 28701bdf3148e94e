/** A query may be stopped at any check of its budget, without effect on the next query. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import fc from "fast-check"
import { QueryBudget, createStopFlag, requestStop } from "../../src/base/query-budget.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { testedCharactersMax } from "../../src/base/limits/queries.ts"
import { dayMs, hourMs } from "../../src/model/resolution.ts"
import { PatternCache } from "../../src/query/core/pattern-cache.ts"
import { Query, type QueryRequest } from "../../src/query/query.ts"
import { openReadStore } from "../../src/store/open.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { openWriter } from "../support/store/lmdb-folder.ts"
import { textOfParts } from "../support/server/answer-text.ts"
import { readPolicyDraft } from "../../src/wire/records/policy-body.ts"
import { schedulerStateId, schedulerStateKind } from "../../src/model/closed-cycles.ts"
import { cycleMs } from "../../src/model/resolution.ts"
import { append, plain, seriesName, startOfDayMs } from "../support/ingest/samples.ts"
import { FakeStore, requestOf, tenantUuids } from "./fake-store.ts"

const isCancelled = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === "cancelled"

test("a stop flag ends the query of its own thread, and no other", () => {
  const budget = new QueryBudget()
  const flag = createStopFlag()
  budget.begin(flag)
  budget.check()
  requestStop(flag)
  assert.throws(() => budget.check(), isCancelled)
  assert.throws(() => {
    for (let i = 0; i < 1_000; i++) budget.step()
  }, isCancelled)
  budget.begin(createStopFlag())
  for (let i = 0; i < 1_000; i++) budget.step()
  budget.begin(null)
  budget.check()
})

test("an expression is tried once per text, and on no more texts than a query may", () => {
  let tried = 0
  class Counting extends QueryBudget {
    override chargeText(characters: number): void {
      tried++
      super.chargeText(characters)
    }
  }
  const budget = new Counting()
  const patterns = new PatternCache(budget, { remembers: true })
  const test = patterns.test("a+b", false)
  assert.equal(patterns.test("a+b", false), test)
  assert.notEqual(patterns.test("a+b", true), test)
  for (let i = 0; i < 10; i++) {
    assert.equal(test("xaab"), true)
    assert.equal(test("xb"), false)
  }
  assert.equal(tried, 2)

  const once = new PatternCache(budget, { remembers: false }).test("a+b", false)
  for (let i = 0; i < 3; i++) assert.equal(once("xaab"), true)
  assert.equal(tried, 5)
  budget.begin(null)
  budget.chargeText(testedCharactersMax)
  assert.throws(() => once("xaab"), /tried on more than 1000000000 characters/)
  budget.begin(null)
  assert.equal(once("xaab"), true)
})

/** Stops the query at the check of this number; every step is one. */
class EndingBudget extends QueryBudget {
  looks = 0
  endAt = Infinity

  override check(): void {
    if (++this.looks === this.endAt) throw new ServiceError("cancelled", "ended by the test")
  }

  override step(): void {
    this.check()
  }
}

const elements = 300
const nowMs = startOfDayMs + 6 * hourMs
const startMs = startOfDayMs - 2 * dayMs

function fixture(t: TestContext) {
  const folder = makeFolder()
  const writer = openWriter(folder)
  for (const dayStartMs of [startMs, startMs + dayMs, startOfDayMs]) {
    const samples = Array.from({ length: elements }, (_, i) =>
      [1, 2, 3].map((n) =>
        plain(dayStartMs + n * hourMs + i, i * n, seriesName(`host-${i}`, `m${i % 3}`)),
      ),
    ).flat()
    append(writer, samples)
    for (let steps = 0; steps < 200; steps++) {
      if (!writer.maintain({ nowMs, budgetMs: 1000, idle: true }).moreDue) break
    }
  }
  const budget = new EndingBudget()
  const store = openReadStore({ folder, budget })
  t.after(async () => {
    await store.close()
    await writer.close()
    removeFolder(folder)
  })
  const tenantUuid = (): string => "00000000-0000-4000-8000-000000000001"
  const query = new Query({ store, tenantUuid, elapsedMs: () => 0 })
  const ask = async (request: QueryRequest): Promise<string> =>
    textOfParts(await query.answer(await query.plan(request, budget), null, null, budget))
  return { budget, ask }
}

const window = {
  startTime: new Date(startMs).toISOString(),
  endTime: new Date(nowMs).toISOString(),
}
const dates = { startDate: window.startTime, endDate: window.endTime }
const [condition, scope] = [{ metric: "m1", analytic: "actual", operator: ">", level: 5 }, {}]
const policy = readPolicyDraft({ name: "any", scope, conditions: [condition] })
const regex = { and: false, items: [{ item: "m[12]", queryType: "REGEX" }] }

const requests: readonly QueryRequest[] = [
  ...["ZERO", "PT5M", "PT1H", "PT24H"].map((rollup) =>
    requestOf("statistics", { fqn: "m1", ...window, rollup, showValues: "true" }, null),
  ),
  requestOf("samples", { elementId: "host-1", metricId: "m1", ...window }, null),
  requestOf("acrossElements", { jobId: "j" }, { metricFqns: regex, ...dates }),
  requestOf("acrossElements", { jobId: "j", rollup: "ZERO" }, { metricFqns: regex, ...dates }),
  requestOf("aggregateStatistics", { fqn: "m1", ...window }, null),
  requestOf("metricQuery", {}, { metricFqns: regex, sort: { field: "elementId" } }),
  requestOf("metricQuery", {}, { ...dates, sort: { field: "id" } }),
  requestOf("metricAgg", { term: "fqn" }, {}),
  requestOf("metrics", window, null),
  requestOf("elementQuery", {}, { sort: { field: "name" } }),
  requestOf("elementAgg", { term: "elementType" }, {}),
  requestOf("elementList", { ...window }, null),
  requestOf("elementIds", { ...window }, null),
  requestOf("fqns", { elementType: "SERVER" }, null),
  ...["ZERO", "PT5M"].map((rollup) =>
    requestOf(
      "seriesQuery",
      {},
      {
        ...window,
        rollup,
        queries: [{ id: "a", filter: { metricFqns: regex }, fields: ["actual", "avg"] }],
      },
    ),
  ),
  requestOf("seriesQuery", {}, { ...window, queries: [{ id: "a", filter: {}, by: "metric" }] }),
  requestOf("policyReplay", window, { policy, elements: null, detail: "summary" }),
  requestOf("metricTree", {}, null),
  requestOf("searchValues", { field: "type" }),
  requestOf("elementStatus", {}, {}),
]

test("every kind of query checks its budget, and ends there without side effects", async (t) => {
  const { budget, ask } = fixture(t)
  const told: { request: QueryRequest; answer: string; looks: number }[] = []
  for (const request of requests) {
    budget.looks = 0
    told.push({ request, answer: await ask(request), looks: budget.looks })
  }
  for (const { request, looks } of told) {
    assert.ok(looks >= 3, `${request.kind} looked ${looks} times`)
  }
  const one = fc.constantFrom(...told)
  await fc.assert(
    fc.asyncProperty(
      one,
      fc.double({ min: 0, max: 1, noNaN: true }),
      one,
      async (ended, part, next) => {
        budget.looks = 0
        budget.endAt = 1 + Math.floor(part * (ended.looks / 2))
        await assert.rejects(() => ask(ended.request), isCancelled)
        budget.endAt = Infinity
        assert.equal(await ask(next.request), next.answer)
      },
    ),
    { numRuns: 150 },
  )
})

test("a replay that is stopped looks at the metrics of no other element", async () => {
  const store = new FakeStore()
  for (let i = 0; i < 1_000; i++) store.metric(store.element(`e${i}`), "m1", { values: [i] })
  const document = { next: Math.floor(nowMs / cycleMs), unobserved: [] }
  store.documents.set(schedulerStateKind, [{ id: schedulerStateId, document }])
  const query = new Query({ store, tenantUuid: () => tenantUuids[0]!, elapsedMs: () => 0 })
  const request = requestOf("policyReplay", window, { policy, elements: null, detail: "summary" })
  const replayed = async (stopAt: number): Promise<number> => {
    const [budget, flag, { catalogue }] = [new QueryBudget(), createStopFlag(), store]
    budget.begin(flag)
    const plan = await query.plan(request, budget)
    let looks = 0
    const own = Object.getPrototypeOf(catalogue) as typeof catalogue
    catalogue.elementSeries = (element) => {
      if (++looks === stopAt) requestStop(flag)
      return own.elementSeries.call(catalogue, element)
    }
    const answer = query.answer(plan, null, null, budget)
    if (stopAt === Infinity) await answer
    else await assert.rejects(answer, isCancelled)
    return looks
  }
  const all = await replayed(Infinity)
  assert.ok(all >= 2_000)
  // Once for the size of the sample, and once for its history.
  for (const stopAt of [10, 1_010]) assert.equal(await replayed(stopAt), stopAt)
})
