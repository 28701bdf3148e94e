/**
 * Laws of counters and of the other statistics: a counter's actual is its increase since the cycle
 * before that had a value, whatever came in which order and was flushed or compacted meanwhile
 * (spec/samples §6).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { MetricDefinition } from "../../src/model/element.ts"
import type { MetricSettings } from "../../src/model/metric-settings.ts"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import type { BucketResolution } from "../../src/model/resolution.ts"
import {
  cpu,
  noonMs,
  plain,
  seriesName,
  shuffled,
  startOfDayMs,
  upsertSeries,
} from "../support/ingest/samples.ts"
import type { SampleRequest, SeriesName } from "../support/ingest/samples.ts"
import { requestsArbitrary, spanArbitrary } from "./store-arbitraries.ts"
import { increasesOf } from "./counter-oracle.ts"
import { everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

/** The few series of the arbitraries and some more, each with what its `actual` shall be. */
export const kinds: readonly (readonly [SeriesName, Partial<MetricDefinition>])[] = [
  [seriesName("host-1", "cpu.total"), { type: "COUNTER" }],
  [seriesName("host-1", "memory.used"), { settings: { statistic: "last" } }],
  [seriesName("host-2", "cpu.total"), { type: "GAUGE", settings: { counter: true } }],
  [seriesName("host-1", "cpu.total", 1), { settings: { statistic: "sum" } }],
]

const others = ["average", "min", "max", "cnt"] as const

