/** spec/time §4: fillings come before computed metrics, also of a metric known by late samples. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { CycleEvaluator } from "../../src/cycle/cycle-evaluator.ts"
import { collectedPercentFqn } from "../../src/model/fqn.ts"
import { cycleMs } from "../../src/model/resolution.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { append, findSeries, plain, seriesName, upsertSeries } from "../support/ingest/samples.ts"

const load = seriesName("host", "load")
const errors = seriesName("host", "errors")
const total = seriesName("host", "total")

function closed(store: MemoryStore, cycle: number) {
  const closer = new CycleEvaluator({ store, tenantUuid: () => "tenant" })
  const closingMs = (cycle + 1) * cycleMs + 60_000
  const part = { cycle, name: "0", elements: Int32Array.of(0), closingMs, isMissed: false }
  const { changes } = closer.evaluate({ ...part, inactiveCycles: 84 })
  store.commitCycle({ ...changes!, documents: [] })
  const { gapFills, computed } = changes!
  return {
    fills: Array.from(gapFills.series, (series, i) => [series, gapFills.actuals[i]]),
    computed: computed.fqns
      .map((fqn, i) => [fqn, computed.actuals[i]])
      .filter(([fqn]) => fqn !== collectedPercentFqn),
  }
}

function storeWith(expression: string): MemoryStore {
  const store = new MemoryStore()
  upsertSeries(store.catalogue, load)
  upsertSeries(store.catalogue, errors, { sparseDataStrategy: "ReplaceWithZero" })
  const metric = { match: "total", properties: { fqn: "total", expressions: [expression] } }
  const analyticConfiguration = {
    name: "sums",
    type: "COMPUTED_METRIC",
    scope: {},
    metrics: [metric],
  }
  const document = { analyticConfiguration }
  store.putDocuments([{ kind: "analyticConfiguration:0", id: "0", document }])
  return store
}

test("a metric whose samples all came late is filled before others are computed of it", () => {
  const store = storeWith("${load}.actual + ${errors}.actual")
  append(store, [plain(1_000 * cycleMs, 40, load)])
  assert.deepEqual(closed(store, 1_000), { fills: [], computed: [] })
  append(store, [plain(1_000 * cycleMs, 2, errors)])
  append(store, [plain(1_001 * cycleMs, 41, load)])
  assert.deepEqual(closed(store, 1_001), {
    fills: [[findSeries(store.catalogue, errors), 0]],
    computed: [["total", 41]],
  })
})

test("a computed metric is filled only if it could not be computed", () => {
  const store = storeWith("${load}.actual")
  upsertSeries(store.catalogue, total, { sparseDataStrategy: "ReplaceWithZero" })
  append(store, [plain(1_000 * cycleMs, 40, load)])
  append(store, [plain(1_000 * cycleMs, 2, errors)])
  assert.deepEqual(closed(store, 1_000), { fills: [], computed: [["total", 40]] })
  append(store, [plain(1_001 * cycleMs, 3, errors)])
  assert.deepEqual(closed(store, 1_001), {
    fills: [[findSeries(store.catalogue, total), 0]],
    computed: [],
  })
  append(store, [plain(1_002 * cycleMs, 42, load)])
  append(store, [plain(1_002 * cycleMs, 4, errors)])
  assert.deepEqual(closed(store, 1_002), { fills: [], computed: [["total", 42]] })
})
