/** Laws of magnitudes: whatever is posted, an average lies between min and max, and all is finite. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { cycleMs, dayMs, resolutions } from "../../src/model/resolution.ts"
import { aggregated, cpu, noonMs, plain, seriesName } from "../support/ingest/samples.ts"
import type { Sample, SentFields } from "../support/ingest/samples.ts"
import { everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

const magnitudes = [1.7e308, 1.2e308, 9e307, 1e300, 1e160, 1e154, 1, 1 / 3, 1e-160, 5e-324, 0]
const extreme = fc
  .tuple(fc.constantFrom(...magnitudes), fc.constantFrom(1, 1, -1))
  .map(([size, sign]) => size * sign)

const sentArbitrary: fc.Arbitrary<SentFields> = fc.oneof(
  { weight: 4, arbitrary: extreme.map((val): SentFields => ({ val })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(extreme, fc.integer({ min: 1, max: 9 }))
      .map(([avg, cnt]): SentFields => ({ avg, cnt })),
  },
)

const samplesArbitrary: fc.Arbitrary<Sample[]> = fc.array(
  fc
    .tuple(sentArbitrary, fc.integer({ min: -400, max: 0 }), fc.boolean())
    .map(([sent, cycle, isLate]) => ({
      of: cpu,
      timeMs: noonMs + (isLate ? cycle : -1) * cycleMs,
      sent,
    })),
  { minLength: 1, maxLength: 8 },
)

export function extremesContract({ open, runs }: Contract): void {
  test("two samples of 1.7e308 have that average in every rollup, and no deviation", async () => {
    await withTrial(open, async (trial) => {
      const value = 1.7e308
      await trial.append([
        plain(noonMs, value),
        plain(noonMs + 1, value),
        plain(noonMs - dayMs, value),
      ])
      for (const stage of stages) {
        await trial.pass(stage)
        for (const resolution of resolutions) {
          const [answer] = await trial.statistics(request(resolution))
          const { min, avg, max, sum, stddev } = answer!.statistics
          assert.deepEqual([min, avg, max, stddev], [value, value, value, 0], resolution)
          assert.equal(sum, Number.MAX_VALUE)
        }
        for (const { fields } of await records(trial, "PT24H")) {
          assert.deepEqual([fields.actual, fields.avg], [value, value])
        }
      }
    })
  })

  test("an average beyond min or max is reported as the nearer of them", async () => {
    await withTrial(open, async (trial) => {
      // Five of it add up to 8.5, whose fifth is 1.7.
      const computed = 0.1 * 17
      const ofClient = { min: 0, max: 10, avg: 5, sum: 100, cnt: 1 }
      await trial.append([
        ...[1, 2, 3, 4, 5].map((i) => plain(noonMs - i, computed)),
        aggregated(noonMs - 1, ofClient, seriesName("host-1", "memory")),
      ])
      for (const stage of stages) {
        await trial.pass(stage)
        await trial.agree()
        for (const resolution of ["PT5M", "PT1H", "PT24H"] as const) {
          for (const [series, most] of [computed, 10].entries()) {
            const [record] = await trial.samples(series, { resolution, span: everything })
            assert.equal(record!.fields.avg, most, `${resolution} of ${series} after ${stage}`)
          }
        }
      }
    })
  })

  test("min ≤ avg ≤ max in every rollup, and everything is a number", async () => {
    await fc.assert(
      fc.asyncProperty(samplesArbitrary, fc.constantFrom(...stages), (samples, stage) =>
        withTrial(open, async (trial) => {
          await trial.append(samples)
          await trial.pass(stage)
          for (const resolution of resolutions) {
            for (const { statistics } of await trial.statistics(request(resolution))) {
              const { min, avg, max, stddev } = statistics
              const said = `${resolution}: ${JSON.stringify(statistics)}`
              assert.ok(Object.values(statistics).every(Number.isFinite), said)
              assert.ok(min <= avg && avg <= max && stddev >= 0, said)
            }
            for (const { fields } of await records(trial, resolution)) {
              const said = `${resolution}: ${JSON.stringify(fields)}`
              assert.ok(Object.values(fields).every(Number.isFinite), said)
              if (resolution === "ZERO") continue
              const { min, avg, max, actual } = fields as Record<string, number>
              assert.ok(min! <= avg! && avg! <= max!, said)
              // Of several cycles it is their average, within rounding.
              const slack = resolution === "PT5M" ? 0 : 1e-15 * Math.max(-min!, max!)
              assert.ok(min! - slack <= actual! && actual! <= max! + slack, said)
            }
          }
        }),
      ),
      { numRuns: Math.max(5, runs >> 1) },
    )
  })
}

function request(resolution: (typeof resolutions)[number]) {
  const rest = { span: everything, withValues: false, exact: false }
  return { series: Int32Array.of(0), resolution, ...rest }
}

function records(trial: Trial, resolution: (typeof resolutions)[number]) {
  return trial.samples(0, { resolution, span: everything })
}
