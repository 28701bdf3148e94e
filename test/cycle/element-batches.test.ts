/** Laws of cycle batches: what they contain, what they are called, in which order rows come. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { Catalogue } from "../../src/catalogue/catalogue.ts"
import { CycleEvaluator } from "../../src/cycle/cycle-evaluator.ts"
import { elementBatches, type BatchRequest } from "../../src/cycle/cycle-protocol.ts"
import { cycleMs } from "../../src/model/resolution.ts"
import type { CycleSource } from "../../src/store/cycle-store.ts"
import { lateNoteKey, lateNoteRanges } from "../../src/store/late-notes.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { append, plain, seriesName, upsertSeries } from "../support/ingest/samples.ts"

test("each element is in one batch, which has the first of its numbers as name", () => {
  const known = fc.uniqueArray(fc.nat({ max: 200 }))
  fc.assert(
    fc.property(known, fc.integer({ min: 1, max: 20 }), (all, size) => {
      const elements = Int32Array.from(all).sort()
      const batches = [...elementBatches(elements, size)]
      assert.deepEqual(
        batches.flatMap((batch) => [...batch.elements]),
        [...elements],
      )
      assert.equal(new Set(batches.map(({ name }) => name)).size, batches.length)
      for (const { name, elements: some } of batches) {
        assert.ok(some.length > 0)
        for (const element of some) assert.equal(element - (element % size), Number(name))
      }
    }),
  )
})

test("the ranges of late notes contain those of the elements, and no others", () => {
  const all = fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 12 })
  fc.assert(
    fc.property(all, fc.nat({ max: 31 }), (elements, element) => {
      const ranges = lateNoteRanges(Int32Array.from(elements).sort())
      const key = lateNoteKey({ element, series: 7, flush: 3, day: 20_000 })
      const found = ranges.filter(({ from, to }) => {
        const isFrom = from === undefined || Buffer.compare(from, key) <= 0
        return isFrom && (to === undefined || Buffer.compare(key, to) < 0)
      })
      assert.equal(found.length, elements.includes(element) ? 1 : 0)
    }),
  )
})

const metrics = ["cpu", "disk", "errors", "load"]
const cycles = 30

/** Gap fills and computed metrics of some cycles, by name: numbers and order do not count. */
function closings(orderOf: (series: Int32Array) => Int32Array): string[][] {
  const store = new MemoryStore()
  const source: CycleSource = new Proxy(store, {
    get: (target, key) => {
      if (key === "seriesOf") return (element: number) => orderOf(target.seriesOf(element))
      const member: unknown = Reflect.get(target, key)
      return typeof member === "function" ? member.bind(target) : member
    },
  })
  const { catalogue } = store
  const evaluator = new CycleEvaluator({ store: source, tenantUuid: () => "tenant" })
  return Array.from({ length: cycles }, (_, i) => {
    const cycle = 1_000 + i
    append(store, samplesOf(catalogue, cycle, i))
    const { changes } = evaluator.evaluate(requestOf(cycle))
    assert.ok(store.commitCycle({ ...changes!, documents: [] }))
    const { gapFills, computed } = changes!
    const fills = Array.from(gapFills.series, (series, at) => {
      const { fqn } = catalogue.name(catalogue.seriesName(series))
      return `${catalogue.seriesElement(series)} ${fqn} = ${gapFills.actuals[at]}`
    })
    const values = computed.fqns.map(
      (fqn, at) => `${computed.elements[at]} ${fqn} = ${computed.actuals[at]}`,
    )
    return [...fills, ...values].sort()
  })
}

/** A metric more each cycle, and gaps that are filled from the past of each metric. */
function samplesOf(catalogue: Catalogue, cycle: number, i: number) {
  return ["a", "b", "c"].flatMap((element, e) =>
    metrics.slice(0, i + 1).flatMap((metric, m) => {
      const of = seriesName(element, metric)
      upsertSeries(catalogue, of, { sparseDataStrategy: "ReplaceWithLast" })
      const isMissing = (i + e + m) % 3 === 0 && i > m
      return isMissing ? [] : [plain(cycle * cycleMs, 100 * m + 10 * e + i, of)]
    }),
  )
}

/** Of the elements that one of several processes closes. */
function requestOf(cycle: number): BatchRequest {
  const closingMs = (cycle + 1) * cycleMs + 60_000
  const batch = { name: "one of two", elements: Int32Array.of(0, 2) }
  return { ...batch, cycle, closingMs, isMissed: false, inactiveCycles: 84 }
}

test("a batch is its elements, in whatever order the source has their series", () => {
  const inOrder = closings((series) => series)
  assert.deepEqual(closings(reversedWithinKnown()), inOrder)
  const lines = inOrder.flat()
  assert.deepEqual(new Set(lines.map((line) => line.split(" ")[0])), new Set(["0", "2"]))
  for (const metric of metrics)
    assert.ok(
      lines.some((line) => line.includes(` ${metric} `)),
      metric,
    )
})

/** The reverse of the catalogue's order, except that new series follow those before them. */
function reversedWithinKnown(): (series: Int32Array) => Int32Array {
  const orders = new Map<number, number[]>()
  return (series) => {
    const order = orders.get(series[0]!) ?? []
    orders.set(series[0]!, order)
    order.push(...[...series].filter((one) => !order.includes(one)).reverse())
    return Int32Array.from(order)
  }
}
