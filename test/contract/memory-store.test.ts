/** The reference store keeps the contract, and is itself judged by the naive model on small cases. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate } from "node:timers/promises"
import fc from "fast-check"
import { resolutions } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import type { MemoryStoreOptions } from "../support/reference-store/memory-store.ts"
import type { SampleRecord } from "../../src/store/query-store.ts"
import { isLongRun, sized } from "../support/run/sizes.ts"
import { DedupModel } from "../support/store/dedup-model.ts"
import type { ModelBucket } from "../support/store/dedup-model.ts"
import { append, findSeries, seriesName, upsertSeries } from "../support/ingest/samples.ts"
import type { SampleRequest, SeriesName } from "../support/ingest/samples.ts"
import { aggregateArbitrary, fewSeries, spanArbitrary, timeArbitrary } from "./store-arbitraries.ts"
import { EmbeddedDriver, embeddedContract, serviceContract } from "./store.contract.ts"
import { settleWriter } from "./store.contract.ts"
import type { OpenOptions, OpenStore, OpenedStore, StoreDriver } from "./store.contract.ts"

const openMemory: OpenStore = async (options) => opened(new MemoryStore(options))

const runs = sized({ quick: 4, long: 40 })
serviceContract("MemoryStore of another process", openElsewhere, { runs })
embeddedContract("MemoryStore", openMemory, { runs })
// The same store without the delay and the other numbers.
if (isLongRun) {
  serviceContract("MemoryStore", async (of) => new EmbeddedDriver(await openMemory(of)), { runs })
}

/**
 * A store as another process has it: it answers later, and numbers elements, metrics and series
 * otherwise than the process that asks.
 */
async function openElsewhere(options: OpenOptions): Promise<StoreDriver> {
  const driver = new EmbeddedDriver(await openMemory(options))
  await driver.edit((catalogue) => {
    for (const metric of ["cpu.total", "memory.used", "disk.free"]) {
      for (const tenant of [1, 0]) upsertSeries(catalogue, seriesName("elsewhere", metric, tenant))
    }
  })
  return new Proxy(driver, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== "function") return member
      return async (...given: unknown[]) => {
        await setImmediate()
        return Reflect.apply(member, target, given)
      }
    },
  })
}

function opened(store: MemoryStore): OpenedStore {
  const handle: OpenedStore = {
    writer: store,
    reader: store,
    reopen: () => Promise.resolve(handle),
    close: () => store.close(),
    maintainFully: (nowMs) => settleWriter(store, nowMs),
  }
  return handle
}

/** Values on which naive sums lose nothing that the tolerance would miss. */
const tameSampleArbitrary = fc.record({
  of: fc.constantFrom(...fewSeries),
  timeMs: timeArbitrary,
  sent: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -50, max: 50 }).map((n) => ({ val: n / 10 })) },
    { weight: 1, arbitrary: aggregateArbitrary },
  ),
})
const tameRequestsArbitrary = fc.array(fc.array(tameSampleArbitrary, { maxLength: 8 }), {
  minLength: 1,
  maxLength: 5,
})

test("the reference store computes what the naive model does", () => {
  fc.assert(
    fc.property(tameRequestsArbitrary, spanArbitrary, (requests, span) => {
      const { store, model } = bothOf(requests)
      for (const of of fewSeries) {
        if (findSeries(store.catalogue, of) >= 0) assertAlike(store, model, { of, span })
      }
    }),
    { numRuns: 200 },
  )
})

test("the reference store keeps nothing that retention drops, and no less", () => {
  const options: MemoryStoreOptions = { retentionMs: { ZERO: 0, PT5M: 0, PT1H: 0, PT24H: 0 } }
  const store = new MemoryStore(options)
  const midnightMs = Date.UTC(2026, 0, 2)
  const at = (timeMs: number): SampleRequest => [{ of: fewSeries[0]!, timeMs, sent: { val: 1 } }]
  append(store, at(midnightMs - 1), at(midnightMs))
  const left = (nowMs: number) => {
    store.maintain({ nowMs, budgetMs: 1, idle: true })
    const span = { startMs: 0, endMs: midnightMs * 2 }
    return store.samples(Int32Array.of(0), { resolution: "ZERO", span })[0]!.length
  }
  assert.deepEqual([midnightMs, midnightMs + 1].map(left), [2, 1])
})

function bothOf(requests: readonly SampleRequest[]) {
  const store = new MemoryStore()
  const model = new DedupModel()
  append(store, ...requests)
  for (const request of requests) model.add(request)
  return { store, model }
}

function assertAlike(
  store: MemoryStore,
  model: DedupModel,
  { of, span }: { readonly of: SeriesName; readonly span: Span },
): void {
  const series = findSeries(store.catalogue, of)
  for (const resolution of resolutions) {
    const records = store.samples(Int32Array.of(series), { span, resolution })[0]!
    if (resolution === "ZERO") assert.equal(records.length, model.raw(of, span).length)
    else assertBuckets(records, model.buckets(of, resolution, span))
    const asked = { series: Int32Array.of(series), span, withValues: false, exact: true }
    const [answer] = store.statistics({ ...asked, resolution })
    if (records.length === 0) assert.equal(answer, undefined)
    else assertNumbers(answer!.statistics, model.statistics(of, resolution, span))
  }
}

function assertBuckets(got: readonly SampleRecord[], want: readonly ModelBucket[]): void {
  assert.equal(got.length, want.length)
  got.forEach(({ timeMs, fields }, i) => assertNumbers({ timeMs, ...fields }, want[i]!))
}

/** Same fields, each within what a naive sum may lose. */
function assertNumbers(got: object, want: object): void {
  assert.deepEqual(Object.keys(got).sort(), Object.keys(want).sort())
  const numbers = got as Record<string, number>
  for (const [field, wanted] of Object.entries(want)) {
    const off = Math.abs(numbers[field]! - wanted)
    assert.ok(off <= 1e-9 * Math.max(1, Math.abs(wanted)), `${field}: ${numbers[field]}, ${wanted}`)
  }
}
