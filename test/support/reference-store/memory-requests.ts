/** Appended columns as the requests that they hold. */

import { fieldCount, runEnd, type SampleBatch } from "../../../src/model/sample-batch.ts"
import type { RawSample } from "./memory-series.ts"

/** The samples of each request of the columns, by series. */
export function requestsOf(columns: SampleBatch): Map<number, RawSample[]>[] {
  const requests = Array.from(
    { length: columns.requestCount },
    () => new Map<number, RawSample[]>(),
  )
  let aggregate = 0
  for (let run = 0; run < columns.runCount; run++) {
    const end = runEnd(columns, run)
    const request = requests[columns.runRequests[run]!]!
    for (let at = columns.runStarts[run]!; at < end; at++) {
      const isAggregated =
        aggregate < columns.aggregateCount && columns.aggregateSamples[aggregate] === at
      const sent = isAggregated ? aggregateAt(columns, aggregate++) : { mask: 0, fields: [] }
      const sample = { timeMs: columns.runTimesMs[run]!, value: columns.values[at]!, ...sent }
      const series = columns.series[at]!
      const samples = request.get(series)
      if (samples === undefined) request.set(series, [sample])
      else samples.push(sample)
    }
  }
  return requests
}

function aggregateAt(columns: SampleBatch, at: number): Pick<RawSample, "mask" | "fields"> {
  const fields = columns.aggregateFields.subarray(at * fieldCount, (at + 1) * fieldCount)
  return { mask: columns.aggregateMasks[at]!, fields: [...fields] }
}
