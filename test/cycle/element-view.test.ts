import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { CycleCells } from "../../src/cycle/cycle-cells.ts"
import { ElementView } from "../../src/cycle/element-view.ts"
import { Rows } from "../../src/cycle/rows.ts"
import { cycleMs, cyclesPerDay, dayMs } from "../../src/model/resolution.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { emptyCycleBatch } from "../support/store/empty-cycle-batch.ts"
import { append, noonMs, plain, seriesName } from "../support/ingest/samples.ts"

const midnightMs = Math.floor(noonMs / dayMs) * dayMs
/** Closes half an hour after midnight, so that most of what is asked lies in the day before. */
const cycle = midnightMs / cycleMs + 6
const backMax = 40
const names = ["cpu", "mem", "net"].map((metric) => seriesName("host", metric))

/** Samples, fillings and bands of cycles before the one that closes. */
const pastArbitrary = fc.array(
  fc.record({
    back: fc.integer({ min: 1, max: backMax }),
    series: fc.nat({ max: names.length - 1 }),
    value: fc.integer({ min: -99, max: 99 }),
    kind: fc.constantFrom("sample", "fill", "band"),
  }),
  { maxLength: 60 },
)

test("a view of an element shows the history of its metrics as the store does", () => {
  fc.assert(
    fc.property(pastArbitrary, (past) => {
      const store = storeOf(past)
      const rows = new Rows()
      rows.reset(names.length)
      rows.series.set(store.catalogue.elementSeries(0))
      const where = { element: 0, from: 0, to: names.length }
      const cells = new CycleCells(store)
      const fixture = { store, catalogue: store.catalogue, cells, rows }
      const view = new ElementView(fixture, cycle, where, { fqns: [], added: [] })
      const series = rows.series.slice(0, names.length)
      const history = store.bucketHistory(series, cycle - backMax, cycle)
      for (let back = 1; back <= backMax; back++) {
        for (let place = 0; place < names.length; place++) {
          const at = place * backMax + backMax - back
          assert.equal(view.actual(place, back), history.actuals[at], `${place} ${back}`)
          const mean = view.baseline(place, back)?.mean ?? NaN
          assert.equal(mean, history.bands[at * 4], `${place} ${back}`)
        }
      }
    }),
    { numRuns: 60 },
  )
  assert.ok(cycle % cyclesPerDay < backMax, "Expected both days to be asked for")
})

test("a metric has the unit that was sent; one that is computed now has none", () => {
  const store = new MemoryStore()
  append(store, [plain(noonMs, 1, names[0]!)])
  const [series] = store.catalogue.elementSeries(0)
  store.catalogue.upsertSeries(0, "cpu", { unit: "ms" })
  const rows = new Rows()
  rows.reset(1)
  rows.series.set([series!])
  const fixture = { store, catalogue: store.catalogue, cells: new CycleCells(store), rows }
  const range = { element: 0, from: 0, to: 1 }
  const view = new ElementView(fixture, cycle, range, { fqns: ["cpu", "sum"], added: [1] })
  assert.deepEqual([view.unitOf(0), view.unitOf(1)], ["ms", ""])
})

interface Past {
  readonly back: number
  readonly series: number
  readonly value: number
  readonly kind: string
}

function storeOf(past: readonly Past[]): MemoryStore {
  const store = new MemoryStore()
  append(
    store,
    names.map((of) => plain(midnightMs + dayMs, 0, of)),
  )
  for (const [i, { back, series, value, kind }] of past.entries()) {
    const one = { ...emptyCycleBatch, cycle: cycle - back, name: String(i) }
    if (kind === "sample") {
      append(store, [plain((cycle - back) * cycleMs, value, names[series])])
    } else if (kind === "fill") {
      const gapFills = { series: Int32Array.of(series), actuals: Float64Array.of(value) }
      store.commitCycle({ ...one, gapFills })
    } else {
      const bands = { series: Int32Array.of(series), values: Float32Array.of(value, 1, NaN, NaN) }
      store.commitCycle({ ...one, bands })
    }
  }
  return store
}
