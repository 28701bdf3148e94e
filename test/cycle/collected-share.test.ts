/** The share of the metrics of an element that had samples, from its first cycle on (F15). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { CycleEvaluator } from "../../src/cycle/cycle-evaluator.ts"
import { collectedPercentFqn } from "../../src/model/fqn.ts"
import { cycleMs } from "../../src/model/resolution.ts"
import { append, plain, seriesName, upsertSeries } from "../support/ingest/samples.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"

const first = 1_000

test("an element has no share of a cycle that was over when it was first posted", () => {
  const store = new MemoryStore()
  const tenantUuid = () => "6f1f7ed2-6b1d-4c3a-9c53-2f6b8ee1d001"
  const evaluator = new CycleEvaluator({ store, tenantUuid })
  const close = (cycle: number): ReadonlyMap<string, number> => {
    const batch = { name: "0", elements: Int32Array.of(0), unwatched: [], isMissed: false }
    const closingMs = (cycle + 1) * cycleMs + 60_000
    const { changes } = evaluator.evaluate({ ...batch, cycle, closingMs, inactiveCycles: 6 })
    store.commitCycle({ ...changes!, documents: [] })
    return new Map(changes!.computed.fqns.map((fqn, i) => [fqn, changes!.computed.actuals[i]!]))
  }
  // A closing takes place after its cycle: the next one has begun, with the first sample.
  append(store, [plain((first + 1) * cycleMs + 5_000, 1, seriesName("new", "cpu"))])
  upsertSeries(store.catalogue, seriesName("new", "never"), {})
  assert.equal(close(first).has(collectedPercentFqn), false)
  assert.equal(close(first + 1).get(collectedPercentFqn), 100)
  assert.equal(close(first + 2).get(collectedPercentFqn), 0)
})
