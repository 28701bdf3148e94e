/** Removes samples of lost series from a batch. */

import { runEnd, SampleBatchBuilder } from "../../../model/sample-batch.ts"
import { columnsToBatchRecord, type BatchRecord } from "../encoding/batch-record.ts"
import type { SeriesIndex } from "../../../model/ids.ts"

/** Returns the batch itself if nothing is lost, a copy with the same sequence number otherwise. */
export function withoutUnknownSeries(
  batch: BatchRecord,
  sequence: number,
  isKnown: (series: SeriesIndex) => boolean,
): BatchRecord {
  if (batch.series.every(isKnown)) return batch
  return columnsToBatchRecord(knownSamples(batch, isKnown), sequence)
}

function knownSamples(
  batch: BatchRecord,
  isKnown: (series: SeriesIndex) => boolean,
): SampleBatchBuilder {
  const columns = new SampleBatchBuilder()
  let request = -1
  for (let run = 0; run < batch.runCount; run++) {
    for (; request < batch.runRequests[run]!; request++) columns.startRequest()
    const end = runEnd(batch, run)
    for (let at = batch.runStarts[run]!; at < end; at++) {
      if (isKnown(batch.series[at]!)) columns.pushFrom(batch, at, batch.runTimesMs[run]!)
    }
  }
  return columns
}
