/** Which days a flush compacts itself, and which wait for a compaction behind it. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { cycleMs, dayMs } from "../../../src/model/resolution.ts"
import type { FaultHooks } from "../../../src/store/store.ts"
import { Model } from "../../simulation/model.ts"
import { assertSame } from "../../simulation/oracle.ts"
import { SimStore } from "../../simulation/sim-store.ts"
import { append, noonMs, plain, type SampleRequest } from "../../support/ingest/samples.ts"

const startOfDayMs = Math.floor(noonMs / dayMs) * dayMs
const laterMs = noonMs + 10 * dayMs
/** Samples of the day that a flush takes. */
const enough = 16_384

function begin(t: TestContext, faults: FaultHooks = {}): SimStore {
  const store = new SimStore(faults)
  t.after(() => store.remove())
  return store
}

/** Samples at equal distances in the first cycles of the day `days` after the usual one. */
function part({ cycles = 288, count = enough, days = 0, value = 1 }): SampleRequest {
  const fromMs = startOfDayMs + days * dayMs
  const stepMs = Math.floor((cycles * cycleMs) / count)
  return Array.from({ length: count }, (_, i) => plain(fromMs + i * stepMs, value + (i % 7)))
}

/** Flushes what arrived, without the compactions that wait for quiet; returns what these are. */
function waitingAfterFlush(store: SimStore, ...requests: SampleRequest[]): number {
  append(store.writer, ...requests)
  while (store.writer.unflushedSampleCount > 0) {
    store.maintain({ nowMs: laterMs, budgetMs: 0, idle: true })
  }
  return store.writer.figures().uncompactedDays
}

test("a flush compacts a day if half of its cycles arrive together, and enough samples", (t) => {
  assert.equal(waitingAfterFlush(begin(t), part({ cycles: 144 })), 0)
  assert.equal(waitingAfterFlush(begin(t), part({ cycles: 143 })), 1)
  assert.equal(waitingAfterFlush(begin(t), part({ count: enough - 1 })), 1)
})

test("a flush compacts a day again only for as many samples as it has", (t) => {
  const [many, fewer] = [begin(t), begin(t)]
  for (const store of [many, fewer]) {
    assert.equal(waitingAfterFlush(store, part({ count: 2 * enough })), 0)
  }
  assert.equal(waitingAfterFlush(many, part({ count: 2 * enough, value: 10 })), 0)
  assert.equal(waitingAfterFlush(fewer, part({ count: 2 * enough - 1, value: 10 })), 1)
})

test("a day that a flush compacts is the same after a refusal at any commit", async (t) => {
  const [first, second] = [part({ cycles: 150 }), part({ count: 2 * enough, value: 0.5 })]
  for (const points of [0, 1, 2, 3]) {
    const store = begin(t, { commitBytes: 0 })
    const model = new Model()
    for (const request of [first, second]) {
      append(store.writer, request)
      model.add(request)
      store.refuse(points)
      store.maintainAll(laterMs)
      await store.crash()
    }
    store.maintainAll(laterMs)
    assertSame(store, model, { asked: ["PT1H", "PT24H"], latestMs: noonMs })
    await store.verify()
  }
})

/**
 * Imports eight days, of which each arrives when the one before it is flushed; returns how many of
 * them are not compacted then.
 */
function importDays(store: SimStore, isRequested = false): number {
  for (let day = 0; day < 8; day++) {
    append(store.writer, part({ days: day, cycles: 12, count: 24 }))
    const requested = isRequested ? { flushUpToMs: laterMs + day } : {}
    for (let step = 0; store.writer.unflushedSampleCount > 0; step++) {
      assert.ok(step < 1000, `day ${day} is not flushed`)
      maintainOnce(store, requested)
    }
  }
  return store.writer.figures().uncompactedDays
}

const failure = "the compaction fails"

function maintainOnce({ writer }: SimStore, requested: { flushUpToMs?: number }): void {
  try {
    writer.maintain({ nowMs: laterMs, budgetMs: 0, idle: true, ...requested })
  } catch (error) {
    assert.match(String(error), new RegExp(failure))
  }
}

test("an import without a pause leaves the days uncompacted that its last flushes touched", (t) => {
  assert.equal(importDays(begin(t)), 3)
})

test("a flush that a caller waits for goes before compactions", (t) => {
  assert.equal(importDays(begin(t), true), 8)
})

test("flushes go on while compactions fail", (t) => {
  const onPoint = (name: string): void => {
    if (name === "compaction.commit") throw new Error(failure)
  }
  assert.equal(importDays(begin(t, { onPoint })), 8)
})
