/**
 * Laws of closings: what a part of a cycle brings is stored whole and once, samples win over facts
 * whenever they come, and all of it outlives folds, seals and restarts (spec/samples §2).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { partitionSeriesMax } from "../../src/base/limits.ts"
import type { SeriesPartition } from "../../src/catalogue/catalogue.ts"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import { CellColumns, actualKinds, isPresent } from "../../src/rollup/cell.ts"
import { bandFieldCount } from "../../src/store/cycle-store.ts"
import { emptyCycleBatch } from "../support/empty-cycle-batch.ts"
import type { CycleBatch } from "../../src/store/cycle-store.ts"
import type { ReadStore, WriteStore } from "../../src/store/store.ts"
import { aggregated, cpu, noonMs, plain } from "../support/samples.ts"
import type { SampleRequest } from "../support/samples.ts"
import { fewSeries, requestsArbitrary } from "./store-arbitraries.ts"
import { askSamples, everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

const noonCycle = noonMs / cycleMs

export function closingContract({ open, runs }: Contract): void {
  for (const stage of stages) {
    test(`a filling counts in hours and days, and gives way to samples, after ${stage}`, () =>
      withTrial(open, async (trial) => {
        const [series] = trial.declare([cpu])
        trial.append([plain(noonMs - cycleMs, 4)])
        close(trial, part(noonCycle, { gapFills: fillsOf(series!, 2) }))
        await trial.pass(stage)
        assert.deepEqual(told(trial, series!, "PT5M"), [{ actual: 2, cnt: 0, sparseValue: 2 }])
        assert.equal(told(trial, series!, "PT24H")[0]!.actual, 3)
        trial.agree()
        trial.append([plain(noonMs + 1, 10)])
        trial.agree()
        await trial.pass(stage)
        assert.equal(told(trial, series!, "PT5M")[0]!.sparseValue, undefined)
        assert.equal(told(trial, series!, "PT24H")[0]!.actual, 7)
        agreeOnAll(trial)
      }))
  }

  test("a filling is passed by where there are samples, kept where they observed nothing", () =>
    withTrial(open, async (trial) => {
      const [series] = trial.declare([cpu])
      trial.append([plain(noonMs, 4), aggregated(noonMs + cycleMs, { avg: 3, cnt: 0 })])
      for (const cycle of [noonCycle, noonCycle + 1, noonCycle + 2]) {
        close(trial, part(cycle, { gapFills: fillsOf(series!, 2) }))
      }
      trial.append([aggregated(noonMs + 2 * cycleMs, { avg: 3, cnt: 0 })])
      await trial.pass("later")
      const span = { startMs: noonMs, endMs: noonMs + 3 * cycleMs }
      const records = askSamples(trial.subject, series!, { resolution: "PT5M", span })
      assert.deepEqual(
        records.map(({ fields }) => [fields.actual, fields.cnt]),
        [4, 2, 2].map((actual, i) => [actual, i === 0 ? 1 : 0]),
      )
      agreeOnAll(trial)
    }))

  test("a part is closed once; what it says again changes nothing", () =>
    withTrial(open, async (trial) => {
      const [series] = trial.declare([cpu])
      const first = part(noonCycle, {
        gapFills: fillsOf(series!, 1),
        states: [{ kind: "k", key: [1], bytes: Uint8Array.of(1) }],
        documents: [{ kind: "d", id: "1", document: { n: 1 } }],
      })
      assert.equal(close(trial, first), true)
      await trial.pass("reopen")
      const again = { ...first, gapFills: fillsOf(series!, 9), states: [], documents: [] }
      assert.equal(close(trial, again), false)
      assert.equal(close(trial, { ...again, name: "another" }), true)
      assert.deepEqual(trial.subject.writer.getDocument("d", "1"), { n: 1 })
      assert.equal(trial.subject.reader.isClosed(noonCycle, "another"), true)
      assert.equal(trial.subject.reader.isClosed(noonCycle + 1, "another"), false)
      agreeOnAll(trial)
    }))

  test("a computed metric is new with its first value, and is no filling", () =>
    withTrial(open, async (trial) => {
      trial.declare([cpu])
      const computed = {
        elements: Int32Array.of(0),
        fqns: ["cpu.computed"],
        actuals: Float64Array.of(0.5),
        definitions: [{ unit: "percent" }],
      }
      close(trial, part(noonCycle, { computed }))
      close(trial, part(noonCycle + 1, { computed: { ...computed, actuals: Float64Array.of(1) } }))
      for (const stage of ["nothing", "reopen", "later"] as const) {
        await trial.pass(stage)
        trial.subject.reader.refresh()
        const { catalogue } = trial.subject.reader
        const series = catalogue.findSeries(0, catalogue.findName(0, "cpu.computed"))
        assert.equal(catalogue.seriesDefinition(series).unit, "percent")
        const values = told(trial, series, "PT5M", everything)
        assert.deepEqual(values, [
          { actual: 0.5, cnt: 0 },
          { actual: 1, cnt: 0 },
        ])
        assert.equal(told(trial, series, "PT1H")[0]!.actual, 0.75)
        agreeOnAll(trial)
      }
    }))

  test("bands are shown with their ends, within what the metric can be", () =>
    withTrial(open, async (trial) => {
      const [series] = trial.declare([cpu])
      for (const { catalogue } of [trial.subject.writer, trial.model]) {
        const tags = [{ name: "unit", value: "percent" }]
        const settings = { validMin: 0, validMax: 100 }
        catalogue.replaceDefinition(series!, {
          ...catalogue.seriesDefinition(series!),
          tags,
          settings,
        })
      }
      trial.append([plain(noonMs, 4)])
      const values = Float32Array.of(90, 5, NaN, NaN)
      close(trial, part(noonCycle, { bands: { series: Int32Array.of(series!), values } }))
      for (const stage of stages) {
        await trial.pass(stage)
        const [fields] = told(trial, series!, "PT5M")
        const { baselineMean, baselineStddev, baselineUpper, baselineLower } = fields!
        assert.deepEqual([baselineMean, baselineStddev], [90, 5])
        assert.deepEqual([baselineLower, baselineUpper], [70, 100])
        assert.equal(fields!.contextualMean, undefined)
        assert.equal(told(trial, series!, "PT1H")[0]!.baselineMean, undefined)
        agreeOnAll(trial)
      }
    }))

  test("states are kept by kind and key, in order of their bytes", () =>
    withTrial(open, async (trial) => {
      const state = (kind: string, key: number[], text: string | null) => ({
        kind,
        key,
        bytes: text === null ? null : Buffer.from(text),
      })
      const states = [state("k", [2], "c"), state("k", [1, 0], "b"), state("k", [], "a")]
      close(trial, part(noonCycle, { states: [...states, state("kk", [1], "other")] }))
      close(trial, part(noonCycle + 1, { states: [state("k", [2], null), state("k", [3], "d")] }))
      for (const stage of stages) {
        await trial.pass(stage)
        const { reader } = trial.subject
        const all = reader.states("k").map(({ bytes }) => Buffer.from(bytes).toString())
        assert.deepEqual(all, ["a", "b", "d"])
        const range = { from: Uint8Array.of(1), to: Uint8Array.of(3), limit: 5 }
        assert.deepEqual([...reader.states("k", range)[0]!.key], [1, 0])
        assert.equal(reader.states("k", range).length, 1)
        assert.equal(reader.states("k", { limit: 2 }).length, 2)
        assert.equal(reader.state("k", Uint8Array.of(2)), undefined)
        assert.equal(Buffer.from(reader.state("kk", Uint8Array.of(1))!).toString(), "other")
      }
    }))

  test("closings and samples in any order, with folds, seals and restarts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 14 }), (steps) =>
        withTrial(open, (trial) => walk(trial, steps)),
      ),
      { numRuns: Math.max(10, runs >> 1) },
    )
  })
}

type Step =
  | { readonly kind: "append"; readonly requests: readonly SampleRequest[] }
  | { readonly kind: "close"; readonly part: CycleBatch }
  | { readonly kind: "settle"; readonly hours: number }
  | { readonly kind: "step" }
  | { readonly kind: "reopen" }

const seriesArbitrary = fc.uniqueArray(fc.nat({ max: fewSeries.length - 1 }), { maxLength: 4 })
const numberArbitrary = fc.oneof(
  fc.integer({ min: -50, max: 50 }).map((tenths) => tenths / 10),
  fc.constantFrom(-0, 1e30, 1e-30),
)

/** Parts of cycles near noon or of the days before, of the series of the other arbitraries. */
export const partArbitrary: fc.Arbitrary<CycleBatch> = fc
  .record({
    back: fc.oneof(fc.integer({ min: -1, max: 20 }), fc.integer({ min: 0, max: 3 * 288 })),
    name: fc.constantFrom("0:0", "0:1"),
    filled: seriesArbitrary,
    defined: seriesArbitrary,
    banded: seriesArbitrary,
    code: fc.nat({ max: actualKinds.length - 1 }),
    numbers: fc.array(numberArbitrary, { minLength: 16, maxLength: 16 }),
    hasContext: fc.boolean(),
    fqns: fc.uniqueArray(fc.constantFrom("computed.a", "computed.b", "cpu.total"), {
      maxLength: 2,
    }),
  })
  .map(({ back, name, filled, defined, banded, code, numbers, hasContext, fqns }) => ({
    cycle: noonCycle - back,
    name,
    gapFills: {
      series: Int32Array.from(filled),
      actuals: Float64Array.from(numbers.slice(0, filled.length)),
    },
    computed: {
      elements: new Int32Array(fqns.length),
      fqns,
      actuals: Float64Array.from(numbers.slice(4, 4 + fqns.length)),
    },
    actualKinds: {
      series: Int32Array.from(defined),
      kinds: Uint8Array.from(defined, (_, i) => (code + i) % actualKinds.length),
    },
    bands: {
      series: Int32Array.from(banded),
      values: Float32Array.from(numbers.slice(0, banded.length * bandFieldCount), (value, i) =>
        i % bandFieldCount < 2 || hasContext ? value : NaN,
      ),
    },
    states: fqns.map((kind, i) => ({ kind, key: [back & 3], bytes: Uint8Array.of(i, code) })),
    documents: [{ kind: "closing", id: name, document: { back } }],
  }))

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof<fc.WeightedArbitrary<Step>[]>(
  { weight: 4, arbitrary: requestsArbitrary.map((requests) => ({ kind: "append", requests })) },
  { weight: 6, arbitrary: partArbitrary.map((one) => ({ kind: "close", part: one })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0, 1, 40, 80).map((hours) => ({ kind: "settle", hours })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "step" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "reopen" }) },
)

