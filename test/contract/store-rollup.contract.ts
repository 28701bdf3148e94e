/**
 * Laws of rollups: every bucket is a function of the raw samples, whenever they came
 * (spec/samples §2).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { bucketWidthMs, cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import type { BucketResolution } from "../../src/model/resolution.ts"
import type { SampleRecord } from "../../src/store/query-store.ts"
import {
  aggregated,
  append,
  cpu,
  noonMs,
  plain,
  shuffled,
  startOfDayMs,
  steadyRequests,
} from "../support/ingest/samples.ts"
import { fewSeries, requestsArbitrary, spanArbitrary } from "./store-arbitraries.ts"
import { everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

export function rollupContract({ open, runs }: Contract): void {
  const property = { numRuns: Math.max(3, runs >> 2) }

  for (const stage of stages) {
    test(`a bucket holds actual, avg, min, max, cnt and sum, after ${stage}`, async () => {
      await withTrial(open, async (trial) => {
        await trial.append([
          plain(noonMs, 1),
          plain(noonMs + 60_000, 2),
          plain(noonMs + cycleMs, 12),
        ])
        await trial.append([aggregated(noonMs - 1, { avg: 10, min: 4, max: 20, cnt: 3, sum: 30 })])
        await trial.pass(stage)
        const before = bucket(
          noonMs - cycleMs,
          { actual: 10, avg: 10, min: 4, max: 20, cnt: 3 },
          30,
        )
        const first = bucket(noonMs, { actual: 1.5, avg: 1.5, min: 1, max: 2, cnt: 2 }, 3)
        const next = bucket(noonMs + cycleMs, { actual: 12, avg: 12, min: 12, max: 12, cnt: 1 }, 12)
        const hour = { actual: 6.75, avg: 5, min: 1, max: 12, cnt: 3 }
        const past = { ...before, timeMs: noonMs - hourMs }
        const day = { actual: (10 + 1.5 + 12) / 3, avg: 7.5, min: 1, max: 20, cnt: 6 }

        assert.deepEqual(await bucketsOf(trial, "PT5M"), [before, first, next])
        assert.deepEqual(await bucketsOf(trial, "PT1H"), [past, bucket(noonMs, hour, 15)])
        assert.deepEqual(await bucketsOf(trial, "PT24H"), [bucket(startOfDayMs, day, 45)])
      })
    })
  }

  test("spans are half-open: a bucket counts by its start, a raw sample by its time", async () => {
    await withTrial(open, async (trial) => {
      for (const width of [1, ...Object.values(bucketWidthMs)]) {
        const edges = [-width, -1, 0, 1, width - 1, width]
        await trial.append(edges.map((edge, i) => plain(startOfDayMs + edge, i)))
      }
      for (const stage of stages) {
        await trial.pass(stage)
        for (const width of Object.values(bucketWidthMs)) {
          for (const startMs of around(startOfDayMs)) {
            for (const endMs of around(startOfDayMs + width)) await trial.agree({ startMs, endMs })
          }
        }
        await trial.agree({ startMs: startOfDayMs, endMs: startOfDayMs })
        await trial.agree({ startMs: startOfDayMs, endMs: startOfDayMs + 1 })
      }
    })
  })

  test("any span of any samples answers as the model does", async () => {
    const spans = fc.array(spanArbitrary, { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        requestsArbitrary,
        spans,
        fc.constantFrom(...stages),
        (requests, asked, stage) =>
          withTrial(open, async (trial) => {
            await trial.append(...requests)
            await trial.pass(stage)
            for (const span of asked) await trial.agree(span)
          }),
      ),
      property,
    )
  })

  const late = {
    "its cycle": { nowMs: noonMs + cycleMs, sampleMs: noonMs },
    "its hour": { nowMs: noonMs + hourMs, sampleMs: noonMs - hourMs + 1 },
    "its day": { nowMs: noonMs + 2 * dayMs, sampleMs: startOfDayMs - 1 },
    "all neighbours": { nowMs: noonMs + 9 * dayMs, sampleMs: noonMs - 3 * dayMs },
  }
  for (const [what, { nowMs, sampleMs }] of Object.entries(late)) {
    test(`a sample that comes after ${what} was folded corrects every rollup`, async () => {
      await withTrial(open, async (trial) => {
        await trial.append(...liveRequests())
        await trial.maintainFully(nowMs)
        await trial.agree()
        await trial.append([plain(sampleMs, 1e6), plain(sampleMs, 1e6), plain(sampleMs + 1, -1e6)])
        await trial.agree()
        await trial.maintainFully(nowMs)
        await trial.agree()
        await trial.pass("reopen")
        await trial.append([plain(sampleMs - cycleMs, 0.25)])
        await trial.agree()
        await trial.maintainFully(nowMs + dayMs)
        await trial.agree()
      })
    })
  }

  test("late samples in any pattern correct every rollup", async () => {
    const chapters = fc.array(
      fc.tuple(requestsArbitrary, fc.integer({ min: 0, max: 48 }), fc.boolean()),
      { minLength: 2, maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(chapters, (told) =>
        withTrial(open, async (trial) => {
          let nowMs = noonMs
          for (const [requests, hours, reopens] of told) {
            await trial.append(...requests)
            nowMs += hours * hourMs
            await trial.maintainFully(nowMs)
            if (reopens) await trial.pass("reopen")
          }
          await trial.agree()
        }),
      ),
      property,
    )
  })

  const arrivals = {
    "in time order": (requests: ReturnType<typeof backfill>) => requests,
    "newest first": (requests: ReturnType<typeof backfill>) => [...requests].reverse(),
    "in random order": (requests: ReturnType<typeof backfill>) => shuffled(requests, 7),
  }
  for (const [order, arrange] of Object.entries(arrivals)) {
    test(`a backfill of days ${order} gives what live collection gives`, async () => {
      await withTrial(open, async (trial) => {
        const requests = backfill()
        await trial.declare(fewSeries)
        append(trial.model, ...requests)
        const groups = arrange(requests)
        while (groups.length > 0) {
          await trial.appendToSubject(...groups.splice(0, 16))
          await trial.maintain({ nowMs: noonMs, budgetMs: 5, idle: false })
        }
        await trial.agree()
        await trial.maintainFully(noonMs)
        await trial.agree()
        await trial.pass("reopen")
        await trial.agree()
      })
    })
  }

  test("live collection with background work at every cycle gives the same", async () => {
    await withTrial(open, async (trial) => {
      for (const request of liveRequests()) {
        await trial.append(request)
        const nowMs = request[0]!.timeMs
        await trial.maintain({ nowMs, budgetMs: 2, idle: nowMs % hourMs === 0 })
        if (nowMs % (6 * hourMs) === 0)
          await trial.agree({ startMs: nowMs - dayMs, endMs: nowMs + 1 })
      }
      await trial.agree()
    })
  })

  test("a bucket of more samples than a digest keeps exactly is exact in its record", async () => {
    await withTrial(open, async (trial) => {
      const of = [cpu]
      const span = { fromMs: noonMs, toMs: noonMs + cycleMs }
      await trial.append(...steadyRequests({ of, ...span, stepMs: 250, seed: 3 }))
      for (const stage of stages) {
        await trial.pass(stage, noonMs + hourMs)
        await trial.agree()
      }
    })
  })
}

function bucket(
  timeMs: number,
  fields: Readonly<Record<"actual" | "avg" | "min" | "max" | "cnt", number>>,
  sum: number,
): SampleRecord {
  return { timeMs, fields: { ...fields, sum } }
}

/** Records with their fields in one order, those without a value left out. */
async function bucketsOf(trial: Trial, resolution: BucketResolution): Promise<SampleRecord[]> {
  const series = (await trial.declare([cpu]))[0]!
  return (await trial.samples(series, { resolution, span: everything })).map((record) => ({
    timeMs: record.timeMs,
    fields: Object.fromEntries(
      Object.entries(record.fields).filter(([, value]) => value !== undefined),
    ),
  }))
}

function around(instantMs: number): number[] {
  return [instantMs - 1, instantMs, instantMs + 1]
}

/** A day and a half of four series, one sample each every ten minutes, up to noon. */
function liveRequests() {
  const plan = { fromMs: noonMs - 1.5 * dayMs, toMs: noonMs + 1, stepMs: 600_000 }
  return steadyRequests({ of: fewSeries, ...plan })
}

/** Five days of four series, one sample each every twenty minutes. */
function backfill() {
  const plan = { fromMs: noonMs - 5 * dayMs, toMs: noonMs, stepMs: 1_200_000, seed: 5 }
  return steadyRequests({ of: fewSeries, ...plan })
}
