/** Laws of statistics: which population, in which order, how exact (spec/statistics §2). */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { cycleMs, dayMs, hourMs, resolutions } from "../../src/model/resolution.ts"
import { statisticsOfNumbers } from "../support/store/dedup-model.ts"
import {
  aggregated,
  cpu,
  noonMs,
  plain,
  seriesName,
  shapes,
  startOfDayMs,
  steadyRequests,
} from "../support/ingest/samples.ts"
import type { Shape } from "../support/ingest/samples.ts"
import { aggregateArbitrary, fewSeries, spanArbitrary } from "./store-arbitraries.ts"
import { everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

export function statisticsContract({ open, runs }: Contract): void {
  const property = { numRuns: Math.max(3, runs >> 2) }

  test("the documented 95th percentile of 288 buckets comes out to its last digit", async () => {
    await withTrial(open, async (trial) => {
      const value = (i: number) => (i < 274 ? 1 / 20 : 2 / 21)
      const bucket = (_: unknown, i: number) => plain(startOfDayMs + i * cycleMs, value(i))
      await trial.append(Array.from({ length: 288 }, bucket))
      for (const stage of stages) {
        await trial.pass(stage, startOfDayMs + dayMs)
        for (const resolution of ["ZERO", "PT5M"] as const) {
          const [answer] = await trial.statistics(request([await series(trial)], resolution))
          const { percentile95, count } = answer!.statistics
          assert.equal(count, 288)
          assert.ok(Math.abs(percentile95 - 0.0748809523809529) < 1e-15, `Got ${percentile95}`)
        }
      }
    })
  })

  test("a full day of five-minute buckets counts 288, of hours 24, of days 1", async () => {
    await withTrial(open, async (trial) => {
      const plan = { fromMs: startOfDayMs, toMs: startOfDayMs + dayMs, stepMs: 100_000 }
      await trial.append(...steadyRequests({ of: [cpu], ...plan }))
      for (const stage of stages) {
        await trial.pass(stage, startOfDayMs + dayMs)
        const one = await series(trial)
        for (const [i, resolution] of resolutions.entries()) {
          const [answer] = await trial.statistics(request([one], resolution))
          assert.equal(answer!.statistics.count, [864, 288, 24, 1][i])
        }
        await trial.agree()
      }
    })
  })

  test("values and times come in time order where asked for, and not otherwise", async () => {
    await withTrial(open, async (trial) => {
      await trial.append([plain(noonMs + 1, 3), plain(noonMs - dayMs, 2), plain(noonMs + 1, 1)])
      for (const stage of stages) {
        await trial.pass(stage)
        const asked = request([await series(trial)], "ZERO")
        const [answer] = await trial.statistics({ ...asked, withValues: true })
        assert.deepEqual([...answer!.values!], [2, 1, 3])
        assert.deepEqual([...answer!.timesMs!], [noonMs - dayMs, noonMs + 1, noonMs + 1])
        const [bare] = await trial.statistics(asked)
        assert.deepEqual([bare!.values, bare!.timesMs], [undefined, undefined])
      }
    })
  })

  test("answers come in the order of the query, without series that have no value", async () => {
    await withTrial(open, async (trial) => {
      const all = await trial.declare(fewSeries)
      await trial.append([plain(noonMs, 1, fewSeries[0]), plain(noonMs - dayMs, 1, fewSeries[1])])
      await trial.append([plain(noonMs, 4, fewSeries[3])])
      const span = { startMs: noonMs, endMs: noonMs + 1 }
      for (const stage of stages) {
        await trial.pass(stage)
        for (const resolution of ["ZERO", "PT5M", "PT1H"] as const) {
          const f = async (asked: number[], want: number[]) => {
            const answers = await trial.statistics({ ...request(asked, resolution), span })
            assert.deepEqual(
              answers.map((answer) => answer.series),
              want,
            )
          }
          await f(all, [all[0]!, all[3]!])
          await f([...all].reverse(), [all[3]!, all[0]!])
          await f([all[2]!], [])
          await f([], [])
        }
      }
    })
  })

  test("a client's aggregates weigh as many observations as they say", async () => {
    await withTrial(open, async (trial) => {
      await trial.append([
        aggregated(noonMs, { avg: 2, min: 0, max: 5, cnt: 3 }),
        plain(noonMs, 10),
      ])
      for (const stage of stages) {
        await trial.pass(stage)
        const [answer] = await trial.statistics(request([await series(trial)], "ZERO"))
        const { count, sum, avg, min, max, stddev } = answer!.statistics
        assert.deepEqual([count, sum, avg, min, max], [4, 16, 4, 0, 10])
        assert.equal(stddev, statisticsOfNumbers([2, 2, 2, 10]).stddev)
        await trial.agree()
      }
    })
  })

  test("every form of aggregate, in any span, answers as the model does", async () => {
    const samples = fc.array(fc.tuple(fc.integer({ min: -600, max: 600 }), aggregateArbitrary), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(samples, spanArbitrary, fc.constantFrom(...stages), (drawn, span, stage) =>
        withTrial(open, async (trial) => {
          await trial.append(
            drawn.map(([minutes, sent]) => aggregated(noonMs + minutes * 60_000, sent)),
          )
          await trial.pass(stage)
          await trial.agree(span)
          await trial.agree()
        }),
      ),
      property,
    )
  })

  test("a counter is averaged as recorded", async () => {
    await withTrial(open, async (trial) => {
      await trial.declare([cpu], { type: "COUNTER" })
      const plan = { fromMs: noonMs - hourMs, toMs: noonMs, stepMs: 60_000 }
      await trial.append(...steadyRequests({ of: [cpu], ...plan, shape: "sorted" }))
      for (const stage of stages) {
        await trial.pass(stage)
        await trial.agree()
      }
    })
  })

  test("ZERO over many samples: sums exact, percentiles near, and exact where asked", async () => {
    await withTrial(open, async (trial) => {
      const names = Object.keys(shapes) as Shape[]
      const plan = { fromMs: noonMs - 3.5 * dayMs, toMs: noonMs, stepMs: 60_000 }
      for (const [seed, shape] of names.entries()) {
        const of = [seriesName("host-1", shape)]
        await trial.append(...steadyRequests({ of, ...plan, shape, seed }))
      }
      for (const stage of ["nothing", "settle", "later"] as const) {
        await trial.pass(stage)
        // The second span has ragged edges: neither end stands on a bucket of any width.
        for (const [from, to] of [
          [4, 0],
          [3.4567, 0.1234],
        ] as const) {
          const span = { startMs: noonMs - from * dayMs, endMs: noonMs - to * dayMs }
          for (const exact of [false, true]) {
            const asked = request([...names.keys()], "ZERO")
            await trial.agreeOnStatistics({ ...asked, span, exact })
          }
        }
      }
    })
  })

  test("samples of ZERO that their buckets hold are as exact as samples of their own", async () => {
    await withTrial(open, async (trial) => {
      const plan = { fromMs: startOfDayMs, toMs: startOfDayMs + 2 * dayMs, stepMs: cycleMs }
      const gap = seriesName("host-1", "gap")
      const twice = seriesName("host-1", "twice")
      for (const [seed, shape] of (Object.keys(shapes) as Shape[]).entries()) {
        const of = [seriesName("host-1", shape)]
        await trial.append(...steadyRequests({ of, ...plan, shape, seed }))
      }
      const halfHours = Array.from({ length: 96 }, (_, i) => plan.fromMs + i * 6 * cycleMs)
      await trial.append(halfHours.map((timeMs, i) => plain(timeMs, i / 3, gap)))
      // Two zeros have the least, the greatest and the sum of one.
      const seconds = [0, 1].map((part) => plain(plan.fromMs + part * 1000, 0, twice))
      await trial.append(seconds)
      const all = Object.keys(shapes).map((shape) => seriesName("host-1", shape))
      for (const stage of ["nothing", "settle", "later"] as const) {
        await trial.pass(stage, plan.toMs + hourMs)
        const declared = await trial.declare([...all, gap, twice])
        for (const hours of [0, 5.5]) {
          const span = { startMs: plan.fromMs + hours * hourMs, endMs: plan.toMs }
          await trial.agreeOnStatistics({ ...request(declared, "ZERO"), span })
        }
      }
    })
  })

  test("percentiles of ZERO are of the means that a client sent, not of the sums", async () => {
    await withTrial(open, async (trial) => {
      const sent = { avg: 4, sum: 10, min: 0, max: 20, cnt: 1 }
      const times = Array.from({ length: 288 }, (_, i) => startOfDayMs + i * cycleMs)
      await trial.append(times.map((timeMs) => aggregated(timeMs, sent)))
      for (const stage of ["nothing", "settle", "later"] as const) {
        await trial.pass(stage, startOfDayMs + dayMs + hourMs)
        const [answer] = await trial.statistics(request([await series(trial)], "ZERO"))
        const { median, percentile95, sum } = answer!.statistics
        assert.deepEqual([median, percentile95, sum], [4, 4, 2880])
      }
    })
  })

  test("ragged windows of ZERO take their edges from raw samples", async () => {
    await withTrial(open, async (trial) => {
      const plan = { fromMs: noonMs - 30 * hourMs, toMs: noonMs, stepMs: 17_000 }
      await trial.append(...steadyRequests({ of: [cpu], ...plan }))
      await trial.pass("later")
      for (const startMs of [0, 1, 16_999, 17_001, 299_999, 3_600_001].map(
        (n) => plan.fromMs + n,
      )) {
        for (const endMs of [0, 1, 17_000, 300_001, 86_400_000].map((n) => plan.toMs - n)) {
          const asked = { ...request([await series(trial)], "ZERO"), span: { startMs, endMs } }
          await trial.agreeOnStatistics(asked)
        }
      }
    })
  })
}

async function series(trial: Trial): Promise<number> {
  return (await trial.declare([cpu]))[0]!
}

function request(asked: number[], resolution: (typeof resolutions)[number]) {
  const ordinary = { span: everything, withValues: false, exact: false }
  return { series: Int32Array.from(asked), resolution, ...ordinary }
}
