/** Laws of appending: what is stored is the union of the requests' bags (spec/samples §1). */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { SampleBatchBuilder } from "../../src/model/sample-batch.ts"
import { aggregated, append, columnsOf, cpu, noonMs, plain, shuffled } from "../support/samples.ts"
import type { Sample, SampleRequest } from "../support/samples.ts"
import { fewSeries, requestArbitrary, requestsArbitrary } from "./store-arbitraries.ts"
import { askSamples, everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

const stageArbitrary = fc.constantFrom(...stages)
const seedArbitrary = fc.integer()

export function bagContract({ open, runs }: Contract): void {
  const property = { numRuns: Math.max(10, runs >> 2) }

  for (const stage of stages) {
    test(`what was appended is in the next answer, after ${stage} in between`, async () => {
      await withTrial(open, async (trial) => {
        trial.append([plain(noonMs - 90_000, 1), plain(noonMs - 60_000, 2)], [plain(noonMs, 3)])
        await trial.pass(stage)
        trial.agree()
        trial.append([plain(noonMs - 60_000, 5)])
        trial.agree()
      })
    })
  }

  test("any requests, at any stage, answer as the model does", async () => {
    const story = fc.array(fc.tuple(requestsArbitrary, stageArbitrary), {
      minLength: 1,
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(story, (chapters) =>
        withTrial(open, async (trial) => {
          for (const [requests, stage] of chapters) {
            trial.append(...requests)
            await trial.pass(stage)
          }
          trial.agree()
        }),
      ),
      property,
    )
  })

  test("a re-delivery changes nothing, in whatever pieces and at whatever stage", async () => {
    await fc.assert(
      fc.asyncProperty(requestsArbitrary, stageArbitrary, seedArbitrary, (requests, stage, seed) =>
        withTrial(open, async (trial) => {
          trial.append(...requests)
          await trial.pass(stage)
          for (const again of shuffled(requests, seed)) {
            trial.appendToSubject(shuffled(again, seed), again.slice(again.length >> 1))
            await trial.pass(stage)
          }
          trial.agree()
        }),
      ),
      property,
    )
  })

  test("the order of requests and their grouping do not matter", async () => {
    await fc.assert(
      fc.asyncProperty(requestsArbitrary, seedArbitrary, stageArbitrary, (requests, seed, stage) =>
        withTrial(open, async (trial) => {
          trial.declare(fewSeries)
          append(trial.model, ...requests)
          const order = shuffled(requests, seed)
          while (order.length > 0) {
            trial.appendToSubject(...order.splice(0, 1 + (Math.abs(seed) % 3)))
            await trial.pass(stage)
          }
          trial.agree()
        }),
      ),
      property,
    )
  })

  test("duplicates within one request count, duplicates between requests do not", async () => {
    for (const stage of stages) await withTrial(open, (trial) => countDuplicates(trial, stage))
  })

  test("two requests of one group are two requests", async () => {
    await withTrial(open, (trial) => {
      const sample = plain(noonMs, 7)
      trial.append([sample], [sample, sample], [sample])
      assert.equal(rawCount(trial), 2)
      trial.agree()
    })
  })

  test("samples of one time differ by value, by form and by every field", async () => {
    const twins: Sample[] = [
      plain(noonMs, 7),
      plain(noonMs, 7.000000000000001),
      plain(noonMs, 0),
      plain(noonMs, -0),
      aggregated(noonMs, { avg: 7 }),
      aggregated(noonMs, { val: 7, cnt: 1 }),
      aggregated(noonMs, { val: 7, cnt: 2 }),
      aggregated(noonMs, { val: 7, min: 7, max: 7 }),
      aggregated(noonMs, { val: 7, min: 6, max: 7 }),
    ]
    for (const stage of stages) {
      await withTrial(open, async (trial) => {
        for (const twin of twins) {
          trial.append([twin])
          await trial.pass(stage)
        }
        trial.append(twins)
        assert.equal(rawCount(trial), twins.length)
        trial.agree()
      })
    }
  })

  test("the columns of an append are the caller's again when it returns", async () => {
    await fc.assert(
      fc.asyncProperty(requestArbitrary, requestArbitrary, (first, second) =>
        withTrial(open, (trial) => {
          const { writer } = trial.subject
          const columns = new SampleBatchBuilder()
          for (const request of [first, second]) {
            columns.clear()
            writer.append({ columns: columnsOf(writer.catalogue, [request], columns) })
            append(trial.model, request)
          }
          columns.values.fill(-1)
          columns.series.fill(0)
          columns.aggregateFields.fill(-1)
          trial.agree()
        }),
      ),
      property,
    )
  })

  test("a request that was rolled back leaves no trace", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(requestArbitrary, fc.boolean()), { maxLength: 6 }),
        (drawn) => withTrial(open, (trial) => appendWithRefusals(trial, drawn)),
      ),
      property,
    )
  })

  test("an append without samples is an append", async () => {
    await withTrial(open, (trial) => {
      trial.append()
      trial.append([], [])
      trial.append([], [plain(noonMs, 1)], [])
      assert.equal(rawCount(trial), 1)
      trial.agree()
    })
  })
}

async function countDuplicates(trial: Trial, stage: (typeof stages)[number]): Promise<void> {
  const copies = (count: number) => Array.from({ length: count }, () => plain(noonMs - 1, 42))
  const f = async (sent: number, counted: number) => {
    trial.append(copies(sent))
    await trial.pass(stage)
    assert.equal(rawCount(trial), counted)
    trial.agree()
  }
  await f(3, 3)
  await f(1, 3)
  await f(2, 3)
  await f(5, 5)
  await f(3, 5)
}

function appendWithRefusals(
  trial: Trial,
  drawn: readonly (readonly [SampleRequest, boolean])[],
): void {
  const { writer } = trial.subject
  trial.declare(fewSeries)
  const columns = new SampleBatchBuilder()
  for (const [request, refused] of drawn) {
    const mark = columnsMark(columns)
    columnsOf(writer.catalogue, [request], columns)
    if (refused) columns.rollback(mark)
    else append(trial.model, request)
  }
  writer.append({ columns })
  trial.agree()
}

function columnsMark({ count, runCount, requestCount, aggregateCount }: SampleBatchBuilder) {
  return { count, runCount, requestCount, aggregateCount }
}

function rawCount(trial: Trial): number {
  const series = trial.declare([cpu])[0]!
  const question = { resolution: "ZERO", span: everything } as const
  return askSamples(trial.subject, series, question).length
}
