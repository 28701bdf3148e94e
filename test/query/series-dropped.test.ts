/** Percentiles of columns whose raw samples retention has dropped (spec/series §6). */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { dayMs, hourMs } from "../../src/model/resolution.ts"
import { openReadStore } from "../../src/store/open.ts"
import type { ReadStore } from "../../src/store/store.ts"
import { percentileFractions } from "../../src/wire/series/series-query-body.ts"
import { append, plain, seriesName } from "../support/ingest/samples.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { folderOf, writing } from "../support/store/lmdb-folder.ts"
import { settleWriter } from "../contract/store.contract.ts"
import { querySeries } from "./series-fixture.ts"

const fields = Object.keys(percentileFractions)
const firstMs = Date.UTC(2026, 0, 5)
const dropMs = firstMs + 17 * dayMs
const of = seriesName("a", "m")

interface Sample {
  readonly timeMs: number
  readonly value: number
}

/** Shapes of data by their names: smooth, heavy-tailed, of two modes, constant, sorted. */
const shapes: Readonly<Record<string, (u: number, v: number, share: number) => number>> = {
  smooth: (u, v) => Math.sqrt(-2 * Math.log(u + 1e-12)) * Math.cos(2 * Math.PI * v),
  heavy: (u) => 1 / (u + 1e-4),
  bimodal: (u, v) => (u < 0.3 ? v : 1000 + v),
  constant: () => 0.1,
  sorted: (_u, _v, share) => share * 500,
}

/** Samples of `lengthMs`, one each `stepMs`. */
function samplesOf(shape: string, stepMs: number, lengthMs: number): Sample[] {
  const bytes = seededRandom(7).bytes(((8 * lengthMs) / stepMs) | 0)
  const words = new Uint32Array(bytes.buffer)
  return Array.from({ length: lengthMs / stepMs }, (_, i) => {
    const value = shapes[shape]!(
      words[2 * i]! / 2 ** 32,
      words[2 * i + 1]! / 2 ** 32,
      (i * stepMs) / lengthMs,
    )
    return { timeMs: firstMs + i * stepMs, value }
  })
}

/** A store that has dropped the raw samples of the first two days. */
async function droppedStore(t: TestContext, samples: readonly Sample[]): Promise<ReadStore> {
  const folder = folderOf(t)
  await writing(folder, (writer) => {
    append(
      writer,
      samples.map(({ timeMs, value }) => plain(timeMs, value, of)),
    )
    // Retention trusts a clock that it has seen before.
    for (const nowMs of [firstMs + 4 * dayMs, firstMs + 10 * dayMs, dropMs, dropMs + hourMs]) {
      settleWriter(writer, nowMs)
    }
  })
  const reader = openReadStore({ folder })
  t.after(() => reader.close())
  assert.equal(reader.retainedFromMs("ZERO"), firstMs + 2 * dayMs)
  return reader
}

/** By how much of n the rank of `value` differs from the wanted one. */
function rankError(sorted: readonly number[], value: number, fraction: number): number {
  const below = sorted.filter((one) => one < value).length
  const upTo = sorted.filter((one) => one <= value).length
  const position = Math.min(Math.max((sorted.length + 1) * fraction, 1), sorted.length)
  return Math.max(0, below - position, position - upTo - 1) / sorted.length
}

function assertWithin(sorted: readonly number[], value: number | null, name: string): void {
  const fraction = percentileFractions[name as keyof typeof percentileFractions]
  const isEnd = fraction <= 0.01 || fraction >= 0.99
  // Interpolation between two observations counts as either of them.
  const most = (isEnd ? 0.0005 : 0.005) + 1 / sorted.length
  assert.notEqual(value, null, name)
  const error = rankError(sorted, value!, fraction)
  assert.ok(error <= most, `${name} is ${value}, off by ${error} of n`)
}