async function walk(trial: Trial, steps: readonly Step[]): Promise<void> {
  trial.declare(fewSeries)
  const closed = new Set<number>()
  for (const one of steps) {
    if (one.kind === "append") trial.append(...one.requests)
    if (one.kind === "settle") trial.subject.maintainFully(noonMs + one.hours * hourMs)
    if (one.kind === "step" || one.kind === "reopen") await trial.pass(one.kind)
    if (one.kind === "close") {
      close(trial, one.part)
      closed.add(one.part.cycle)
      agreeOnCycle(trial, one.part.cycle)
    }
  }
  agreeOnAll(trial, closed)
}

export function part(cycle: number, what: Partial<CycleBatch>): CycleBatch {
  return { ...emptyCycleBatch, cycle, name: "0:0", ...what }
}

export function fillsOf(series: number, actual: number): CycleBatch["gapFills"] {
  return { series: Int32Array.of(series), actuals: Float64Array.of(actual) }
}

/** Closes a part in both, once what was appended is folded. */
export function close(trial: Trial, one: CycleBatch, nowMs = noonMs): boolean {
  const { writer } = trial.subject
  const moment = { nowMs, budgetMs: 1_000, idle: false, flushUpToMs: noonMs + 40 * dayMs }
  // Named again, as samples that came since are to be flushed too.
  writer.maintain({ ...moment, flushUpToMs: -Infinity })
  while (!writer.maintain(moment).isFlushed);
  const isNew = writer.commitCycle(one)
  assert.equal(trial.model.commitCycle(one), isNew)
  return isNew
}

