/** Values and texts of queries before they are printed, in the answer memory of the account. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { AnswerMemory, createAnswerMemory } from "../../src/base/answer-memory.ts"
import { QueryBudget } from "../../src/base/query-budget.ts"
import { WorkingMemory } from "../../src/query/core/working-memory.ts"
import { createWorkQueue, Query, type QueryRequest } from "../../src/query/query.ts"
import { ScanWorker } from "../../src/query/scan-worker.ts"
import type { PartitionRequest } from "../../src/store/query-store.ts"
import type { AnswerParts } from "../../src/wire/json.ts"
import { FakeStore, nowMs, requestOf, tenantUuids } from "./fake-store.ts"

const kib = 1024
const seriesCount = 16
const valuesEach = 3_000
const valueBytes = seriesCount * valuesEach * 16
const overloaded = { code: "overloaded" }
/** A thread may hold more: reserved ahead, a part in work, objects of statistics. */
const slackBytes = 1_024 * kib

/** Two halves, each of which a scan worker may read. */
class CutStore extends FakeStore {
  override partition({ series }: PartitionRequest): Int32Array[] {
    return [series.subarray(0, seriesCount / 2), series.subarray(seriesCount / 2)]
  }
}

/** Remembers the most that was ever reserved. */
class WatchedMemory extends AnswerMemory {
  peakBytes = 0

  override reserveUnits(tenant: number, units: number): void {
    super.reserveUnits(tenant, units)
    this.peakBytes = Math.max(this.peakBytes, this.usedBytes)
  }
}

/** `valueOf` makes the values of all series. */
function setUp(valueOf: (i: number) => number) {
  const store = new CutStore()
  for (let i = 0; i < seriesCount; i++) {
    const values = Array.from({ length: valuesEach }, (_, n) => valueOf(n))
    store.metric(store.element(`host-${i}`), "cpu", { values })
  }
  const tenantUuid = (tenant: number) => tenantUuids[tenant]!
  const deps = { store, tenantUuid, elapsedMs: () => 0 }
  /** A query service and its answer memory, of which one account has `shareBytes`. */
  const serviceOf = (shareBytes: number) => {
    const memory = new WatchedMemory(createAnswerMemory(2 * shareBytes))
    const sharing = { source: store, partitionMs: 0 }
    return { memory, query: new Query({ ...deps, memory, sharing }) }
  }
  return { store, serviceOf }
}

const window = {
  startTime: new Date(nowMs - valuesEach * 300_000 - 300_000).toISOString(),
  endTime: new Date(nowMs).toISOString(),
}
const alone = { hasUnflushed: false, allowsParallel: false }
const statistics = requestOf("statistics", { fqn: "cpu", ...window, showValues: "true" })

function bytesOf(parts: AnswerParts): number {
  return parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

function reservedFor(parts: AnswerParts): number {
  return parts.reduce((sum, { byteLength }) => sum + Math.ceil(byteLength / kib) * kib, 0)
}

const oneField = { id: "a", filter: {}, fields: ["actual"] }

const kinds: readonly (readonly [request: QueryRequest, bytesRead: number])[] = [
  [statistics, valueBytes],
  [
    requestOf("samples", { elementId: "host-1", metricId: "cpu", ...window, aggregations: "avg" }),
    valuesEach * 160,
  ],
  [
    requestOf("seriesQuery", {}, { ...window, width: 4_000, rollup: "PT5M", queries: [oneField] }),
    seriesCount * valuesEach * 8,
  ],
]

test("a query whose values have no room is refused, though its text would have some", async () => {
  const { serviceOf } = setUp((n) => n % 7)
  for (const [request, bytesRead] of kinds) {
    const roomy = serviceOf(bytesRead + slackBytes)
    const { parts } = await roomy.query.execute(request, alone)
    assert.equal(roomy.memory.usedBytes, reservedFor(parts!), request.kind)
    assert.ok(roomy.memory.peakBytes >= bytesRead, request.kind)
    const room = Math.max(bytesOf(parts!) + kib, bytesRead / 2)
    assert.ok(room < bytesRead, `Expected ${request.kind} to read more than it prints`)
    const tight = serviceOf(room)
    await assert.rejects(tight.query.execute(request, alone), overloaded)
    assert.equal(tight.memory.usedBytes, 0, request.kind)
  }
})

test("values are freed as they are printed, and no text is held besides its parts", async () => {
  const { serviceOf } = setUp((n) => Math.sin(n))
  const { memory, query } = serviceOf(64 * kib * kib)
  const { parts } = await query.execute(statistics, alone)
  const printedBytes = bytesOf(parts!)
  assert.ok(printedBytes > valueBytes)
  assert.ok(memory.peakBytes <= printedBytes + slackBytes, `${memory.peakBytes} at most`)
})

test("texts that a scan worker posts are counted until all threads have ended", async () => {
  const { store, serviceOf } = setUp((n) => Math.sin(n))
  const reader = {
    useLocations: () => {},
    statistics: (...given: Parameters<CutStore["statistics"]>) => store.statistics(...given),
    close: async () => {},
  }
  const { memory, query } = serviceOf(64 * kib * kib)
  const plan = await query.plan(statistics)
  const { queue, sides } = createWorkQueue(2, 1)
  new ScanWorker(reader, new QueryBudget(), memory).scan(plan, null, sides[0]!)
  const postedBytes = memory.usedBytes
  const parts = await query.answer(plan, null, queue)
  assert.ok(postedBytes > 0.9 * bytesOf(parts), `${postedBytes} posted`)
  assert.ok(memory.peakBytes <= bytesOf(parts) + 2 * slackBytes, `${memory.peakBytes} at most`)
  new WorkingMemory(memory, 0, queue.workingUnits).end()
  assert.equal(memory.usedBytes, reservedFor(parts))

  const tight = serviceOf(bytesOf(parts) / 2)
  const next = createWorkQueue(2, 1)
  new ScanWorker(reader, new QueryBudget(), tight.memory).scan(plan, null, next.sides[0]!)
  await assert.rejects(tight.query.answer(plan, null, next.queue), overloaded)
  new WorkingMemory(tight.memory, 0, next.queue.workingUnits).end()
  assert.equal(tight.memory.usedBytes, 0)
})
