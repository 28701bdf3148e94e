/**
 * Segment: the layout of a WAL file. store/format/wal.md draws it.
 *
 *   header │ batch │ series record │ padding ── header │ … ── 8 zero bytes
 */

import { assert } from "../../../base/assert.ts"
import { checksum } from "../../../base/checksum.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { bytesToBatchRecord, type BatchRecord } from "../encoding/batch-record.ts"
import type { PendingBatch } from "./memtable.ts"
import { checkSeriesRecord } from "./series-record.ts"

const magic = 0x314a4754 // "TGJ1"
/**
 * magic u32, checksum of the rest u32, sequence u64, lengths of batch and series record u32 each.
 */
export const headerBytes = 24
/** Records begin at multiples of this, so that the next one is found after a damaged one. */
export const alignment = 8
/**
 * Zeros after the newest record, in place of a header: they distinguish a clean end from a torn
 * record and hide the remains of an earlier use.
 */
export const endBytes = 8

export const zeros = new Uint8Array(alignment + endBytes)

export interface WalRecord {
  readonly sequence: number
  readonly batch: BatchRecord
  /** The series record as a view of the segment's bytes; null if the record has none. */
  readonly series: Uint8Array | null
}

/** Bytes in the file of a record whose batch and series record have this length together. */
export function paddedBytes(contentBytes: number): number {
  return Math.ceil((headerBytes + contentBytes) / alignment) * alignment
}

interface RecordHeader {
  readonly sequence: number
  readonly batchBytes: number
  readonly seriesBytes: number
}

/** Writes a header to a buffer of `headerBytes`. */
export function writeHeader(
  into: Buffer,
  { sequence, batchBytes, seriesBytes }: RecordHeader,
): void {
  assert(into.length === headerBytes, "Expected room for one header")
  assert(sequence > 0 && Number.isSafeInteger(sequence), "Expected a sequence number")
  into.writeUInt32LE(magic, 0)
  into.writeUInt32LE(sequence % 2 ** 32, 8)
  into.writeUInt32LE(Math.floor(sequence / 2 ** 32), 12)
  into.writeUInt32LE(batchBytes, 16)
  into.writeUInt32LE(seriesBytes, 20)
  into.writeUInt32LE(checksum(into.subarray(8)), 4)
}

/** Yields the bytes of a segment of exactly these batches and 8 zero bytes, in pieces. */
export function* segmentPieces(batches: readonly PendingBatch[]): Generator<Uint8Array> {
  let last = 0
  for (const { sequence, batch } of batches) {
    assert(sequence > last, "Expected numbers to grow within a segment")
    // Batches from before format 4 do not hold their number.
    assert(batch.sequence === 0 || batch.sequence === sequence, "Expected the batch's own number")
    last = sequence
    const header = Buffer.alloc(headerBytes)
    const batchBytes = batch.bytes.length
    writeHeader(header, { sequence, batchBytes, seriesBytes: 0 })
    yield header
    yield batch.bytes
    yield zeros.subarray(0, paddedBytes(batchBytes) - headerBytes - batchBytes)
  }
  yield zeros.subarray(0, endBytes)
}

interface ScannedRecord {
  /** Null if the header is damaged. */
  readonly sequence: number | null
  readonly offset: number
  readonly bytes: number
  /**
   * Null if the record is damaged: a torn record was never acknowledged, so all of it is dropped.
   */
  readonly batch: BatchRecord | null
  /** Null if it is damaged or the record has none. */
  readonly series: Uint8Array | null
  readonly reason: string
}

/**
 * Scans the records of a segment, oldest first, and the damage between and after them. Sequence
 * numbers only grow within a segment, so remains of an earlier use are never taken for a record.
 * `segmentBytes`, if known, is the length of usual segments: only these may be full to the end.
 */
export function* scanRecords(bytes: Buffer, segmentBytes?: number): Generator<ScannedRecord> {
  let last = 0
  let offset = 0
  let isDamaged = false
  while (offset + headerBytes <= bytes.length && !isEnd(bytes, offset)) {
    const head = headerAt(bytes, offset)
    if (head === null || head.sequence <= last) {
      const next = nextRecord(bytes, offset + alignment, last)
      const reason = "neither a record nor the end of the WAL"
      yield { sequence: null, offset, bytes: next - offset, ...nothing, reason }
      offset = next
      isDamaged = true
      continue
    }
    last = head.sequence
    const length = head.batchBytes + head.seriesBytes
    const content = contentOf(bytes, offset, head)
    yield { sequence: head.sequence, offset, bytes: length, ...content }
    offset += paddedBytes(length)
    isDamaged = content.batch === null
  }
  const isUsual = segmentBytes === undefined || bytes.length === segmentBytes
  const hasEnd = offset + endBytes <= bytes.length && isEnd(bytes, offset)
  if (isUsual || hasEnd || isDamaged) return
  // The file ends where a record could be, and no damage explains it: the rest is missing.
  const missing = { offset: bytes.length, bytes: Math.max(endBytes, segmentBytes - bytes.length) }
  yield { sequence: null, ...missing, ...nothing, reason: "WAL segment was cut short" }
}

function isEnd(bytes: Buffer, at: number): boolean {
  return bytes.readUInt32LE(at) === 0 && bytes.readUInt32LE(at + 4) === 0
}

/** Offset of the next intact record newer than `last` after a damaged header, or the end. */
function nextRecord(bytes: Buffer, from: number, last: number): number {
  for (let at = from; at + headerBytes <= bytes.length; at += alignment) {
    const head = headerAt(bytes, at)
    if (head === null || head.sequence <= last) continue
    if (contentOf(bytes, at, head).batch !== null) return at
  }
  return bytes.length
}

function headerAt(bytes: Buffer, at: number): RecordHeader | null {
  if (bytes.readUInt32LE(at) !== magic) return null
  if (bytes.readUInt32LE(at + 4) !== checksum(bytes.subarray(at + 8, at + headerBytes))) return null
  return {
    sequence: bytes.readUInt32LE(at + 12) * 2 ** 32 + bytes.readUInt32LE(at + 8),
    batchBytes: bytes.readUInt32LE(at + 16),
    seriesBytes: bytes.readUInt32LE(at + 20),
  }
}

const nothing = { batch: null, series: null } as const

/** The content after the header at `at`: all of it, or nothing. */
function contentOf(
  bytes: Buffer,
  at: number,
  { sequence, batchBytes, seriesBytes }: RecordHeader,
): Pick<ScannedRecord, "batch" | "series" | "reason"> {
  const start = at + headerBytes
  const middle = start + batchBytes
  try {
    const batch = bytesToBatchRecord(bytes.subarray(start, middle))
    const series = seriesBytes === 0 ? null : bytes.subarray(middle, middle + seriesBytes)
    if (series !== null) checkSeriesRecord(sequence, series)
    return { batch, series, reason: "" }
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return { ...nothing, reason: error.message }
  }
}