export function counterContract({ open, runs }: Contract): void {
  const property = { numRuns: Math.max(2, runs >> 3) }

  for (const stage of stages) {
    test(`actual is the increase, and the new value at a restart, after ${stage}`, async () => {
      await withTrial(open, async (trial) => {
        await define(trial, kinds)
        const values = [100, 130, 130, 20, 25]
        await trial.append(values.map((value, i) => plain(noonMs + i * cycleMs, value)))
        await trial.pass(stage)
        assert.deepEqual(await actuals(trial, "PT5M"), [undefined, 30, 0, 20, 5])
        assert.deepEqual(await actuals(trial, "PT1H"), [55 / 4])
        assert.deepEqual(await actuals(trial, "PT24H"), [55 / 4])
        await trial.agree()
      })
    })
  }

  const typed = [
    ["COUNTER", fc.integer({ min: 0, max: 9 })],
    ["WRAPPING_COUNTER", fc.integer({ min: 0, max: 9 }).map((n) => (n * 7 * 2 ** 26) % 2 ** 32)],
  ] as const
  for (const [type, value] of typed)
    test(`each step of a ${type} counts, those of late samples too`, async () => {
      // Around midnight, so that late samples change the day that follows a compacted one.
      const sample = fc.record({
        halfMinute: fc.integer({ min: -40, max: 40 }),
        value,
        stage: fc.constantFrom(...stages),
      })
      const doesWrap = type === "WRAPPING_COUNTER"
      await fc.assert(
        fc.asyncProperty(fc.array(sample, { minLength: 3, maxLength: 20 }), (drawn) =>
          withTrial(open, async (trial) => {
            await define(trial, [...kinds, [cpu, { type }]])
            const samples = drawn.map(({ halfMinute, value }) =>
              plain(startOfDayMs + halfMinute * 30_000, value),
            )
            for (const [i, { stage }] of drawn.entries()) {
              await trial.append([samples[i]!])
              await trial.pass(stage)
              const arrived = samples.slice(0, i + 1)
              assert.deepEqual(await actuals(trial, "PT5M"), increasesOf(arrived, doesWrap))
            }
            await trial.pass("later")
            assert.deepEqual(await actuals(trial, "PT5M"), increasesOf(samples, doesWrap))
            await trial.agree()
          }),
        ),
        property,
      )
    })

  test("a late sample corrects the cycle after it, over any gap", async () => {
    for (const gapMs of [cycleMs, hourMs, dayMs, 3 * dayMs]) {
      for (const stage of ["nothing", "settle", "later"] as const) {
        await withTrial(open, async (trial) => {
          await define(trial, kinds)
          const first = noonMs - 5 * dayMs
          await trial.append([plain(first, 1)], [plain(first + gapMs, 50), plain(noonMs, 90)])
          await trial.pass(stage)
          await trial.append([plain(first + 1000, 7)])
          for (const next of stages) {
            assert.deepEqual(await actuals(trial, "PT5M"), [undefined, 43, 40])
            await trial.pass(next)
          }
          await trial.agree()
        })
      }
    }
  })

  test("a type once COUNTER is not taken back by posts, whenever they are flushed", async () => {
    const post = fc.record({
      type: fc.constantFrom("COUNTER", "GAUGE", "gauge", "", undefined),
      cycle: fc.integer({ min: -400, max: 0 }),
      value: fc.integer({ min: 0, max: 9 }),
      stage: fc.constantFrom(...stages),
    })
    const posts = fc.array(post, { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(posts, async (list) => {
        await withTrial(open, async (trial) => {
          await define(trial, [[cpu, { type: "Counter" }]])
          for (const { type, cycle, value, stage } of list) {
            const say = type === undefined ? {} : { type }
            await trial.edit((catalogue) => void upsertSeries(catalogue, cpu, say))
            await trial.append([plain(noonMs + cycle * cycleMs, value)])
            await trial.pass(stage)
          }
          await trial.agree()
          const last = new Map(list.map(({ cycle, value }) => [cycle, value] as const))
          assert.equal((await actuals(trial, "PT5M")).filter((one) => one === undefined).length, 1)
          assert.equal((await actuals(trial, "PT5M")).length, last.size)
        })
      }),
      property,
    )
  })

  test("any samples, in any order, flushed and compacted in between", async () => {
    const chapters = fc.array(
      fc.record({
        requests: requestsArbitrary,
        // Less than a week in all, or retention would not believe the clock.
        hours: fc.integer({ min: 0, max: 18 }),
        stage: fc.constantFrom("nothing", "step", "settle", "reopen", "work"),
        span: spanArbitrary,
      }),
      { minLength: 2, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(chapters, (told) =>
        withTrial(open, async (trial) => {
          await define(trial, kinds)
          let nowMs = noonMs
          const sent: SampleRequest[] = []
          for (const { requests, hours, stage, span } of told) {
            await trial.append(...requests)
            sent.push(...requests)
            nowMs += hours * hourMs
            if (stage === "work") await workAWhile(trial, nowMs, hours)
            else await trial.pass(stage, nowMs)
            await trial.agree(span)
          }
          await trial.appendToSubject(...shuffled(sent, told.length))
          await trial.agree()
          await trial.maintainFully(nowMs + 2 * dayMs)
          await trial.agree()
        }),
      ),
      property,
    )
  })

  const arrivals = {
    "in time order": (days: SampleRequest[][]) => days,
    "newest first": (days: SampleRequest[][]) => [...days].reverse(),
    "in random order": (days: SampleRequest[][]) => shuffled(days, 5),
  }
  for (const [order, arrange] of Object.entries(arrivals)) {
    test(`a backfill of counters ${order}, each day sealed before the next comes`, async () => {
      await withTrial(open, async (trial) => {
        await define(trial, kinds)
        for (const requests of arrange(backfill())) {
          await trial.append(...requests)
          await trial.agree()
          await trial.maintainFully(noonMs)
          await trial.agree()
        }
        await trial.pass("reopen")
        await trial.agree()
      })
    })
  }

  test("sum, min, max, last and cnt are what a package says", async () => {
    await withTrial(open, async (trial) => {
      const of = others.map((statistic) => seriesName("host-9", statistic))
      await define(
        trial,
        of.map((one, i) => [one, { settings: { statistic: others[i]! } }]),
      )
      await trial.append(of.flatMap((one) => [3, 1, 2].map((v, i) => plain(noonMs + i, v, one))))
      await trial.append(of.map((one) => plain(noonMs + cycleMs, 10, one)))
      for (const stage of stages) {
        await trial.pass(stage)
        await trial.agree()
        const hours = await Promise.all(of.map((one) => actuals(trial, "PT1H", one)))
        assert.deepEqual(hours.flat(), [6, 5.5, 6.5, 2])
      }
    })
  })

  test("a closed cycle keeps its definition, an open one takes the new", async () => {
    await withTrial(open, async (trial) => {
      const settle = async (nowMs: number) => {
        await trial.maintainFully(nowMs)
        trial.model.maintain({ nowMs, budgetMs: 1, idle: true })
      }
      await define(trial, [[cpu, {}]])
      await trial.append([plain(startOfDayMs, 10), plain(noonMs, 20)])
      await settle(noonMs)
      await define(trial, [[cpu, { type: "counter" }]])
      await trial.append([plain(startOfDayMs + 1, 20), plain(noonMs + 1, 30)])
      await trial.append([plain(noonMs + cycleMs, 37)])
      assert.deepEqual((await actuals(trial, "PT5M")).at(-1), 7)
      await settle(noonMs + 60_000)
      await settle(noonMs + hourMs)
      assert.deepEqual(await actuals(trial, "PT5M"), [15, 10, 7])
      await define(trial, [[cpu, { settings: { statistic: "sum" } satisfies MetricSettings }]])
      await settle(noonMs + 3 * dayMs)
      await trial.append([plain(startOfDayMs + 2, 24), plain(noonMs + 3, 33)])
      await trial.append([plain(noonMs - cycleMs, 31), plain(noonMs - cycleMs, 1)])
      await settle(noonMs + 3 * dayMs)
      assert.deepEqual(await actuals(trial, "PT5M"), [18, 32, 33, 4])
      await trial.agree()
      await trial.pass("reopen")
      await trial.agree()
    })
  })
}

/** Both catalogues get the metrics' declarations, as packages and collectors send them. */
export async function define(
  trial: Trial,
  told: readonly (readonly [SeriesName, Partial<MetricDefinition>])[],
): Promise<void> {
  await trial.edit((catalogue) => {
    for (const [of, say] of told) {
      const series = upsertSeries(catalogue, of)
      const { settings: _, ...before } = catalogue.seriesDefinition(series)
      catalogue.replaceDefinition(series, { ...before, type: "", ...say })
    }
  })
}

export async function actuals(
  trial: Trial,
  resolution: BucketResolution,
  of = cpu,
): Promise<(number | undefined)[]> {
  const series = (await trial.declare([of]))[0]!
  const records = await trial.samples(series, { resolution, span: everything })
  return records.map(({ fields }) => fields.actual)
}

async function workAWhile(trial: Trial, nowMs: number, steps: number): Promise<void> {
  for (let left = steps; left > 0; left--) {
    await trial.maintain({ nowMs, budgetMs: 0, idle: left % 3 > 0 })
  }
}

/** Five days of the series, day by day, two values every two hours that drop now and then. */
function backfill(): SampleRequest[][] {
  return Array.from({ length: 5 }, (_, day) =>
    Array.from({ length: 12 }, (_, i) => {
      const timeMs = startOfDayMs - (5 - day) * dayMs + i * 2 * hourMs
      const value = (day * 12 + i) % 23
      return kinds.flatMap(([of], k) => [
        plain(timeMs + k, value * (k + 1), of),
        plain(timeMs + 60_000, (value * 7) % 11, of),
      ])
    }),
  )
}
