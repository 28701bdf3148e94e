/**
 * Batch record: the samples of one group commit as one run of bytes; the content of a WAL record,
 * and of the memtable until it is flushed. store/format/wal.md draws it. The columns of a record
 * are views on its bytes.
 */

import { assert } from "../../../base/assert.ts"
import { checksum } from "../../../base/checksum.ts"
import { fieldCount, type SampleBatch } from "../../../model/sample-batch.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"

const magic = 0x31464754 // "TGF1"
const headerBytes = 32

export interface BatchRecord extends SampleBatch {
  readonly bytes: Uint8Array
  /** Sequence number under which it was written; 0 in stores before format 4. */
  readonly sequence: number
}

type BatchCounts = Pick<
  BatchRecord,
  "sequence" | "count" | "runCount" | "requestCount" | "aggregateCount"
>

/** Copies `columns` into a batch record of its own, to be written under `sequence`. */
export function columnsToBatchRecord(columns: SampleBatch, sequence: number): BatchRecord {
  const { count, runCount, requestCount, aggregateCount } = columns
  assert(sequence > 0 && Number.isSafeInteger(sequence), "Expected a sequence number")
  assert(runCount <= count && aggregateCount <= count, "Expected a sample in each run")
  assert(count === 0 || columns.runStarts[0] === 0, "Expected the first run at the first sample")
  const head = { sequence, count, runCount, requestCount, aggregateCount }
  const batch = viewBatchRecord(new Uint8Array(batchRecordBytes(head)), head)
  batch.values.set(columns.values.subarray(0, count))
  batch.runTimesMs.set(columns.runTimesMs.subarray(0, runCount))
  batch.aggregateFields.set(columns.aggregateFields.subarray(0, aggregateCount * fieldCount))
  batch.series.set(columns.series.subarray(0, count))
  batch.runStarts.set(columns.runStarts.subarray(0, runCount))
  batch.runRequests.set(columns.runRequests.subarray(0, runCount))
  batch.aggregateSamples.set(columns.aggregateSamples.subarray(0, aggregateCount))
  batch.aggregateMasks.set(columns.aggregateMasks.subarray(0, aggregateCount))
  writeHeader(batch)
  return batch
}

/** Decodes a batch record from bytes that may be volatile or unaligned. Throws CorruptError. */
export function bytesToBatchRecord(bytes: Uint8Array): BatchRecord {
  if (bytes.length < headerBytes) throw new CorruptError(`batch record of ${bytes.length} bytes`)
  const copy = new Uint8Array(bytes.length)
  copy.set(bytes)
  const head = new DataView(copy.buffer)
  if (head.getUint32(0, true) !== magic)
    throw new CorruptError("batch record without its magic number")
  if (head.getUint32(4, true) !== checksum(copy.subarray(8))) {
    throw new CorruptError("batch record whose checksum differs")
  }
  const counts = {
    sequence: head.getUint32(28, true) * 2 ** 32 + head.getUint32(24, true),
    count: head.getUint32(8, true),
    runCount: head.getUint32(12, true),
    requestCount: head.getUint32(16, true),
    aggregateCount: head.getUint32(20, true),
  }
  if (batchRecordBytes(counts) !== bytes.length) {
    throw new CorruptError(
      `batch record of ${bytes.length} bytes, although its counts need another length`,
    )
  }
  return viewBatchRecord(copy, counts)
}

function batchRecordBytes(counts: BatchCounts): number {
  const wide = counts.count + counts.runCount + counts.aggregateCount * fieldCount
  const narrow = counts.count + 2 * counts.runCount + counts.aggregateCount
  return headerBytes + 8 * wide + 4 * narrow + counts.aggregateCount
}

function viewBatchRecord(bytes: Uint8Array, counts: BatchCounts): BatchRecord {
  const { count, runCount, aggregateCount } = counts
  const { buffer } = bytes
  assert(
    bytes.byteOffset === 0,
    "Expected a batch record to own its buffer, so that columns are aligned",
  )
  let at = headerBytes
  const wide = (length: number) => new Float64Array(buffer, (at += 8 * length) - 8 * length, length)
  const narrow = (length: number) => new Int32Array(buffer, (at += 4 * length) - 4 * length, length)
  return {
    bytes,
    sequence: counts.sequence,
    count,
    runCount,
    requestCount: counts.requestCount,
    aggregateCount,
    values: wide(count),
    runTimesMs: wide(runCount),
    aggregateFields: wide(aggregateCount * fieldCount),
    series: narrow(count),
    runStarts: narrow(runCount),
    runRequests: narrow(runCount),
    aggregateSamples: narrow(aggregateCount),
    aggregateMasks: bytes.subarray(at, at + aggregateCount),
  }
}

function writeHeader(batch: BatchRecord): void {
  const head = new DataView(batch.bytes.buffer)
  head.setUint32(0, magic, true)
  head.setUint32(8, batch.count, true)
  head.setUint32(12, batch.runCount, true)
  head.setUint32(16, batch.requestCount, true)
  head.setUint32(20, batch.aggregateCount, true)
  head.setUint32(24, batch.sequence % 2 ** 32, true)
  head.setUint32(28, Math.floor(batch.sequence / 2 ** 32), true)
  head.setUint32(4, checksum(batch.bytes.subarray(8)), true)
}
