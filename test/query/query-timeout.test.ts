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
import { append, plain, seriesName, startOfDayMs } from "../support/ingest/samples.ts"
import { requestOf } from "./fake-store.ts"

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
