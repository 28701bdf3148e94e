/** Laws of unflushed samples: the writer hands them out, readers merge them, twice is once. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { partitionSeriesMax } from "../../src/base/limits.ts"
import { cycleMs, dayMs, hourMs, resolutions } from "../../src/model/resolution.ts"
import type { Resolution } from "../../src/model/resolution.ts"
import {
  fieldCount,
  runOf,
  SampleBatchBuilder,
  sampleFields,
} from "../../src/model/sample-batch.ts"
import { CellColumns } from "../../src/rollup/cell.ts"
import { sampleMean } from "../../src/rollup/contribution.ts"
import { retentionMsDefault } from "../support/reference-store/memory-retention.ts"
import type { UnflushedSamples } from "../../src/store/append-store.ts"
import type { SampleRecord } from "../../src/store/query-store.ts"
import { noonMs, plain, seriesName } from "../support/ingest/samples.ts"
import {
  fewSeries,
  requestsArbitrary,
  resolutionArbitrary,
  spanArbitrary,
} from "./store-arbitraries.ts"
import { refresh, unflushedSpan } from "./store-driver.ts"
import { assertRecords, everything, stages, withHalves } from "./store-harness.ts"
import type { EmbeddedContract, EmbeddedTrial, Trial } from "./store-harness.ts"

const stageArbitrary = fc.constantFrom(...stages)

export function unflushedContract({ open, runs }: EmbeddedContract): void {
  const property = { numRuns: Math.max(3, runs >> 2) }

  test("unflushed samples are appended samples of the requested series and span", async () => {
    await fc.assert(
      fc.asyncProperty(requestsArbitrary, spanArbitrary, stageArbitrary, (requests, span, stage) =>
        withHalves(open, async ({ trial, halves }) => {
          const [first, second] = await trial.declare(fewSeries)
          await trial.append(...requests)
          await trial.pass(stage)
          await trial.append(...requests.slice(0, 2))
          const asked = Int32Array.of(second!, first!)
          const got = halves().writer.unflushedSamples(asked, span)
          for (const [i, series] of got.series.subarray(0, got.count).entries()) {
            assert.ok(asked.includes(series), `Expected a series that was asked, got ${series}`)
            const timeMs = got.runTimesMs[runOf(got, i)]!
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
    await withHalves(open, async ({ trial, halves }) => {
      const all = Int32Array.from(await trial.declare(fewSeries))
      const check = () => {
        const { writer } = halves()
        const count = writer.unflushedSamples(all, everything).series.length
        assert.equal(writer.unflushedSampleCount, count)
        assert.equal(writer.figures().unflushedSamples, count)
      }
      check()
      await trial.append([
        plain(noonMs, 1),
        plain(noonMs, 1),
        plain(noonMs - dayMs, 2, fewSeries[1]),
      ])
      check()
      await trial.pass("reopen")
      check()
      await trial.append([plain(noonMs, 1)])
      check()
      halves().maintainFully(noonMs + dayMs)
      check()
      assert.equal(halves().writer.unflushedSampleCount, 0)
    })
  })

  test("a sample that is both unflushed and flushed counts once", async () => {
    const story = fc.tuple(requestsArbitrary, requestsArbitrary, resolutionArbitrary)
    await fc.assert(
      fc.asyncProperty(story, ([before, after, resolution]) =>
        withHalves(open, async ({ trial, halves }) => {
          await trial.declare(fewSeries)
          await trial.append(...before)
          halves().writer.maintain({ nowMs: noonMs, budgetMs: 1, idle: true })
          await trial.append(...after)
          const stale = await openOf({ trial, halves })
          for (const nowMs of [noonMs, noonMs + hourMs, noonMs + 3 * dayMs]) {
            halves().maintainFully(nowMs)
            halves().reader.refresh()
            agreeWith({ trial, halves }, stale, resolution)
          }
        }),
      ),
      property,
    )
  })

  test("unflushed samples of other series and times change no answer", async () => {
    await fc.assert(
      fc.asyncProperty(requestsArbitrary, spanArbitrary, (requests, span) =>
        withHalves(open, async ({ trial, halves }) => {
          await trial.declare(fewSeries)
          await trial.append(...requests)
          const all = await openOf({ trial, halves })
          refresh(halves())
          for (const resolution of resolutions) {
            const want = trial.model.samples(Int32Array.of(0), { span, resolution })[0]!
            const got = halves().reader.samples(Int32Array.of(0), { span, resolution }, all)[0]!
            assertRecords(got, want, resolution)
          }
        }),
      ),
      property,
    )
  })

  test("unflushed samples are the caller's copy", async () => {
    await withHalves(open, async ({ trial, halves }) => {
      await trial.append([plain(noonMs, 1), plain(noonMs + 1, 2)])
      const { writer } = halves()
      const copy = writer.unflushedSamples(Int32Array.of(0), everything)
      copy.values.fill(99)
      copy.runTimesMs.fill(0)
      copy.series.fill(7)
      await trial.agree()
    })
  })

  test("without unflushed samples a reader answers with what is flushed", async () => {
    await withHalves(open, async ({ trial, halves }) => {
      await trial.append([
        plain(noonMs, 1),
        plain(noonMs + hourMs, 2, seriesName("host-2", "load")),
      ])
      halves().maintainFully(noonMs + 3 * dayMs)
      halves().reader.refresh()
      const request = { span: everything, resolution: "ZERO" } as const
      for (const series of [0, 1]) {
        const want = trial.model.samples(Int32Array.of(series), request)[0]!
        assertRecords(
          halves().reader.samples(Int32Array.of(series), request, null)[0]!,
          want,
          "ZERO",
        )
      }
    })
  })

  test("figures count series, elements and unflushed samples", async () => {
    await withHalves(open, async ({ trial, halves }) => {
      await trial.append(fewSeries.map((of, i) => plain(noonMs, i, of)))
      const figures = halves().writer.figures()
      assert.equal(figures.seriesCount, 4)
      assert.equal(figures.elementCount, 3)
      assert.ok(figures.unflushedSamples <= 4)
      for (const bytes of [figures.memtableBytes, figures.storeBytes]) assert.ok(bytes >= 0)
    })
  })

  test("maintain() reports what is unflushed, and ends", async () => {
    await withHalves(open, async ({ trial, halves }) => {
      const { writer } = halves()
      await trial.append([plain(noonMs - dayMs, 1), plain(noonMs, 1)])
      const nowMs = noonMs + 3 * dayMs
      halves().maintainFully(nowMs)
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
    withHalves(open, async ({ trial, halves }) => {
      await trial.append([plain(noonMs, 1)])
      const { writer } = halves()
      const moment = { nowMs: noonMs + cycleMs, budgetMs: 1_000, idle: false }
      const flushUpToMs = noonMs + cycleMs
      const steps = 100
      for (let step = 0; !writer.maintain({ ...moment, flushUpToMs }).isFlushed; step++) {
        assert.ok(step < steps, "Expected an end while samples come")
        await trial.append([plain(noonMs + step + 1, step)])
      }
      const cells = new CellColumns(partitionSeriesMax)
      const { reader } = halves()
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

async function openOf({ trial, halves }: EmbeddedTrial): Promise<UnflushedSamples> {
  const all = Int32Array.from(await trial.declare(fewSeries))
  return halves().writer.unflushedSamples(all, unflushedSpan(everything))
}

/** As `Trial.agree`, with open samples that were taken earlier. */
function agreeWith(
  { trial, halves }: EmbeddedTrial,
  stale: UnflushedSamples,
  resolution: Resolution,
): void {
  for (let series = 0; series < fewSeries.length; series++) {
    const request = { span: everything, resolution }
    const got = halves().reader.samples(Int32Array.of(series), request, stale)[0]!
    assertRecords(
      got,
      trial.model.samples(Int32Array.of(series), request)[0]!,
      `stale ${resolution}`,
    )
  }
  const series = Int32Array.from(fewSeries.keys())
  const asked = { series, span: everything, resolution, withValues: true, exact: false }
  const valuesOf = (answers: { series: number; values?: Float64Array }[]) =>
    answers.map((answer) => [answer.series, ...answer.values!])
  const got = halves().reader.statistics(asked, stale)
  assert.deepEqual(valuesOf(got), valuesOf(trial.model.statistics(asked)))
}

