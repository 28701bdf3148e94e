/**
 * Laws of closings: what a batch of a cycle brings is stored whole and once, samples win over facts
 * whenever they come, and all of it outlives flushes, compactions and restarts (spec/samples §2).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { partitionSeriesMax } from "../../src/base/limits.ts"
import type { SeriesPartition } from "../../src/catalogue/catalogue.ts"
import { cycleMs, cyclesPerDay, dayMs, hourMs } from "../../src/model/resolution.ts"
import { CellColumns, actualKinds, isPresent } from "../../src/rollup/cell.ts"
import { bandFieldCount } from "../../src/store/cycle-store.ts"
import { emptyCycleBatch } from "../support/store/empty-cycle-batch.ts"
import type { CycleBatch, CycleSource } from "../../src/store/cycle-store.ts"
import {
  aggregated,
  cpu,
  findSeries,
  noonMs,
  plain,
  seriesName,
} from "../support/ingest/samples.ts"
import type { SampleRequest } from "../support/ingest/samples.ts"
import { fewSeries, requestsArbitrary } from "./store-arbitraries.ts"
import { everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

const noonCycle = noonMs / cycleMs

export function closingContract({ open, runs }: Contract): void {
  for (const stage of stages) {
    test(`a filling counts in hours and days, and gives way to samples, after ${stage}`, () =>
      withTrial(open, async (trial) => {
        const [series] = await trial.declare([cpu])
        await trial.append([plain(noonMs - cycleMs, 4)])
        await trial.commitCycle(cycleBatch(noonCycle, { gapFills: fillsOf(series!, 2) }))
        await trial.pass(stage)
        assert.deepEqual(await told(trial, series!, "PT5M"), [
          { actual: 2, cnt: 0, sparseValue: 2 },
        ])
        assert.equal((await told(trial, series!, "PT24H"))[0]!.actual, 3)
        await trial.agree()
        await trial.append([plain(noonMs + 1, 10)])
        await trial.agree()
        await trial.pass(stage)
        assert.equal((await told(trial, series!, "PT5M"))[0]!.sparseValue, undefined)
        assert.equal((await told(trial, series!, "PT24H"))[0]!.actual, 7)
        await agreeOnAll(trial)
      }))
  }

  test("a filling is passed by where there are samples, kept where they observed nothing", () =>
    withTrial(open, async (trial) => {
      const [series] = await trial.declare([cpu])
      await trial.append([plain(noonMs, 4), aggregated(noonMs + cycleMs, { avg: 3, cnt: 0 })])
      for (const cycle of [noonCycle, noonCycle + 1, noonCycle + 2]) {
        await trial.commitCycle(cycleBatch(cycle, { gapFills: fillsOf(series!, 2) }))
      }
      await trial.append([aggregated(noonMs + 2 * cycleMs, { avg: 3, cnt: 0 })])
      await trial.pass("later")
      const span = { startMs: noonMs, endMs: noonMs + 3 * cycleMs }
      const records = await trial.samples(series!, { resolution: "PT5M", span })
      assert.deepEqual(
        records.map(({ fields }) => [fields.actual, fields.cnt]),
        [4, 2, 2].map((actual, i) => [actual, i === 0 ? 1 : 0]),
      )
      await agreeOnAll(trial)
    }))

  test("samples of one series leave the fillings of another one of the same metric", () =>
    withTrial(open, async (trial) => {
      const other = seriesName("host-2", cpu.metric)
      const [, series] = await trial.declare([cpu, other])
      await trial.append([plain(noonMs - cycleMs, 1), plain(noonMs - cycleMs, 2, other)])
      await trial.commitCycle(cycleBatch(noonCycle, { gapFills: fillsOf(series!, 7) }))
      await trial.append([plain(noonMs, 3)])
      await trial.pass("later")
      assert.deepEqual(await told(trial, series!, "PT5M"), [{ actual: 7, cnt: 0, sparseValue: 7 }])
      await agreeOnAll(trial)
    }))

  test("a batch is closed once; what it says again changes nothing", () =>
    withTrial(open, async (trial) => {
      const [series] = await trial.declare([cpu])
      const first = cycleBatch(noonCycle, {
        gapFills: fillsOf(series!, 1),
        states: [{ kind: "k", key: [1], bytes: Uint8Array.of(1) }],
        documents: [{ kind: "d", id: "1", document: { n: 1 } }],
      })
      assert.equal(await trial.commitCycle(first), true)
      await trial.pass("reopen")
      const again = { ...first, gapFills: fillsOf(series!, 9), states: [], documents: [] }
      assert.equal(await trial.commitCycle(again), false)
      assert.equal(await trial.commitCycle({ ...again, name: "another" }), true)
      assert.deepEqual(await trial.subject.documents.get("d", "1"), { n: 1 })
      const source = await trial.subject.cycleSource()
      assert.equal(source.isClosed(noonCycle, "another"), true)
      assert.equal(source.isClosed(noonCycle + 1, "another"), false)
      await agreeOnAll(trial)
    }))

  test("cycles that are reopened close again, with the samples that came meanwhile", () =>
    withTrial(open, async (trial) => {
      const [series] = await trial.declare([cpu])
      const cycles = [noonCycle, noonCycle + 1, noonCycle + 2]
      for (const cycle of cycles) {
        const filled = cycleBatch(cycle, { gapFills: fillsOf(series!, 1) })
        for (const name of ["a", "b"]) await trial.commitCycle({ ...filled, name })
      }
      await trial.subject.reopenCycles(noonCycle + 1)
      trial.model.reopenCycles(noonCycle + 1)
      await trial.pass("reopen")
      const source = await trial.subject.cycleSource()
      const closed = cycles.filter((cycle) => source.isClosed(cycle, "b"))
      assert.deepEqual(closed, [noonCycle])
      await trial.append([plain(noonMs + cycleMs, 5)])
      const again = cycleBatch(noonCycle + 1, { gapFills: fillsOf(series!, 9) })
      assert.equal(await trial.commitCycle({ ...again, name: "a" }), true)
      assert.equal(await trial.commitCycle({ ...again, name: "a" }), false)
      await agreeOnAll(trial)
    }))

  test("a computed metric is new with its first value, and is no filling", () =>
    withTrial(open, async (trial) => {
      await trial.declare([cpu])
      const computed = {
        elements: Int32Array.of(0),
        fqns: ["cpu.computed"],
        actuals: Float64Array.of(0.5),
        definitions: [{ unit: "percent" }],
      }
      await trial.commitCycle(cycleBatch(noonCycle, { computed }))
      await trial.commitCycle(
        cycleBatch(noonCycle + 1, { computed: { ...computed, actuals: Float64Array.of(1) } }),
      )
      for (const stage of ["nothing", "reopen", "later"] as const) {
        await trial.pass(stage)
        const of = { ...cpu, metric: "cpu.computed" }
        const catalogue = await trial.subject.catalogue()
        assert.equal(catalogue.seriesDefinition(findSeries(catalogue, of)).unit, "percent")
        const series = findSeries(trial.model.catalogue, of)
        const values = await told(trial, series, "PT5M", everything)
        assert.deepEqual(values, [
          { actual: 0.5, cnt: 0 },
          { actual: 1, cnt: 0 },
        ])
        assert.equal((await told(trial, series, "PT1H"))[0]!.actual, 0.75)
        await agreeOnAll(trial)
      }
    }))

  test("bands are shown with their ends, within what the metric can be", () =>
    withTrial(open, async (trial) => {
      const [series] = await trial.declare([cpu])
      await trial.edit((catalogue) => {
        const tags = [{ name: "unit", value: "percent" }]
        const settings = { validMin: 0, validMax: 100 }
        const one = findSeries(catalogue, cpu)
        const definition = catalogue.seriesDefinition(one)
        catalogue.replaceDefinition(one, { ...definition, tags, settings })
      })
      await trial.append([plain(noonMs, 4)])
      const values = Float32Array.of(90, 5, NaN, NaN)
      await trial.commitCycle(
        cycleBatch(noonCycle, { bands: { series: Int32Array.of(series!), values } }),
      )
      for (const stage of stages) {
        await trial.pass(stage)
        const [fields] = await told(trial, series!, "PT5M")
        const { baselineMean, baselineStddev, baselineUpper, baselineLower } = fields!
        assert.deepEqual([baselineMean, baselineStddev], [90, 5])
        assert.deepEqual([baselineLower, baselineUpper], [70, 100])
        assert.equal(fields!.contextualMean, undefined)
        assert.equal((await told(trial, series!, "PT1H"))[0]!.baselineMean, undefined)
        await agreeOnAll(trial)
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
      await trial.commitCycle(
        cycleBatch(noonCycle, { states: [...states, state("kk", [1], "other")] }),
      )
      await trial.commitCycle(
        cycleBatch(noonCycle + 1, { states: [state("k", [2], null), state("k", [3], "d")] }),
      )
      for (const stage of stages) {
        await trial.pass(stage)
        const reader = await trial.subject.cycleSource()
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

  test("closings and samples in any order, with flushes, compactions and restarts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 14 }), (steps) =>
        withTrial(open, (trial) => walk(trial, steps)),
      ),
      { numRuns: Math.max(3, runs >> 2) },
    )
  })
}

type Step =
  | { readonly kind: "append"; readonly requests: readonly SampleRequest[] }
  | { readonly kind: "close"; readonly cycleBatch: CycleBatch }
  | { readonly kind: "settle"; readonly hours: number }
  | { readonly kind: "step" }
  | { readonly kind: "reopen" }

const seriesArbitrary = fc.uniqueArray(fc.nat({ max: fewSeries.length - 1 }), { maxLength: 4 })
const numberArbitrary = fc.oneof(
  fc.integer({ min: -50, max: 50 }).map((tenths) => tenths / 10),
  fc.constantFrom(-0, 1e30, 1e-30),
)

/** Parts of cycles near noon or of the days before, of the series of the other arbitraries. */
export const batchArbitrary: fc.Arbitrary<CycleBatch> = fc
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
  { weight: 6, arbitrary: batchArbitrary.map((one) => ({ kind: "close", cycleBatch: one })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0, 1, 40, 80).map((hours) => ({ kind: "settle", hours })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "step" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "reopen" }) },
)

