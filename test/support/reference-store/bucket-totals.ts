/** Totals of buckets from their values, for stores of tests. */

import type { BucketValuesRequest, TotalsConsumer } from "../../../src/store/query-store.ts"
import type { SyncQuerySource } from "../../../src/store/query-store.ts"
import type { UnflushedSamples } from "../../../src/store/append-store.ts"

export function totalsOfValues(
  store: Pick<SyncQuerySource, "bucketValues">,
  request: Omit<BucketValuesRequest, "field">,
  open: UnflushedSamples | null,
  take: TotalsConsumer,
): void {
  store.bucketValues({ ...request, field: "actual" }, open, (series, _, values) => {
    const sum = values.reduce((total, value) => total + value, 0)
    const ends = { min: Math.min(...values), max: Math.max(...values) }
    const [first, last] = [values[0]!, values.at(-1)!]
    take(series, { count: values.length, sum, ...ends, first, last })
  })
}