/** Values of the raw samples at an instant; one without observations has its mean. */
function rawValues({ model }: Trial, series: number, timeMs: number): number[] {
  const span = { startMs: timeMs, endMs: timeMs + 1 }
  return model
    .samples(Int32Array.of(series), { span, resolution: "ZERO" })[0]!
    .map(({ fields }) => sampleMean(...maskAndFields(fields)))
}

function maskAndFields(sent: SampleRecord["fields"]): [number, number[]] {
  const fields = sampleFields.map((field) => sent[field] ?? 0)
  const mask = sampleFields.reduce((bits, field, f) => bits | (field in sent ? 1 << f : 0), 0)
  return [mask, fields]
}

function assertColumns(got: UnflushedSamples): void {
  const { count, runCount, requestCount, aggregateCount } = got
  assert.deepEqual([got.series.length, got.values.length], [count, count])
  const runs = [got.runStarts, got.runTimesMs, got.runRequests]
  assert.deepEqual(
    runs.map((column) => column.length),
    [runCount, runCount, runCount],
  )
  for (const request of got.runRequests) assert.ok(request < requestCount)
  assert.ok(count === 0 || got.runStarts[0] === 0)
  for (const sample of got.aggregateSamples) assert.ok(sample < count)
  assert.equal(got.aggregateMasks.length, aggregateCount)
  assert.equal(got.aggregateFields.length, fieldCount * aggregateCount)
}
