/** Laws of populations taken together: several series answer as one that has all their samples. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { resolutions } from "../../src/model/resolution.ts"
import type { Resolution } from "../../src/model/resolution.ts"
import type { Statistics } from "../../src/model/statistics.ts"
import { pooledStatistics } from "../../src/rollup/pooled-statistics.ts"
import { StatisticsWorkspace } from "../../src/rollup/statistics.ts"
import { statisticsOfNumbers } from "../support/store/dedup-model.ts"
import { noonMs, seriesName } from "../support/ingest/samples.ts"
import type { Sample, SentFields, SeriesName } from "../support/ingest/samples.ts"
import { aggregateArbitrary } from "./store-arbitraries.ts"
import { everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

const scratch = new StatisticsWorkspace()
const parts = ["a", "b", "c"].map((element) => seriesName(element, "cpu"))
const whole = seriesName("whole", "cpu")

/** Its sum is not its average times its count: two middles, so no deviation from one is right. */
const contradictory: SentFields = { min: 0, max: 4, sum: 5, avg: 2, cnt: 1 }

interface Drawn {
  readonly of: SeriesName
  readonly timeMs: number
  readonly sent: SentFields
}

const drawnArbitrary: fc.Arbitrary<Drawn> = fc.record({
  of: fc.constantFrom(...parts),
  timeMs: fc.integer({ min: -600, max: 600 }).map((minutes) => noonMs + minutes * 60_000),
  sent: fc.oneof(
    fc.integer({ min: -80, max: 80 }).map((eighths): SentFields => ({ val: eighths / 8 })),
    aggregateArbitrary,
    fc.constant(contradictory),
    fc.constant<SentFields>({ avg: 7, cnt: 0 }),
  ),
})

export function poolContract({ open, runs }: Contract): void {
  const property = { numRuns: Math.max(3, runs >> 2) }
  const samples = fc.array(drawnArbitrary, { minLength: 1, maxLength: 12 })

  test("raw samples of several series answer as one series that has all of them", async () => {
    await fc.assert(
      fc.asyncProperty(samples, fc.constantFrom(...stages), (drawn, stage) =>
        withTrial(open, async (trial) => {
          const all = await trial.declare([...parts, whole])
          // A request is a multiset: equal samples of two series stay two.
          await trial.append([
            ...drawn,
            ...drawn.map((sample): Sample => ({ ...sample, of: whole })),
          ])
          await trial.pass(stage)
          const got = await pooled(trial, all.slice(0, -1), "ZERO")
          const want = await pooled(trial, all.slice(-1), "ZERO")
          const told = (await ask(trial, all.slice(-1), "ZERO"))[0]?.statistics ?? null
          assert.deepEqual(want, told)
          const hasDeviation = drawn.every(({ sent }) => sent !== contradictory)
          assertClose(got, want, hasDeviation)
        }),
      ),
      property,
    )
  })

  test("buckets of several series answer as the list of all their values", async () => {
    await fc.assert(
      fc.asyncProperty(samples, fc.constantFrom(...stages), (drawn, stage) =>
        withTrial(open, async (trial) => {
          const all = await trial.declare(parts)
          await trial.append(drawn)
          await trial.pass(stage)
          for (const resolution of resolutions.filter((one) => one !== "ZERO")) {
            const values = (await ask(trial, all, resolution)).flatMap((one) => [...one.values!])
            const want = values.length === 0 ? null : statisticsOfNumbers(values)
            assertClose(await pooled(trial, all, resolution), want)
          }
        }),
      ),
      property,
    )
  })
}

function ask(trial: Trial, series: number[], resolution: Resolution) {
  const kind = { withValues: resolution !== "ZERO", withObservations: true, exact: false }
  const request = { series: Int32Array.from(series), span: everything, resolution, ...kind }
  return trial.statistics(request)
}

async function pooled(
  trial: Trial,
  series: number[],
  resolution: Resolution,
): Promise<Statistics | null> {
  const answers = await ask(trial, series, resolution)
  return answers.length === 0 ? null : pooledStatistics(answers, scratch)
}

/** All the same but for rounding: in the last digits of what comes of sums. */
function assertClose(got: Statistics | null, want: Statistics | null, hasDeviation = true): void {
  const sizes = [got, want].map((one) => one && { ...one, sum: 0, avg: 0, stddev: 0 })
  const said = JSON.stringify([got, want])
  const rounded = ["sum", "avg", ...(hasDeviation ? (["stddev"] as const) : [])] as const
  for (const name of rounded) {
    assert.ok(Math.abs((got?.[name] ?? 0) - (want?.[name] ?? 0)) < 1e-6, `${name}: ${said}`)
  }
  for (const [name, value] of Object.entries(sizes[1] ?? {})) {
    const other = sizes[0]?.[name as keyof Statistics] ?? NaN
    assert.ok(Math.abs(other - value) <= 1e-12 * Math.abs(value), `${name}: ${said}`)
  }
  assert.equal(got === null, want === null)
}