/** The fields of the buckets from noon on. */
function told(
  trial: Trial,
  series: number,
  resolution: "PT5M" | "PT1H" | "PT24H",
  asked?: typeof everything,
) {
  const startMs = resolution === "PT24H" ? noonMs - (noonMs % dayMs) : noonMs
  const span = asked ?? { startMs, endMs: startMs + cycleMs }
  return askSamples(trial.subject, series, { resolution, span }).map(({ fields }) => fields)
}

function agreeOnAll(trial: Trial, cycles: Iterable<number> = [noonCycle, noonCycle + 1]): void {
  trial.agree()
  settleFolds(trial.subject.writer)
  for (const cycle of cycles) agreeOnCycle(trial, cycle)
}

function settleFolds(writer: WriteStore): void {
  const moment = { nowMs: noonMs, budgetMs: 1_000, idle: true }
  while (!writer.maintain({ ...moment, flushUpToMs: noonMs + 39 * dayMs }).isFlushed);
}

/** The reads of a closing: the cycle's cells and bands, and the hours before it. */
export function agreeOnCycle(trial: Trial, cycle: number): void {
  const { reader } = trial.subject
  reader.refresh()
  const { seriesCount } = trial.model.catalogue
  assert.deepEqual(cellsOf(reader, cycle), cellsOf(trial.model, cycle))
  assert.deepEqual(bandsOf(reader, cycle), bandsOf(trial.model, cycle))
  const series = Int32Array.from({ length: seriesCount }, (_, i) => seriesCount - 1 - i)
  const span = [cycle - 71, cycle + 1] as const
  assert.deepEqual(
    reader.bucketHistory(series, ...span),
    trial.model.bucketHistory(series, ...span),
  )
  for (const kind of ["computed.a", "computed.b", "cpu.total"]) {
    assert.deepEqual(reader.states(kind), trial.model.states(kind))
  }
  for (const name of ["0:0", "0:1"]) {
    assert.equal(reader.isClosed(cycle, name), trial.model.isClosed(cycle, name))
  }
  assert.deepEqual(reader.listDocuments("closing"), trial.model.listDocuments("closing"))
}

