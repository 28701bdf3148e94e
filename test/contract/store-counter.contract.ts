/**
 * Laws of counters and of the other statistics: a counter's actual is its increase since the cycle
 * before that had a value, whatever came in which order and was folded or sealed meanwhile
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
  append,
  cpu,
  noonMs,
  plain,
  seriesName,
  shuffled,
  startOfDayMs,
  upsertSeries,
} from "../support/samples.ts"
import type { SampleRequest, SeriesName } from "../support/samples.ts"
import { requestsArbitrary, spanArbitrary } from "./store-arbitraries.ts"
import { askSamples, everything, stages, withTrial } from "./store-harness.ts"
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
  const property = { numRuns: Math.max(5, runs >> 4) }

  for (const stage of stages) {
    test(`actual is the increase, and the new value at a restart, after ${stage}`, async () => {
      await withTrial(open, async (trial) => {
        define(trial, kinds)
        const values = [100, 130, 130, 20, 25]
        trial.append(values.map((value, i) => plain(noonMs + i * cycleMs, value)))
        await trial.pass(stage)
        assert.deepEqual(actuals(trial, "PT5M"), [undefined, 30, 0, 20, 5])
        assert.deepEqual(actuals(trial, "PT1H"), [55 / 4])
        assert.deepEqual(actuals(trial, "PT24H"), [55 / 4])
        trial.agree()
      })
    })
  }

  test("a late sample corrects the cycle after it, over any gap", async () => {
    for (const gapMs of [cycleMs, hourMs, dayMs, 3 * dayMs]) {
      for (const stage of ["nothing", "settle", "later"] as const) {
        await withTrial(open, async (trial) => {
          define(trial, kinds)
          const first = noonMs - 5 * dayMs
          trial.append([plain(first, 1)], [plain(first + gapMs, 50), plain(noonMs, 90)])
          await trial.pass(stage)
          trial.append([plain(first + 1000, 7)])
          for (const next of stages) {
            assert.deepEqual(actuals(trial, "PT5M"), [undefined, 43, 40])
            await trial.pass(next)
          }
          trial.agree()
        })
      }
    }
  })

  test("a type once COUNTER is not taken back by posts, whenever they are folded", async () => {
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
          define(trial, [[cpu, { type: "Counter" }]])
          for (const { type, cycle, value, stage } of list) {
            const say = type === undefined ? {} : { type }
            upsertSeries(trial.subject.writer.catalogue, cpu, say)
            upsertSeries(trial.model.catalogue, cpu, say)
            trial.append([plain(noonMs + cycle * cycleMs, value)])
            await trial.pass(stage)
          }
          trial.agree()
          const last = new Map(list.map(({ cycle, value }) => [cycle, value] as const))
          assert.equal(actuals(trial, "PT5M").filter((one) => one === undefined).length, 1)
          assert.equal(actuals(trial, "PT5M").length, last.size)
        })
      }),
      property,
    )
  })

  test("any samples, in any order, folded and sealed in between", async () => {
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
          define(trial, kinds)
          let nowMs = noonMs
          const sent: SampleRequest[] = []
          for (const { requests, hours, stage, span } of told) {
            trial.append(...requests)
            sent.push(...requests)
            nowMs += hours * hourMs
            if (stage === "work") workAWhile(trial, nowMs, hours)
            else await trial.pass(stage, nowMs)
            trial.agree(span)
          }
          trial.appendToSubject(...shuffled(sent, told.length))
          trial.agree()
          trial.subject.maintainFully(nowMs + 2 * dayMs)
          trial.agree()
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
        define(trial, kinds)
        for (const requests of arrange(backfill())) {
          trial.append(...requests)
          trial.agree()
          trial.subject.maintainFully(noonMs)
          trial.agree()
        }
        await trial.pass("reopen")
        trial.agree()
      })
    })
  }

  test("sum, min, max, last and cnt are what a package says", async () => {
    await withTrial(open, async (trial) => {
      const of = others.map((statistic) => seriesName("host-9", statistic))
      define(
        trial,
        of.map((one, i) => [one, { settings: { statistic: others[i]! } }]),
      )
      trial.append(of.flatMap((one) => [3, 1, 2].map((v, i) => plain(noonMs + i, v, one))))
      trial.append(of.map((one) => plain(noonMs + cycleMs, 10, one)))
      for (const stage of stages) {
        await trial.pass(stage)
        trial.agree()
        const hours = of.map((one) => actuals(trial, "PT1H", one)[0])
        assert.deepEqual(hours, [6, 5.5, 6.5, 2])
      }
    })
  })

  test("a closed cycle keeps its definition, an open one takes the new", async () => {
    await withTrial(open, async (trial) => {
      const settle = (nowMs: number) => {
        trial.subject.maintainFully(nowMs)
        trial.model.maintain({ nowMs, budgetMs: 1, idle: true })
      }
      define(trial, [[cpu, {}]])
      trial.append([plain(startOfDayMs, 10), plain(noonMs, 20)])
      settle(noonMs)
      define(trial, [[cpu, { type: "counter" }]])
      trial.append([plain(startOfDayMs + 1, 20), plain(noonMs + 1, 30)])
      trial.append([plain(noonMs + cycleMs, 37)])
      assert.deepEqual(actuals(trial, "PT5M").at(-1), 7)
      settle(noonMs + 60_000)
      settle(noonMs + hourMs)
      assert.deepEqual(actuals(trial, "PT5M"), [15, 10, 7])
      define(trial, [[cpu, { settings: { statistic: "sum" } satisfies MetricSettings }]])
      settle(noonMs + 3 * dayMs)
      trial.append([plain(startOfDayMs + 2, 24), plain(noonMs + 3, 33)])
      trial.append([plain(noonMs - cycleMs, 31), plain(noonMs - cycleMs, 1)])
      settle(noonMs + 3 * dayMs)
      assert.deepEqual(actuals(trial, "PT5M"), [18, 32, 2, 4])
      trial.agree()
      await trial.pass("reopen")
      trial.agree()
    })
  })
}

/** Both catalogues get the metrics' declarations, as packages and collectors send them. */
export function define(
  trial: Trial,
  told: readonly (readonly [SeriesName, Partial<MetricDefinition>])[],
): void {
  for (const store of [trial.subject.writer, trial.model]) {
    for (const [of, say] of told) {
      const series = trial.declare([of])[0]!
      const { settings: _, ...before } = store.catalogue.seriesDefinition(series)
      store.catalogue.replaceDefinition(series, { ...before, type: "", ...say })
    }
    append(store)
  }
}

export function actuals(
  trial: Trial,
  resolution: BucketResolution,
  of = cpu,
): (number | undefined)[] {
  const series = trial.declare([of])[0]!
  const records = askSamples(trial.subject, series, { resolution, span: everything })
  return records.map(({ fields }) => fields.actual)
}

function workAWhile(trial: Trial, nowMs: number, steps: number): void {
  for (let left = steps; left > 0; left--) {
    trial.subject.writer.maintain({ nowMs, budgetMs: 0, idle: left % 3 > 0 })
  }
}

/** Five days of the series, day by day, a value every two hours that resets now and then. */
function backfill(): SampleRequest[][] {
  return Array.from({ length: 5 }, (_, day) =>
    Array.from({ length: 12 }, (_, i) => {
      const timeMs = startOfDayMs - (5 - day) * dayMs + i * 2 * hourMs
      const value = (day * 12 + i) % 23
      return kinds.map(([of], k) => plain(timeMs + k, value * (k + 1), of))
    }),
  )
}
