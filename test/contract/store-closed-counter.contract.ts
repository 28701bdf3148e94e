/**
 * Laws of counters in cycles that are closed: a filling is no value that a counter looks back on, a
 * late sample of a filled cycle makes a counter's cell, and an actual follows the definition that
 * its cycle records, whenever it came to record it (spec/samples §6).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { partitionSeriesMax } from "../../src/base/limits.ts"
import type { MetricDefinition } from "../../src/model/element.ts"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import { CellColumns, averageKind, counterKind, lastKind } from "../../src/rollup/cell.ts"
import type { CycleBatch } from "../../src/store/cycle-store.ts"
import { cpu, noonMs, plain, startOfDayMs } from "../support/ingest/samples.ts"
import type { SampleRequest } from "../support/ingest/samples.ts"
import { fewSeries, requestsArbitrary } from "./store-arbitraries.ts"
import { agreeOnCycle, fillsOf, cycleBatch, batchArbitrary } from "./store-closing.contract.ts"
import { actuals, define, kinds } from "./store-counter.contract.ts"
import { everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

const noonCycle = noonMs / cycleMs
/** All cycles that the arbitraries have samples of have ended by then. */
const afterMs = noonMs + 2 * hourMs

export function closedCounterContract({ open, runs }: Contract): void {
  for (const stage of stages) {
    test(`a counter looks past a filling, and a late sample takes its place, after ${stage}`, () =>
      withTrial(open, async (trial) => {
        const series = await begin(trial)
        await trial.append([plain(noonMs, 10), plain(noonMs + 2 * cycleMs, 60)])
        await trial.commitCycle(
          cycleBatch(noonCycle + 1, { gapFills: fillsOf(series, 3) }),
          afterMs,
        )
        await trial.pass(stage, afterMs)
        assert.deepEqual(await actuals(trial, "PT5M"), [undefined, 3, 50])
        assert.deepEqual(await actuals(trial, "PT1H"), [53 / 2])
        await agreeOn(trial)
        await trial.append([plain(noonMs + cycleMs, 25)])
        for (const next of stages) {
          assert.deepEqual(await actuals(trial, "PT5M"), [undefined, 15, 35])
          await agreeOn(trial)
          await trial.pass(next, afterMs)
        }
      }))

    test(`a closing makes a cell a counter's and takes it back, after ${stage}`, () =>
      withTrial(open, async (trial) => {
        const series = await begin(trial, {})
        await trial.append([
          plain(noonMs, 10),
          plain(noonMs + cycleMs, 60),
          plain(noonMs + cycleMs, 70),
        ])
        await trial.pass(stage, afterMs)
        assert.deepEqual(await actuals(trial, "PT5M"), [10, 65])
        const codes = [counterKind, lastKind, counterKind, averageKind]
        const wanted = [60, 70, 60, 65]
        for (const [i, code] of codes.entries()) {
          const actualKinds = { series: Int32Array.of(series), kinds: Uint8Array.of(code) }
          await trial.commitCycle(
            cycleBatch(noonCycle + 1, { name: String(i), actualKinds }),
            afterMs,
          )
          assert.deepEqual(await actuals(trial, "PT5M"), [10, wanted[i]])
          await trial.pass(stage, afterMs)
          assert.deepEqual(await actuals(trial, "PT24H"), [(10 + wanted[i]!) / 2])
          await agreeOn(trial)
        }
      }))
  }

  for (const stage of stages) {
    test(`a cell that becomes a counter's has its drops, after ${stage}`, () =>
      withTrial(open, async (trial) => {
        const series = await begin(trial, {})
        const minutesMs = [4, 5, 6, 7].map((minute) => noonMs + minute * 60_000)
        await trial.append([100, 110, 0, 10].map((value, i) => plain(minutesMs[i]!, value)))
        await trial.pass(stage, afterMs)
        const actualKinds = { series: Int32Array.of(series), kinds: Uint8Array.of(counterKind) }
        await trial.commitCycle(cycleBatch(noonCycle + 1, { actualKinds }), afterMs)
        for (const next of stages) {
          assert.deepEqual(await actuals(trial, "PT5M"), [100, 20])
          await agreeOn(trial)
          await trial.pass(next, afterMs)
        }
        await trial.append([plain(noonMs + cycleMs + 90_000, 1)])
        assert.deepEqual(await actuals(trial, "PT5M"), [100, 20])
      }))
  }

  test("a filled cycle of yesterday gets its sample: the first increase of today follows", () =>
    withTrial(open, async (trial) => {
      const series = await begin(trial)
      const lastCycle = startOfDayMs / cycleMs - 1
      await trial.append([plain(startOfDayMs - 2 * cycleMs, 10), plain(startOfDayMs, 100)])
      await trial.commitCycle(cycleBatch(lastCycle, { gapFills: fillsOf(series, 1) }), afterMs)
      await trial.pass("later", afterMs)
      assert.deepEqual(await actuals(trial, "PT5M"), [undefined, 1, 90])
      await trial.append([plain(startOfDayMs - cycleMs, 40)])
      for (const stage of stages) {
        assert.deepEqual(await actuals(trial, "PT5M"), [undefined, 30, 60])
        assert.deepEqual(await actuals(trial, "PT24H"), [30, 60])
        await agreeOn(trial, [lastCycle, lastCycle + 1])
        await trial.pass(stage, afterMs)
      }
    }))

  test("a late counter looks back on compacted cells that are none, whatever else is asked", () =>
    withTrial(open, async (trial) => {
      await begin(trial)
      const other = fewSeries[3]!
      await trial.append([plain(noonMs, 5, other)])
      await settle(trial, afterMs)
      await define(trial, [[other, { type: "COUNTER" }]])
      await settle(trial, afterMs + 16 * hourMs)
      await trial.append([plain(noonMs, 7)], [plain(noonMs + cycleMs, 6, other)])
      await trial.agree()
      await settle(trial, afterMs)
      await trial.agree()
    }))

  test("a closing reads the increases of a cycle that is flushed, and of the hours before it", () =>
    withTrial(open, async (trial) => {
      const series = await begin(trial)
      await trial.append([10, 30, 35].map((value, i) => plain(noonMs + i * cycleMs, value)))
      await trial.commitCycle(cycleBatch(noonCycle, {}), afterMs)
      const source = await trial.subject.cycleSource()
      const asked = (await trial.numbers()).ofSubject(Int32Array.of(series))
      const cells = new CellColumns(partitionSeriesMax)
      const partition = source.catalogue.partitionOf(asked[0]!)
      assert.equal(source.cycleCells(partition, noonCycle + 2, cells), true)
      const at = source.catalogue.indexInPartition(asked[0]!)
      assert.deepEqual([cells.actual[at], cells.actuals[at]], [5, 1])
      const history = source.bucketHistory(asked, noonCycle, noonCycle + 3)
      assert.deepEqual([...history.actuals], [NaN, 20, 5])
    }))

  test("samples, closings and definitions in any order, with flushes and compactions", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 2, maxLength: 14 }), (steps) =>
        withTrial(open, (trial) => walk(trial, steps)),
      ),
      { numRuns: Math.max(3, runs >> 2) },
    )
  })
}

