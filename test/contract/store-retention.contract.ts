/**
 * Laws of retention (spec/retention §1): whole UTC days of a resolution go when their end is older
 * than its retention, nothing else does, and what is coarser stays as it was.
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { dayMs, hourMs, resolutions } from "../../src/model/resolution.ts"
import type { Resolution } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import type { RetentionMs } from "../support/reference-store/memory-retention.ts"
import type { SampleRecord } from "../../src/store/query-store.ts"
import {
  append,
  cpu,
  noonMs,
  plain,
  startOfDayMs,
  steadyRequests,
} from "../support/ingest/samples.ts"
import { fewSeries } from "./store-arbitraries.ts"
import { maintainFully, type OpenDriver } from "./store-driver.ts"
import { withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

const short: RetentionMs = {
  ZERO: 2 * dayMs,
  PT5M: 4 * dayMs,
  PT1H: 6 * dayMs,
  PT24H: 9 * dayMs,
}
const allTime: Span = { startMs: 0, endMs: noonMs + 400 * dayMs }

export function retentionContract({ open }: Contract): void {
  const openShort: OpenDriver = () => open({ retentionMs: short })

  test("a day goes when its end is older than its resolution's retention, no other", async () => {
    await withTrial(openShort, async (trial) => {
      const before = await remember(trial, days(3))
      for (let day = 0; day < 12; day++) {
        const nowMs = startOfDayMs + day * dayMs + 3 * hourMs
        await trial.maintainFully(nowMs)
        if (day % 5 === 4) await trial.pass("reopen")
        for (const resolution of resolutions) {
          const firstMs = startOfDayMs + day * dayMs - short[resolution]
          const want = before[resolution].filter(({ timeMs }) => timeMs >= firstMs)
          assert.deepEqual(await recordsOf(trial, resolution), want, `${resolution}, day ${day}`)
        }
      }
    })
  })

  test("rollups outlive their raw samples, byte for byte, in samples and statistics", async () => {
    await withTrial(openShort, async (trial) => {
      const before = await remember(trial, days(3))
      await trial.maintainFully(startOfDayMs + 3 * dayMs + hourMs)
      await trial.pass("reopen")
      assert.ok((await recordsOf(trial, "ZERO")).length < before.ZERO.length)
      for (const resolution of ["PT5M", "PT1H", "PT24H"] as const) {
        assert.deepEqual(await recordsOf(trial, resolution), before[resolution])
        const [answer] = await trial.statistics({
          series: Int32Array.of(0),
          span: allTime,
          resolution,
          withValues: true,
          exact: false,
        })
        assert.deepEqual(
          [...answer!.values!],
          before[resolution].map(({ fields }) => fields.actual),
        )
      }
    })
  })

  test("what came after a day was dropped is kept as ever", async () => {
    await withTrial(openShort, async (trial) => {
      await remember(trial, days(2))
      const nowMs = startOfDayMs + 3 * dayMs + hourMs
      await trial.maintainFully(nowMs)
      await trial.append([plain(nowMs - hourMs, 4), plain(nowMs, 5)])
      for (const stage of ["nothing", "settle", "reopen"] as const) {
        await trial.pass(stage, nowMs)
        const kept = { startMs: startOfDayMs + 2 * dayMs, endMs: nowMs + 1 }
        await trial.agree(kept)
      }
    })
  })

  test("with the default retention nothing of the last two weeks goes", async () => {
    await withTrial(open, async (trial) => {
      const plan = { fromMs: noonMs - 14 * dayMs, toMs: noonMs, stepMs: 7 * hourMs }
      await trial.append(...steadyRequests({ of: fewSeries, ...plan }))
      await trial.maintainFully(noonMs)
      await trial.agree()
      await trial.pass("reopen")
      await trial.agree()
    })
  })

  test("the reference store drops the same days as every other", async () => {
    await withTrial(openShort, async (trial) => {
      const model = await referenceBeside(trial)
      for (const nowMs of [1.5, 2.5, 4.5, 6.5, 9.5, 12.5].map((n) => startOfDayMs + n * dayMs)) {
        maintainFully(model, nowMs)
        await trial.maintainFully(nowMs)
        for (const resolution of resolutions) {
          const want = model.samples(Int32Array.of(0), { span: allTime, resolution })[0]!
          const got = await trial.samples(0, { span: allTime, resolution })
          assert.deepEqual(got.map(timeOf), want.map(timeOf), resolution)
        }
      }
    })
  })
}

/** A reference store with the same three days that the trial's subject is given. */
async function referenceBeside(trial: Trial): Promise<MemoryStore> {
  const model = new MemoryStore({ retentionMs: short })
  await trial.declare([cpu])
  append(model, ...days(3))
  await trial.appendToSubject(...days(3))
  return model
}

/** Appends, settles while nothing is old, and keeps every record. */
async function remember(trial: Trial, requests: ReturnType<typeof days>) {
  await trial.append(...requests)
  await trial.maintainFully(startOfDayMs + dayMs)
  const of = (resolution: Resolution) => recordsOf(trial, resolution)
  return {
    ZERO: await of("ZERO"),
    PT5M: await of("PT5M"),
    PT1H: await of("PT1H"),
    PT24H: await of("PT24H"),
  }
}

async function recordsOf(trial: Trial, resolution: Resolution): Promise<SampleRecord[]> {
  return trial.samples(0, { span: allTime, resolution })
}

/** Samples of one series over whole days from `startOfDayMs` on, one every forty minutes. */
function days(count: number) {
  const plan = { fromMs: startOfDayMs, toMs: startOfDayMs + count * dayMs, stepMs: 2_400_000 }
  return steadyRequests({ of: [cpu], ...plan })
}

function timeOf({ timeMs }: SampleRecord): number {
  return timeMs
}