async function walk(trial: Trial, steps: readonly Step[]): Promise<void> {
  await trial.declare(fewSeries)
  const closed = new Set<number>()
  for (const one of steps) {
    if (one.kind === "append") await trial.append(...one.requests)
    if (one.kind === "settle") await trial.maintainFully(noonMs + one.hours * hourMs)
    if (one.kind === "step" || one.kind === "reopen") await trial.pass(one.kind)
    if (one.kind === "close") {
      await trial.commitCycle(one.cycleBatch)
      closed.add(one.cycleBatch.cycle)
      await agreeOnCycle(trial, one.cycleBatch.cycle)
    }
  }
  await agreeOnAll(trial, closed)
}

export function cycleBatch(cycle: number, what: Partial<CycleBatch>): CycleBatch {
  return { ...emptyCycleBatch, cycle, name: "0:0", ...what }
}

export function fillsOf(series: number, actual: number): CycleBatch["gapFills"] {
  return { series: Int32Array.of(series), actuals: Float64Array.of(actual) }
}

/** The fields of the buckets from noon on. */
async function told(
  trial: Trial,
  series: number,
  resolution: "PT5M" | "PT1H" | "PT24H",
  asked?: typeof everything,
) {
  const startMs = resolution === "PT24H" ? noonMs - (noonMs % dayMs) : noonMs
  const span = asked ?? { startMs, endMs: startMs + cycleMs }
  return (await trial.samples(series, { resolution, span })).map(({ fields }) => fields)
}

