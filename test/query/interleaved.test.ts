/**
 * Queries that wait for the store while others run: the same bytes as one after the other. The
 * reference store answers by promises here, in an order that a seed repeats.
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { AnswerMemory, createAnswerMemory } from "../../src/base/answer-memory.ts"
import { QueryBudget, createStopFlag, requestStop } from "../../src/base/query-budget.ts"
import { schedulerStateId, schedulerStateKind } from "../../src/model/closed-cycles.ts"
import { cycleMs, dayMs } from "../../src/model/resolution.ts"
import { checkKind } from "../../src/model/records/check.ts"
import { defaultPolicy, matchAllScope } from "../../src/model/records/policy.ts"
import { timeIndexedKind, timeKeyPrefix } from "../../src/model/records/time-key.ts"
import { Query, type QueryRequest } from "../../src/query/query.ts"
import { queryKinds } from "../../src/query/registry.ts"
import type { QuerySource } from "../../src/store/query-store.ts"
import { textOfParts } from "../support/server/answer-text.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { aggregated, append, plain, seriesName } from "../support/ingest/samples.ts"
import { nowMs, requestOf, tenantUuids } from "./fake-store.ts"

const elements = ["web", "db", "cache", "queue"]
const metrics = ["cpu", "mem", "hits"]

/** Elements that share metric names, some silent, with aggregates, tags, checks and events. */
function filledStore(): MemoryStore {
  const store = new MemoryStore()
  for (const [e, fqn] of elements.entries()) {
    const type = e % 2 === 0 ? "SERVER" : "RDS"
    const tags = [{ name: "env", value: e % 2 === 0 ? "prod" : "test" }]
    const relations = e === 0 ? [] : [elements[e - 1]!]
    store.catalogue.upsertElement(0, fqn, { type, tags, relations, nowMs })
    for (const [m, metric] of metrics.entries()) {
      const of = seriesName(fqn, metric)
      const samples = Array.from({ length: 30 }, (_, i) => {
        const timeMs = nowMs - (i + 1) * (e === 3 ? 700_000 : 130_000) - m * 3_600_000
        const val = Math.sin(31 * e + 7 * m + i) * 10 ** m
        return i % 5 === 4
          ? aggregated(timeMs, { min: val, max: val + 2, sum: 2 * val + 2, cnt: 2 }, of)
          : plain(timeMs, val, of)
      })
      append(store, samples)
    }
    const check = { id: `check-${e}`, name: `alive-${e}`, elementFqn: fqn }
    store.putDocuments([{ kind: checkKind(0), id: fqn, document: check }])
    const event = { elementFqn: fqn, level: "WARNING" }
    const id = `${timeKeyPrefix(nowMs - 1_000 * (e + 1))}:${e}`
    store.putDocuments([{ kind: timeIndexedKind("event", 0), id, document: event }])
  }
  const closed = { next: Math.floor(nowMs / cycleMs), unobserved: [] }
  store.putDocuments([{ kind: schedulerStateKind, id: schedulerStateId, document: closed }])
  return store
}

/** The same reads, each of which answers when `pause` has. */
class PausingSource implements QuerySource {
  readonly catalogue: MemoryStore["catalogue"]
  private readonly store: MemoryStore
  private readonly pause: () => Promise<unknown>

  constructor(store: MemoryStore, pause: () => Promise<unknown>) {
    this.catalogue = store.catalogue
    this.store = store
    this.pause = pause
  }

  async statistics(...given: Parameters<MemoryStore["statistics"]>) {
    await this.pause()
    return this.store.statistics(...given)
  }

  async samples(...given: Parameters<MemoryStore["samples"]>) {
    await this.pause()
    return this.store.samples(...given)
  }

  /** The series of a request one by one, between which other queries run. */
  async bucketValues(...[request, , consume]: Parameters<QuerySource["bucketValues"]>) {
    for (const series of request.series) {
      await this.pause()
      this.store.bucketValues({ ...request, series: Int32Array.of(series) }, null, consume)
    }
  }

  async bucketHistory(...given: Parameters<MemoryStore["bucketHistory"]>) {
    await this.pause()
    return this.store.bucketHistory(...given)
  }

