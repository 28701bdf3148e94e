/** Removes samples of lost series from a batch. */

import { SampleColumns } from "../../../model/sample-columns.ts"
import { columnsToBatchRecord, type BatchRecord } from "../encoding/batch-record.ts"
import { findAggregate } from "./memtable.ts"

/** Returns the batch itself if nothing is lost, a copy with the same sequence number otherwise. */
export function withoutUnknownSeries(
  frame: BatchRecord,
  sequence: number,
  isKnown: (series: number) => boolean,
): BatchRecord {
  if (frame.series.every(isKnown)) return frame
  return columnsToBatchRecord(knownSamples(frame, isKnown), sequence)
}

function knownSamples(frame: BatchRecord, isKnown: (series: number) => boolean): SampleColumns {
  const columns = new SampleColumns()
  let request = -1
  for (let run = 0; run < frame.runCount; run++) {
    for (; request < frame.runRequest[run]!; request++) columns.startRequest()
    const end = run + 1 < frame.runCount ? frame.runStart[run + 1]! : frame.count
    for (let at = frame.runStart[run]!; at < end; at++) {
      const series = frame.series[at]!
      if (!isKnown(series)) continue
      const entry = frame.aggregateCount > 0 ? findAggregate(frame, at) : -1
      const timeMs = frame.runTimeMs[run]!
      const value = frame.values[at]!
      if (entry < 0) columns.push(series, timeMs, value)
      else {
        const fields = frame.aggregateFields.slice(entry * 6, entry * 6 + 6)
        columns.pushAggregate(series, timeMs, value, frame.aggregateMask[entry]!, fields)
      }
    }
  }
  return columns
}