/** The present cells of a cycle: the series, then its columns. */
function cellsOf(store: ReadStore, cycle: number): number[][] {
  const cells = new CellColumns(partitionSeriesMax)
  const { length: _, ...columns } = cells
  return inOrderOfSeries(store, (partition, series) => {
    const found = store.cycleCells(partition, cycle, cells)
    const present = [...series.keys()].filter((i) => isPresent(cells, i))
    assert.equal(found, present.length > 0)
    return present.map((i) => [series[i]!, ...Object.values(columns).map((column) => column[i]!)])
  })
}

/** The bands of a cycle: the series, then its numbers. */
function bandsOf(store: ReadStore, cycle: number): number[][] {
  const bands = new Float32Array(partitionSeriesMax * bandFieldCount)
  return inOrderOfSeries(store, (partition, series) => {
    const found = store.cycleBands(partition, cycle, bands)
    assert.equal(
      found,
      bands.some((value) => !Number.isNaN(value)),
    )
    const bandOf = (i: number) => bands.subarray(i * bandFieldCount, (i + 1) * bandFieldCount)
    return [...series.keys()].map((i) => [series[i]!, ...bandOf(i)])
  })
}

function inOrderOfSeries(
  { catalogue }: ReadStore,
  read: (partition: SeriesPartition, series: Int32Array) => number[][],
): number[][] {
  const names = Array.from({ length: catalogue.nameCount }, (_, name) => name)
  return names
    .flatMap((name) => catalogue.partitionsOfName(name))
    .flatMap((partition) => read(partition, catalogue.partitionSeries(partition)))
    .sort(([left], [right]) => left! - right!)
}