for (const shape of Object.keys(shapes)) {
  test(`percentiles of dropped samples are within the bound, ${shape} data`, async (t) => {
    const samples = samplesOf(shape, 5_000, 3 * dayMs)
    const store = await droppedStore(t, samples)
    for (const [rollup, startMs] of [
      ["PT1H", firstMs + 3 * hourMs],
      ["PT24H", firstMs],
    ] as const) {
      const window = { startTime: startMs, endTime: firstMs + 3 * dayMs }
      const { columns, series } = await querySeries(store, { ...window, rollup }, { fields })
      for (let i = 0; i < columns.count; i++) {
        const from = columns.start + i * columns.step
        const inside = samples.filter(
          ({ timeMs }) => from <= timeMs && timeMs < from + columns.step,
        )
        const sorted = inside.map(({ value }) => value).sort((left, right) => left - right)
        for (const name of fields) assertWithin(sorted, series[0]!.values[name]![i]!, name)
      }
    }
  })
}

test("a column of dropped and of kept days is their union", async (t) => {
  const samples = samplesOf("sorted", 60_000, 4 * dayMs)
  const store = await droppedStore(t, samples)
  const window = { startTime: firstMs, endTime: firstMs + 4 * dayMs, rollup: "PT24H", width: 1 }
  const { columns, series } = await querySeries(store, window, { fields })
  assert.ok(columns.step >= 4 * dayMs)
  for (let i = 0; i < columns.count; i++) {
    const from = columns.start + i * columns.step
    const inside = samples.filter(({ timeMs }) => from <= timeMs && timeMs < from + columns.step)
    if (inside.length === 0) continue
    for (const name of fields) {
      assertWithin(
        inside.map(({ value }) => value),
        series[0]!.values[name]![i]!,
        name,
      )
    }
  }
})

test("one or two samples a bucket are exact, more without a digest are unknown", async (t) => {
  const samples = samplesOf("smooth", 150_000, 2 * dayMs)
  const crowd = [1, 2, 3].map((i) => ({ timeMs: firstMs + dayMs + i, value: 900 + i }))
  const store = await droppedStore(t, [...samples.slice(1), ...crowd])
  const window = { startTime: firstMs, endTime: firstMs + 2 * dayMs, rollup: "PT5M", width: 96 }
  const { columns, series } = await querySeries(store, window, { fields: ["p50"] })
  assert.equal(columns.count, 96)
  const unknown = series[0]!.values["p50"]!.flatMap((value, i) => (value === null ? [i] : []))
  assert.deepEqual(unknown, [48])
  for (let i = 0; i < columns.count; i++) {
    if (i === 48) continue
    const from = columns.start + i * columns.step
    const inside = samples
      .slice(1)
      .filter((one) => from <= one.timeMs && one.timeMs < from + columns.step)
    const sorted = inside.map(({ value }) => value).sort((left, right) => left - right)
    const at = (sorted.length + 1) / 2
    const want = (sorted[Math.floor(at) - 1]! + sorted[Math.ceil(at) - 1]!) / 2
    assert.ok(Math.abs(series[0]!.values["p50"]![i]! - want) < 1e-9)
  }
})

test("AUTO takes hours or days where percentiles are of dropped samples", async (t) => {
  const window = { startTime: firstMs, endTime: firstMs + 2 * dayMs }
  const rollupOf = async (stepMs: number, fields: string[]) => {
    const store = await droppedStore(t, samplesOf("smooth", stepMs, 2 * dayMs))
    return querySeries(store, window, { fields })
  }
  assert.equal((await rollupOf(60_000, ["actual"])).rollup, "PT5M")
  assert.equal((await rollupOf(5_000, ["actual", "p95"])).rollup, "PT1H")
  const minutes = await rollupOf(60_000, ["actual", "p95"])
  assert.equal(minutes.rollup, "PT24H")
  assert.ok(minutes.series[0]!.values["p95"]!.every((value) => value !== null))
})
