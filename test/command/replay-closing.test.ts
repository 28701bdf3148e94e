/** The law of `tidegauge replay`: it finds what a server found that was posted the same. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { ReplayCycle } from "../../src/command/replay/replay-cycle.ts"
import { MetricValues } from "../../src/command/replay/replay-rows.ts"
import { CycleEvaluator } from "../../src/cycle/cycle-evaluator.ts"
import { collectedPercentFqn } from "../../src/model/fqn.ts"
import { cycleMs } from "../../src/model/resolution.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { emptyCycleBatch } from "../support/store/empty-cycle-batch.ts"
import { noise } from "../analysis/element.ts"
import { append, cpu, plain, upsertSeries } from "../support/ingest/samples.ts"

const week = 2016
/** Behind a first silence, and long enough for bands. */
const cycles = week + 200
const start = Math.floor(Date.UTC(2026, 0, 5) / cycleMs)

interface Found {
  readonly actual: number | undefined
  readonly sparse: number | undefined
  readonly band: readonly number[]
}

/** Samples of a cycle: a day's pattern, gaps, two in one instant, a silence of nine hours. */
function samplesOf(cycle: number): readonly [offsetMs: number, value: number][] {
  if ((cycle >= 500 && cycle < 608) || noise(cycle, 3) > 0.9) return []
  const value = 50 + 20 * Math.sin((2 * Math.PI * cycle) / 288) + noise(cycle)
  const first: [number, number] = [0, value]
  return noise(cycle, 4) > 0 ? [first] : [first, [60_000, value + 0.1], [60_000, value / 3]]
}

/** Six hours: the store of the tests takes longer the more it holds. */
const cyclesOfStore = 72

/** A store that holds what closings remember of the one before, and no samples. */
function emptied(before: MemoryStore | undefined): MemoryStore {
  const store = new MemoryStore()
  upsertSeries(store.catalogue, cpu, { sparseDataStrategy: "ReplaceWithLast" })
  if (before === undefined) return store
  upsertSeries(store.catalogue, { ...cpu, metric: collectedPercentFqn })
  const kinds = ["hot", "pattern", "correlation"]
  const states = kinds.flatMap((kind) =>
    before.states(kind).map(({ key, bytes }) => ({ kind, key, bytes })),
  )
  assert.ok(store.commitCycle({ ...emptyCycleBatch, cycle: 0, name: "states", states }))
  return store
}

function byServer(): Found[] {
  const series = 0
  let store = emptied(undefined)
  let closer: CycleEvaluator
  const rounds = { name: "0", elements: Int32Array.of(0), isMissed: false, inactiveCycles: 84 }
  return Array.from({ length: cycles }, (_, c) => {
    if (c % cyclesOfStore === 0) {
      if (c > 0) store = emptied(store)
      closer = new CycleEvaluator({ store, tenantUuid: () => "tenant" })
    }
    const cycle = start + c
    const startMs = cycle * cycleMs
    append(
      store,
      samplesOf(c).map(([offsetMs, value]) => plain(startMs + offsetMs, value)),
    )
    const { changes } = closer.evaluate({ ...rounds, cycle, closingMs: startMs + 2 * cycleMs })
    const { gapFills, bands } = changes!
    const place = bands.series.indexOf(series)
    const band = place < 0 ? [] : Array.from(bands.values.subarray(4 * place, 4 * place + 2))
    const fill = gapFills.series.indexOf(series)
    const sparse = fill < 0 ? undefined : gapFills.actuals[fill]
    store.commitCycle({ ...changes!, documents: [] })
    const history = store.bucketHistory(Int32Array.of(series), cycle, cycle + 1)
    const actual = history.actuals[0]!
    return { actual: Number.isNaN(actual) ? undefined : actual, sparse, band }
  })
}

function byReplay(): Found[] {
  const closed = new ReplayCycle(1, { sparse: "ReplaceWithLast", isCounter: false })
  const defined = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value)
  return Array.from({ length: cycles }, (_, c) => {
    const values = new MetricValues()
    for (const [offsetMs, value] of samplesOf(c)) values.add(offsetMs, value)
    closed.close(start + c, [values])
    const { inputs, bands } = closed.rows
    const band = [bands.baselineMean[0]!, bands.baselineStddev[0]!]
    return {
      actual: defined(inputs.actual[0]!),
      sparse: defined(closed.sparseValue[0]!),
      band: Number.isNaN(band[0]) ? [] : band,
    }
  })
}

test("actual values, fillings and bands are those of a server's closing, bit by bit", () => {
  const replayed = byReplay()
  assert.ok(replayed.some(({ sparse }) => sparse !== undefined))
  assert.ok(replayed[600]!.actual === undefined && replayed[560]!.actual !== undefined)
  assert.ok(replayed.at(-1)!.band.length > 0)
  assert.deepEqual(replayed, byServer())
})