async function agreeOnAll(
  trial: Trial,
  cycles: Iterable<number> = [noonCycle, noonCycle + 1],
): Promise<void> {
  await trial.agree()
  await trial.subject.flush(noonMs)
  for (const cycle of cycles) await agreeOnCycle(trial, cycle)
}

/** The reads of a closing: the cycle's cells and bands, and the hours before it. */
export async function agreeOnCycle(trial: Trial, cycle: number): Promise<void> {
  const numbers = await trial.numbers()
  const reader = await trial.subject.cycleSource()
  const { seriesCount } = trial.model.catalogue
  assert.deepEqual(numbers.rowsOfModel(cellsOf(reader, cycle)), cellsOf(trial.model, cycle))
  assert.deepEqual(numbers.rowsOfModel(bandsOf(reader, cycle)), bandsOf(trial.model, cycle))
  const series = Int32Array.from({ length: seriesCount }, (_, i) => seriesCount - 1 - i)
  const span = [cycle - 71, cycle + 1] as const
  assert.deepEqual(
    reader.bucketHistory(numbers.ofSubject(series), ...span),
    trial.model.bucketHistory(series, ...span),
  )
  const days = [cycle - 2 * cyclesPerDay, cycle + 1] as const
  for (const contents of [
    { withBands: true, withGapFills: false },
    { withBands: false, withGapFills: true },
  ]) {
    assert.deepEqual(
      reader.bucketHistory(numbers.ofSubject(series), ...days, contents),
      trial.model.bucketHistory(series, ...days, contents),
    )
  }
  for (const kind of ["computed.a", "computed.b", "cpu.total"]) {
    assert.deepEqual(reader.states(kind), trial.model.states(kind))
  }
  for (const name of ["0:0", "0:1"]) {
    assert.equal(reader.isClosed(cycle, name), trial.model.isClosed(cycle, name))
  }
  assert.deepEqual(reader.listDocuments("closing"), trial.model.listDocuments("closing"))
}

/** The present cells of a cycle: the series, then its columns. */
function cellsOf(store: CycleSource, cycle: number): number[][] {
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
function bandsOf(store: CycleSource, cycle: number): number[][] {
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
  { catalogue }: CycleSource,
  read: (partition: SeriesPartition, series: Int32Array) => number[][],
): number[][] {
  const names = Array.from({ length: catalogue.nameCount }, (_, name) => name)
  return names
    .flatMap((name) => catalogue.partitionsOfName(name))
    .flatMap((partition) => read(partition, catalogue.partitionSeries(partition)))
    .sort(([left], [right]) => left! - right!)
}
