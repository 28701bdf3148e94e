/** Laws of the embedded append: the columns of a group are read during the call only. */

import { test } from "node:test"
import fc from "fast-check"
import { SampleBatchBuilder } from "../../src/model/sample-batch.ts"
import { append, columnsOf } from "../support/ingest/samples.ts"
import type { SampleRequest } from "../support/ingest/samples.ts"
import { fewSeries, requestArbitrary } from "./store-arbitraries.ts"
import { withHalves } from "./store-harness.ts"
import type { EmbeddedContract, EmbeddedTrial } from "./store-harness.ts"

export function appendContract({ open, runs }: EmbeddedContract): void {
  const property = { numRuns: Math.max(3, runs >> 2) }

  test("the columns of an append are the caller's again when it returns", async () => {
    await fc.assert(
      fc.asyncProperty(requestArbitrary, requestArbitrary, (first, second) =>
        withHalves(open, async ({ trial, halves }) => {
          const { writer } = halves()
          const columns = new SampleBatchBuilder()
          for (const request of [first, second]) {
            columns.clear()
            writer.append({ columns: columnsOf(writer.catalogue, [request], columns) })
            append(trial.model, request)
          }
          columns.values.fill(-1)
          columns.series.fill(0)
          columns.aggregateFields.fill(-1)
          await trial.agree()
        }),
      ),
      property,
    )
  })

  test("a request that was rolled back leaves no trace", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(requestArbitrary, fc.boolean()), { maxLength: 6 }),
        (drawn) => withHalves(open, (embedded) => appendWithRefusals(embedded, drawn)),
      ),
      property,
    )
  })
}

async function appendWithRefusals(
  { trial, halves }: EmbeddedTrial,
  drawn: readonly (readonly [SampleRequest, boolean])[],
): Promise<void> {
  const { writer } = halves()
  await trial.declare(fewSeries)
  const columns = new SampleBatchBuilder()
  for (const [request, refused] of drawn) {
    const mark = columnsMark(columns)
    columnsOf(writer.catalogue, [request], columns)
    if (refused) columns.rollback(mark)
    else append(trial.model, request)
  }
  writer.append({ columns })
  await trial.agree()
}

function columnsMark({ count, runCount, requestCount, aggregateCount }: SampleBatchBuilder) {
  return { isShared: false, count, runCount, requestCount, aggregateCount }
}