  async lastSeen(...given: Parameters<MemoryStore["lastSeen"]>) {
    await this.pause()
    return this.store.lastSeen(...given)
  }

  async bucketTotals(...given: Parameters<MemoryStore["bucketTotals"]>) {
    await this.pause()
    this.store.bucketTotals(...given)
  }

  async columnQuantiles() {
    await this.pause()
  }

  async retainedFromMs(...given: Parameters<MemoryStore["retainedFromMs"]>) {
    await this.pause()
    return this.store.retainedFromMs(...given)
  }

  async listDocuments(...given: Parameters<MemoryStore["listDocuments"]>) {
    await this.pause()
    return this.store.listDocuments(...given)
  }
}

const window = {
  startTime: new Date(nowMs - dayMs).toISOString(),
  endTime: new Date(nowMs).toISOString(),
}
const dates = { startDate: window.startTime, endDate: window.endTime }
const like = (item: string) => ({ items: [{ item, literal: false }] })
const resolutionsShown = ["ZERO", "PT5M", "PT1H", "PT24H"]

const condition = { wildcard: "cpu|mem", analytic: "suddenDeviation", operator: ">", level: 0.1 }
const others = { metric: "cpu", analytic: "actual", operator: ">", level: 0 }
const policy = {
  ...defaultPolicy,
  anyCondition: true,
  conditions: [condition, others].map((one) => ({
    metric: null,
    wildcard: null,
    metricScopeTags: {},
    ...one,
  })),
}

const requests: readonly QueryRequest[] = [
  ...resolutionsShown.map((rollup) =>
    requestOf("statistics", { fqn: "cpu", ...window, rollup, showValues: "true" }),
  ),
  requestOf("samples", { elementId: "web", metricId: "cpu", ...window, rollup: "ZERO" }),
  requestOf("samples", { elementId: "db", metricId: "mem", ...window, ui: "true" }),
  ...["max", "cnt", "val"].map((statistic) =>
    requestOf("acrossElements", { rollup: "ZERO", statistic }, { metricFqns: like("m"), ...dates }),
  ),
  requestOf("acrossElements", { aggregation: "max" }, { metricFqns: like("cpu"), ...dates }),
  requestOf(
    "seriesQuery",
    {},
    {
      ...window,
      queries: [
        { id: "all", filter: {}, fields: ["actual", "avg", "cnt", "baseline"], limit: 3 },
        { id: "sum", filter: { metricFqns: like("cpu") }, by: "type", aggregation: "sum" },
        { id: "p95", filter: { metricFqns: like("m") }, by: "all", aggregation: "p95" },
        { id: "raw", series: [{ elementId: "web", metricId: "hits" }], shift: "PT3H" },
      ],
    },
  ),
  requestOf("aggregateStatistics", { fqn: "hits", ...window }, { types: ["SERVER"] }),
  requestOf("aggregateStatistics", { fqn: "cpu", ...window, rollup: "ZERO" }, {}),
  requestOf("metricQuery", {}, { ...dates, sort: { field: "id" } }),
  requestOf("metricQuery", {}, { checkNames: like("alive-1"), sort: { field: "unit" } }),
  requestOf("metricAgg", { term: "fqn" }, { startDate: nowMs - 3_600_000 }),
  requestOf("metrics", window),
  requestOf("elementQuery", {}, { ...dates, sort: { field: "lastProcessed" } }),
  requestOf(
    "elementQuery",
    {},
    { checkIds: like("check"), sort: { field: "serviceTags.n.checks" } },
  ),
  requestOf("elementAgg", { term: "tags" }, dates),
  requestOf("elementList", { ...window, state: "true", type: "SERVER" }),
  requestOf("elementIds", window),
  requestOf("elementStatus", {}, {}),
  requestOf("elementStatus", {}, { countsOnly: true }),
  requestOf("selectedElements", {}, { ids: null, filter: {} }),
  requestOf("element", { elementId: "cache" }),
  requestOf("elementMetrics", { elementId: "queue" }),
  requestOf("elementLookup", {}, { elementFqns: elements }),
  requestOf("relationships", { elementId: "db", levels: "2", ...window }),
  requestOf("fqns", { elementTag: '{"env":["prod"]}' }),
  requestOf("metricTree", { prefix: "" }),
  requestOf("metricTree", { elementFqn: "web" }),
  requestOf("search", { q: "c" }),
  requestOf("search", { q: "env", kinds: "tags" }),
  requestOf("searchValues", { field: "tag.env" }),
  requestOf("searchValues", { field: "unit", q: "e" }),
  requestOf("tags", { elementId: "web" }),
  requestOf("names", { elementId: "web", metricId: "mem" }),
  requestOf("newestElement"),
  requestOf(
    "rawPoints",
    {},
    {
      names: [
        { elementId: "web", metricId: "mem" },
        { elementId: "none", metricId: "x" },
      ],
      span: { startMs: nowMs - 3_600_000, endMs: nowMs },
    },
  ),
  requestOf("namePreview", {}, { elementId: "db", template: "${tags.env}!" }),
  requestOf("scopes", {}, { scopes: { p: matchAllScope } }),
  requestOf("policyReplay", window, { policy, elements: null, detail: "summary" }),
  requestOf("policyReplay", window, { policy, elements: ["db"], detail: "cycles" }),
]

