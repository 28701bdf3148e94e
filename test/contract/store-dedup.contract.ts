/** Laws of appending: what is stored is the multiset union of the requests (spec/samples §1). */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { aggregated, append, cpu, noonMs, plain, shuffled } from "../support/ingest/samples.ts"
import type { Sample } from "../support/ingest/samples.ts"
import { fewSeries, requestsArbitrary } from "./store-arbitraries.ts"
import { everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

const stageArbitrary = fc.constantFrom(...stages)
const seedArbitrary = fc.integer()

export function dedupContract({ open, runs }: Contract): void {
  const property = { numRuns: Math.max(3, runs >> 2) }

  for (const stage of stages) {
    test(`what was appended is in the next answer, after ${stage} in between`, async () => {
      await withTrial(open, async (trial) => {
        await trial.append(
          [plain(noonMs - 90_000, 1), plain(noonMs - 60_000, 2)],
          [plain(noonMs, 3)],
        )
        await trial.pass(stage)
        await trial.agree()
        await trial.append([plain(noonMs - 60_000, 5)])
        await trial.agree()
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
            await trial.append(...requests)
            await trial.pass(stage)
          }
          await trial.agree()
        }),
      ),
      property,
    )
  })

  test("a re-delivery changes nothing, in whatever pieces and at whatever stage", async () => {
    await fc.assert(
      fc.asyncProperty(requestsArbitrary, stageArbitrary, seedArbitrary, (requests, stage, seed) =>
        withTrial(open, async (trial) => {
          await trial.append(...requests)
          await trial.pass(stage)
          for (const again of shuffled(requests, seed)) {
            await trial.appendToSubject(shuffled(again, seed), again.slice(again.length >> 1))
            await trial.pass(stage)
          }
          await trial.agree()
        }),
      ),
      property,
    )
  })

  test("the order of requests and their grouping do not matter", async () => {
    await fc.assert(
      fc.asyncProperty(requestsArbitrary, seedArbitrary, stageArbitrary, (requests, seed, stage) =>
        withTrial(open, async (trial) => {
          await trial.declare(fewSeries)
          append(trial.model, ...requests)
          const order = shuffled(requests, seed)
          while (order.length > 0) {
            await trial.appendToSubject(...order.splice(0, 1 + (Math.abs(seed) % 3)))
            await trial.pass(stage)
          }
          await trial.agree()
        }),
      ),
      property,
    )
  })

  test("duplicates within one request count, duplicates between requests do not", async () => {
    for (const stage of stages) await withTrial(open, (trial) => countDuplicates(trial, stage))
  })

  test("two requests of one group are two requests", async () => {
    await withTrial(open, async (trial) => {
      const sample = plain(noonMs, 7)
      await trial.append([sample], [sample, sample], [sample])
      assert.equal(await rawCount(trial), 2)
      await trial.agree()
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
          await trial.append([twin])
          await trial.pass(stage)
        }
        await trial.append(twins)
        assert.equal(await rawCount(trial), twins.length)
        await trial.agree()
      })
    }
  })

  test("an append without samples is an append", async () => {
    await withTrial(open, async (trial) => {
      await trial.append()
      await trial.append([], [])
      await trial.append([], [plain(noonMs, 1)], [])
      assert.equal(await rawCount(trial), 1)
      await trial.agree()
    })
  })
}

async function countDuplicates(trial: Trial, stage: (typeof stages)[number]): Promise<void> {
  const copies = (count: number) => Array.from({ length: count }, () => plain(noonMs - 1, 42))
  const f = async (sent: number, counted: number) => {
    await trial.append(copies(sent))
    await trial.pass(stage)
    assert.equal(await rawCount(trial), counted)
    await trial.agree()
  }
  await f(3, 3)
  await f(1, 3)
  await f(2, 3)
  await f(5, 5)
  await f(3, 5)
}

async function rawCount(trial: Trial): Promise<number> {
  const series = (await trial.declare([cpu]))[0]!
  const request = { resolution: "ZERO", span: everything } as const
  return (await trial.samples(series, request)).length
}
