/** Removes samples of lost series from a batch. */

import { SampleBatchBuilder } from "../../../model/sample-batch.ts"
import { columnsToBatchRecord, type BatchRecord } from "../encoding/batch-record.ts"
import { findAggregate } from "./memtable.ts"

/** Returns the batch itself if nothing is lost, a copy with the same sequence number otherwise. */
export function withoutUnknownSeries(
  batch: BatchRecord,
  sequence: number,
  isKnown: (series: number) => boolean,
): BatchRecord {
  if (batch.series.every(isKnown)) return batch
  return columnsToBatchRecord(knownSamples(batch, isKnown), sequence)
}

function knownSamples(
  batch: BatchRecord,
  isKnown: (series: number) => boolean,
): SampleBatchBuilder {
  const columns = new SampleBatchBuilder()
  let request = -1
  for (let run = 0; run < batch.runCount; run++) {
    for (; request < batch.runRequests[run]!; request++) columns.startRequest()
    const end = run + 1 < batch.runCount ? batch.runStarts[run + 1]! : batch.count
    for (let at = batch.runStarts[run]!; at < end; at++) {
      const series = batch.series[at]!
      if (!isKnown(series)) continue
      const entry = batch.aggregateCount > 0 ? findAggregate(batch, at) : -1
      const timeMs = batch.runTimesMs[run]!
      const value = batch.values[at]!
      if (entry < 0) columns.push(series, timeMs, value)
      else {
        const fields = batch.aggregateFields.slice(entry * 6, entry * 6 + 6)
        columns.pushAggregate(series, timeMs, value, batch.aggregateMasks[entry]!, fields)
      }
    }
  }
  return columns
}