const deps = { tenantUuid: (tenant: number) => tenantUuids[tenant]!, elapsedMs: () => 0 }
const alone = { hasUnflushed: false, allowsParallel: false }
const store = filledStore()

async function oneByOne(): Promise<string[]> {
  const query = new Query({ ...deps, store })
  const texts: string[] = []
  for (const request of requests) {
    texts.push(textOfParts((await query.execute(request, alone)).parts!))
  }
  return texts
}

/** A query service whose store waits for the scheduler before every answer. */
function pausing(s: fc.Scheduler, memory?: AnswerMemory): Query {
  const pause = () => s.schedule(Promise.resolve())
  const begin = async () => {
    await pause()
    return new PausingSource(store, pause)
  }
  return new Query({ ...deps, store: { begin }, ...(memory === undefined ? {} : { memory }) })
}

test("the requests are of every kind, and no two have one answer", async () => {
  assert.deepEqual(new Set(requests.map(({ kind }) => kind)), new Set(queryKinds))
  const texts = await oneByOne()
  assert.equal(texts.length, new Set(texts).size)
})

const manyRequests = fc.array(fc.nat(requests.length - 1), { minLength: 2, maxLength: 24 })

test("interleaved queries print the bytes that they print alone", async () => {
  const want = await oneByOne()
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), manyRequests, async (s, chosen) => {
      const query = pausing(s)
      const answers = chosen.map(async (i) => {
        const { parts } = await query.execute(requests[i]!, alone)
        return textOfParts(parts!)
      })
      const texts = await s.waitFor(Promise.all(answers))
      assert.deepEqual(
        texts,
        chosen.map((i) => want[i]),
      )
    }),
    { numRuns: 60 },
  )
})

test("a query stopped while it waits ends alone, and reserves no answer memory", async () => {
  const want = await oneByOne()
  const stops = fc.infiniteStream(fc.boolean())
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), manyRequests, stops, async (s, chosen, isStopped) => {
      const memory = new AnswerMemory(createAnswerMemory(1 << 24))
      const query = pausing(s, memory)
      const answers = chosen.map(async (i) => {
        const flag = createStopFlag()
        const budget = new QueryBudget()
        budget.begin(flag)
        const outcome = query.execute(requests[i]!, alone, budget)
        if (!isStopped.next().value) return textOfParts((await outcome).parts!)
        requestStop(flag)
        await assert.rejects(outcome, { code: "cancelled" })
        return null
      })
      const texts = await s.waitFor(Promise.all(answers))
      let bytes = 0
      for (const [k, text] of texts.entries()) {
        if (text === null) continue
        assert.equal(text, want[chosen[k]!])
        bytes += Math.ceil(Buffer.byteLength(text) / 1024) * 1024
      }
      assert.equal(memory.usedBytes, bytes)
    }),
    { numRuns: 30 },
  )
})
