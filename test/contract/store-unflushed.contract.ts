/** Laws of unflushed samples: the writer hands them out, readers merge them, twice is once. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { partitionSeriesMax } from "../../src/base/limits.ts"
import { cycleMs, dayMs, hourMs, resolutions } from "../../src/model/resolution.ts"
import type { Resolution } from "../../src/model/resolution.ts"
import { sampleFields, SampleBatchBuilder } from "../../src/model/sample-batch.ts"
import { CellColumns } from "../../src/rollup/cell.ts"
import { sampleMean } from "../../src/rollup/contribution.ts"
import { retentionMsDefault } from "../support/reference-store/memory-retention.ts"
import type { UnflushedSamples } from "../../src/store/append-store.ts"
import type { SampleRecord } from "../../src/store/query-store.ts"
import { noonMs, plain, seriesName } from "../support/samples.ts"
import {
  fewSeries,
  requestsArbitrary,
  resolutionArbitrary,
  spanArbitrary,
} from "./store-arbitraries.ts"
import { assertRecords, everything, unflushedSpan, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

const stageArbitrary = fc.constantFrom(...stages)

export function unflushedContract({ open, runs }: Contract): void {
  const property = { numRuns: Math.max(10, runs >> 2) }

  test("unflushed samples are appended samples of the requested series and span", async () => {
    await fc.assert(
      fc.asyncProperty(requestsArbitrary, spanArbitrary, stageArbitrary, (requests, span, stage) =>
        withTrial(open, async (trial) => {
          const [first, second] = trial.declare(fewSeries)
          trial.append(...requests)
          await trial.pass(stage)
          trial.append(...requests.slice(0, 2))
          const asked = Int32Array.of(second!, first!)
          const got = trial.subject.writer.unflushedSamples(asked, span)
          for (const [i, series] of got.series.entries()) {
            assert.ok(asked.includes(series), `Expected a series that was asked, got ${series}`)
            const timeMs = got.timesMs[i]!
            assert.ok(span.startMs <= timeMs && timeMs < span.endMs, `Got a sample at ${timeMs}`)
            assert.ok(rawValues(trial, series, timeMs).includes(got.values[i]!))
          }
          assertColumns(got)
        }),
      ),
      property,
    )
  })

  test("unflushedSampleCount counts the unflushed samples, none after a full flush", async () => {
    await withTrial(open, async (trial) => {
      const all = Int32Array.from(trial.declare(fewSeries))
      const check = () => {
        const { writer } = trial.subject
        const count = writer.unflushedSamples(all, everything).series.length
        assert.equal(writer.unflushedSampleCount, count)
        assert.equal(writer.figures().unflushedSamples, count)
      }
      check()
      trial.append([plain(noonMs, 1), plain(noonMs, 1), plain(noonMs - dayMs, 2, fewSeries[1])])
      check()
      await trial.pass("reopen")
      check()
      trial.append([plain(noonMs, 1)])
      check()
      trial.subject.maintainFully(noonMs + dayMs)
      check()
      assert.equal(trial.subject.writer.unflushedSampleCount, 0)
    })
  })

  test("a sample that is both unflushed and flushed counts once", async () => {
    const story = fc.tuple(requestsArbitrary, requestsArbitrary, resolutionArbitrary)
    await fc.assert(
      fc.asyncProperty(story, ([before, after, resolution]) =>
        withTrial(open, (trial) => {
          trial.declare(fewSeries)
          trial.append(...before)
          trial.subject.writer.maintain({ nowMs: noonMs, budgetMs: 1, idle: true })
          trial.append(...after)
          const stale = openOf(trial)
          for (const nowMs of [noonMs, noonMs + hourMs, noonMs + 3 * dayMs]) {
            trial.subject.maintainFully(nowMs)
            trial.subject.reader.refresh()
            agreeWith(trial, stale, resolution)
          }
        }),
      ),
      property,
    )
  })

  test("unflushed samples of other series and times change no answer", async () => {
    await fc.assert(
      fc.asyncProperty(requestsArbitrary, spanArbitrary, (requests, span) =>
        withTrial(open, (trial) => {
          trial.declare(fewSeries)
          trial.append(...requests)
          const all = openOf(trial)
          trial.refresh()
          for (const resolution of resolutions) {
            const want = trial.model.samples(Int32Array.of(0), { span, resolution })[0]!
            const got = trial.subject.reader.samples(
              Int32Array.of(0),
              { span, resolution },
              all,
            )[0]!
            assertRecords(got, want, resolution)
          }
        }),
      ),
      property,
    )
  })

  test("unflushed samples are the caller's copy", async () => {
    await withTrial(open, (trial) => {
      trial.append([plain(noonMs, 1), plain(noonMs + 1, 2)])
      const { writer } = trial.subject
      const copy = writer.unflushedSamples(Int32Array.of(0), everything)
      copy.values.fill(99)
      copy.timesMs.fill(0)
      copy.series.fill(7)
      trial.agree()
    })
  })

  test("without unflushed samples a reader answers with what is flushed", async () => {
    await withTrial(open, async (trial) => {
      trial.append([plain(noonMs, 1), plain(noonMs + hourMs, 2, seriesName("host-2", "load"))])
      trial.subject.maintainFully(noonMs + 3 * dayMs)
      trial.subject.reader.refresh()
      const question = { span: everything, resolution: "ZERO" } as const
      for (const series of [0, 1]) {
        const want = trial.model.samples(Int32Array.of(series), question)[0]!
        assertRecords(
          trial.subject.reader.samples(Int32Array.of(series), question, null)[0]!,
          want,
          "ZERO",
        )
      }
    })
  })

  test("figures count series, elements and unflushed samples", async () => {
    await withTrial(open, (trial) => {
      trial.append(fewSeries.map((of, i) => plain(noonMs, i, of)))
      const figures = trial.subject.writer.figures()
      assert.equal(figures.seriesCount, 4)
      assert.equal(figures.elementCount, 3)
      assert.ok(figures.unflushedSamples <= 4)
      for (const bytes of [figures.memtableBytes, figures.storeBytes]) assert.ok(bytes >= 0)
    })
  })

  test("maintain() reports what is unflushed, and ends", async () => {
    await withTrial(open, (trial) => {
      const { writer } = trial.subject
      trial.append([plain(noonMs - dayMs, 1), plain(noonMs, 1)])
      const nowMs = noonMs + 3 * dayMs
      trial.subject.maintainFully(nowMs)
      const done = writer.maintain({ nowMs, budgetMs: 1_000, idle: true })
      const nothing = {
        hasUnflushedSeries: false,
        unflushedSamples: 0,
        flushed: 0,
        compacted: 0,
        dropped: 0,
      }
      assert.deepEqual(done, { moreDue: false, isFlushed: true, ...nothing })
    })
  })

  test("what a closing waits for is flushed, while others still come", () =>
    withTrial(open, (trial) => {
      trial.append([plain(noonMs, 1)])
      const { writer } = trial.subject
      const moment = { nowMs: noonMs + cycleMs, budgetMs: 1_000, idle: false }
      const flushUpToMs = noonMs + cycleMs
      const steps = 100
      for (let step = 0; !writer.maintain({ ...moment, flushUpToMs }).isFlushed; step++) {
        assert.ok(step < steps, "Expected an end while samples come")
        trial.append([plain(noonMs + step + 1, step)])
      }
      const cells = new CellColumns(partitionSeriesMax)
      const { reader } = trial.subject
      reader.refresh()
      assert.equal(
        reader.cycleCells(reader.catalogue.partitionOf(0), noonMs / cycleMs, cells),
        true,
      )
      assert.ok(cells.count[0]! >= 1)
    }))

  test("closing twice is closing once", async () => {
    const opened = await open({ retentionMs: retentionMsDefault })
    opened.writer.append({ columns: new SampleBatchBuilder() })
    await opened.reader.close()
    await opened.reader.close()
    await opened.writer.close()
    await opened.writer.close()
    await opened.close()
  })
}

function openOf(trial: Trial): UnflushedSamples {
  const all = Int32Array.from(trial.declare(fewSeries))
  return trial.subject.writer.unflushedSamples(all, unflushedSpan(everything))
}

/** As `Trial.agree`, with open samples that were taken earlier. */
function agreeWith(trial: Trial, stale: UnflushedSamples, resolution: Resolution): void {
  for (let series = 0; series < fewSeries.length; series++) {
    const question = { span: everything, resolution }
    const got = trial.subject.reader.samples(Int32Array.of(series), question, stale)[0]!
    assertRecords(
      got,
      trial.model.samples(Int32Array.of(series), question)[0]!,
      `stale ${resolution}`,
    )
  }
  const series = Int32Array.from(fewSeries.keys())
  const asked = { series, span: everything, resolution, withValues: true, exact: false }
  const valuesOf = (answers: { series: number; values?: Float64Array }[]) =>
    answers.map((answer) => [answer.series, ...answer.values!])
  const got = trial.subject.reader.statistics(asked, stale)
  assert.deepEqual(valuesOf(got), valuesOf(trial.model.statistics(asked)))
}

/** Values of the raw samples at an instant; one without observations has its mean. */
function rawValues(trial: Trial, series: number, timeMs: number): number[] {
  const span = { startMs: timeMs, endMs: timeMs + 1 }
  return trial.model
    .samples(Int32Array.of(series), { span, resolution: "ZERO" })[0]!
    .map(({ fields }) => sampleMean(...maskAndFields(fields)))
}

function maskAndFields(sent: SampleRecord["fields"]): [number, number[]] {
  const fields = sampleFields.map((field) => sent[field] ?? 0)
  const mask = sampleFields.reduce((bits, field, f) => bits | (field in sent ? 1 << f : 0), 0)
  return [mask, fields]
}

function assertColumns(got: UnflushedSamples): void {
  const count = got.series.length
  assert.deepEqual(
    [got.timesMs, got.values, got.requests, got.aggregates].map((column) => column.length),
    [count, count, count, count],
  )
  const used = [...got.aggregates].filter((entry) => entry >= 0)
  assert.equal(got.aggregateFields.length, 6 * got.aggregateMasks.length)
  for (const entry of used) assert.ok(entry < got.aggregateMasks.length)
}