type Step =
  | { readonly kind: "append"; readonly requests: readonly SampleRequest[] }
  | { readonly kind: "close"; readonly cycleBatch: CycleBatch }
  | { readonly kind: "define"; readonly series: number; readonly say: Partial<MetricDefinition> }
  | { readonly kind: "settle"; readonly hours: number }
  | { readonly kind: "step" }
  | { readonly kind: "reopen" }

const defineArbitrary = fc.record({
  kind: fc.constant("define" as const),
  series: fc.nat({ max: fewSeries.length - 1 }),
  say: fc.constantFrom<Partial<MetricDefinition>>(
    { type: "COUNTER" },
    { type: "WRAPPING_COUNTER" },
    { settings: { counter: true } },
    { settings: { statistic: "last" } },
    {},
  ),
})

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof<fc.WeightedArbitrary<Step>[]>(
  { weight: 5, arbitrary: requestsArbitrary.map((requests) => ({ kind: "append", requests })) },
  { weight: 6, arbitrary: batchArbitrary.map((one) => ({ kind: "close", cycleBatch: one })) },
  { weight: 3, arbitrary: defineArbitrary },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0, 16, 40, 80).map((hours) => ({ kind: "settle", hours })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "step" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "reopen" }) },
)

async function walk(trial: Trial, steps: readonly Step[]): Promise<void> {
  await begin(trial)
  const closed = new Set<number>()
  for (const one of steps) {
    if (one.kind === "append") await trial.append(...one.requests)
    if (one.kind === "settle") await settle(trial, afterMs + one.hours * hourMs)
    if (one.kind === "step" || one.kind === "reopen") await trial.pass(one.kind, afterMs)
    if (one.kind === "define") {
      // Both record then what was in force until now.
      await settle(trial, afterMs)
      await define(trial, [[fewSeries[one.series]!, one.say]])
    }
    if (one.kind === "close") {
      await trial.commitCycle(one.cycleBatch, afterMs)
      closed.add(one.cycleBatch.cycle)
      await agreeOnCycle(trial, one.cycleBatch.cycle)
    } else await trial.agreeOnSamples(steps.length % fewSeries.length, "PT5M", everything)
  }
  await settle(trial, afterMs)
  await trial.agree()
  await trial.maintainFully(afterMs + 3 * dayMs)
  await agreeOn(trial, closed)
}

/** Declares the few series with their kinds, `cpu` as given; returns the index of that. */
async function begin(
  trial: Trial,
  say: Partial<MetricDefinition> = { type: "COUNTER" },
): Promise<number> {
  await trial.declare(fewSeries)
  await define(trial, [...kinds, [cpu, say]])
  return (await trial.declare([cpu]))[0]!
}

async function settle(trial: Trial, nowMs: number): Promise<void> {
  await trial.maintainFully(nowMs)
  trial.model.maintain({ nowMs, budgetMs: 1, idle: true })
}

/** Appended samples are flushed first: a closing sees flushed samples only. */
async function agreeOn(
  trial: Trial,
  cycles: Iterable<number> = [noonCycle, noonCycle + 1],
): Promise<void> {
  await trial.agree()
  await trial.subject.flush(afterMs)
  for (const cycle of cycles) await agreeOnCycle(trial, cycle)
}
