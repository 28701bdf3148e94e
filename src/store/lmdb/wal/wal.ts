/**
 * WAL: batches on disk until they are flushed, each with its series record, in segments of fixed
 * size that are reused. A larger record has a segment of its own, which is removed after the flush.
 *
 *   journal-0   │ 17 │ 18 │ 19 │ 20 │ ··· stale ···      oldest, released by the flush
 *   journal-1   │ 21 │ 22 │ torn ▒▒▒│ ··· stale ···      ← append
 *   journal-2   │ 9 │ 10 │ 11 │ 12 │ 13 │ 14 │ 15 │      free: all of it is flushed
 *
 * An LMDB commit costs 160 µs of CPU with its two syncs, one synced write to blocks that the file
 * already owns 70 µs. Growing a file is expensive, so a segment is filled with zeros once.
 *
 * After a start, batches go to another segment than before, and sequence numbers that were seen are
 * never used again: so the remains of a torn write are distinguishable from later records.
 */

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "../../../base/assert.ts"
import { checksum } from "../../../base/checksum.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import type { WalFigures } from "../../../model/wal-figures.ts"
import { bytesToBatchRecord, type BatchRecord } from "../encoding/batch-record.ts"
import { areSegmentsRetained } from "./segment-retention.ts"
import { DurationHistogram } from "./duration-histogram.ts"
import { checkSeriesRecord } from "./series-record.ts"
import { nodeFileSystem, type WalFileSystem } from "../disk/wal-file-system.ts"
import { walFiles } from "../disk/store-files.ts"

/** 600,000 samples; filling a new segment with zeros delays ingest by some milliseconds. */
export const segmentBytesDefault = 8 * 1024 * 1024
/** Maximum number of free segments: what two flushes of the usual size need in turn. */
const freeSegmentsMax = 8
/** Free segments that are kept when idle, besides the one that is written to. */
const idleSegmentsMin = 1

/** From a write that stays in a device's cache to a disk that spins and is busy. */
const syncBoundsSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2]

const magic = 0x314a4754 // "TGJ1"
/**
 * magic u32, checksum of the rest u32, sequence u64, lengths of batch and series record u32 each.
 */
const headerBytes = 24
/** Records begin at multiples of this, so that the next one is found after a damaged one. */
const alignment = 8
/**
 * Zeros after the newest record, in place of a header: they distinguish a clean end from a torn
 * record and hide the remains of an earlier use.
 */
const endBytes = 8

interface Segment {
  readonly path: string
  /** Length of the file: that of all segments, or what one larger record needs. */
  readonly bytes: number
  /** Opened at the first write. */
  file: number
  /** Offset of the next record. */
  end: number
  /** Sequence number of the newest record; -1 in a free segment. */
  lastSequence: number
}

export interface WalRecord {
  readonly sequence: number
  readonly batch: BatchRecord
  /** The series record as a view of the segment's bytes; null if the record has none. */
  readonly series: Uint8Array | null
}

/** Bytes that cannot be read as a record but are, or began as, one. */
export interface WalCorruption {
  readonly path: string
  readonly offset: number
  readonly bytes: number
  readonly reason: string
}

/**
 * @example
 * import { mkdtempSync, rmSync } from "node:fs"
 * import { SampleBatchBuilder } from "../../../model/sample-batch.ts"
 * import { columnsToBatchRecord } from "../encoding/batch-record.ts"
 * const folder = mkdtempSync("/tmp/wal-")
 * const batch = new SampleBatchBuilder()
 * batch.startRequest()
 * batch.push(0, Date.UTC(2026, 0, 5), 20.5)
 * const wal = new Wal(folder)
 * wal.recover(0)
 * wal.append(1, columnsToBatchRecord(batch, 1).bytes)
 * wal.close()
 * const after = new Wal(folder)
 * assert.deepEqual(after.recover(0).records.map(({ sequence }) => sequence), [1])
 * after.close()
 * rmSync(folder, { recursive: true })
 */
export class Wal {
  /** Greatest sequence number of any record, including damaged ones; 0 if there are none. */
  greatestSequence = 0
  private readonly folder: string
  private readonly segmentBytes: number
  private readonly fileSystem: WalFileSystem
  /** Monotonic milliseconds. */
  private readonly elapsedMs: () => number
  private readonly syncs = new DurationHistogram(syncBoundsSeconds)
  private truncations = 0
  private readonly used: Segment[] = []
  private readonly free: Segment[] = []
  private current: Segment | null = null
  private nextName = 0
  /** Segments in use at the end of the newest flush; 0 after a start. */
  private usedByLastFlush = 0
  private readonly header = Buffer.alloc(headerBytes)
  private readonly headerView = new DataView(this.header.buffer, this.header.byteOffset)

  constructor(
    folder: string,
    segmentBytes = segmentBytesDefault,
    elapsedMs: () => number = () => 0,
    fileSystem = nodeFileSystem,
  ) {
    assert(segmentBytes % alignment === 0, `Expected whole words, got ${segmentBytes} bytes`)
    this.folder = folder
    this.segmentBytes = segmentBytes
    this.elapsedMs = elapsedMs
    this.fileSystem = fileSystem
  }

  /**
   * Reads what an earlier process left, once, before the first append. Returns every intact record
   * newer than `flushed`, in order, and the corruptions.
   */
  recover(flushed: number): { records: WalRecord[]; cuts: WalCorruption[] } {
    assert(this.used.length === 0 && this.free.length === 0, "Expected to recover once, at first")
    const records: WalRecord[] = []
    const cuts: WalCorruption[] = []
    for (const name of readdirSync(this.folder)) {
      const number = /^journal-(\d+)$/.exec(name)?.[1]
      if (number === undefined) continue
      this.nextName = Math.max(this.nextName, Number(number) + 1)
      this.recoverSegment(join(this.folder, name), flushed, { records, cuts })
    }
    records.sort((left, right) => left.sequence - right.sequence)
    return { records, cuts }
  }

  /**
   * Writes a batch and its series record, encoded for this sequence number; on return they are on
   * disk, synced. Throws the system's error; then the number is used up, and the record may be on
   * disk or not.
   */
  append(sequence: number, batch: Uint8Array, series: Uint8Array = noSeries): void {
    assert(sequence > this.greatestSequence, "Expected numbers to grow")
    this.greatestSequence = sequence
    const content = batch.length + series.length
    const segment = this.segmentFor(recordBytes(content))
    this.writeHeader(sequence, batch.length, series.length)
    const end = Math.min(segment.end + recordBytes(content) + endBytes, segment.bytes)
    const length = end - segment.end
    const rest = zeros.subarray(0, length - headerBytes - content)
    const startedMs = this.elapsedMs()
    try {
      const written = this.fileSystem.write(
        segment.file,
        [this.header, batch, series, rest],
        segment.end,
      )
      if (written !== length) throw shortWrite(length, written)
    } catch (error) {
      // The content of the disk is unknown now, so nothing is written after it.
      segment.lastSequence = sequence
      this.current = null
      throw error
    }
    this.syncs.observe(this.elapsedMs() - startedMs)
    segment.end += recordBytes(content)
    assert(segment.end <= segment.bytes, "Expected the record inside its segment")
    segment.lastSequence = sequence
  }

  /**
   * Removes everything that `recover` found, damaged records too, once it is stored elsewhere. The
   * caller syncs the folder.
   */
  removeRecovered(): void {
    for (const segment of this.used.splice(0)) this.removeSegment(segment)
    this.current = null
  }

  /** Frees the segments that hold nothing newer than `flushed`. */
  release(flushed: number): void {
    this.truncations++
    this.usedByLastFlush = this.used.length
    for (const segment of this.used.splice(0)) {
      if (segment.lastSequence > flushed || segment === this.current) this.used.push(segment)
      else this.freeSegment(segment)
    }
  }

  /** True if more segments are free than the newest flush had in use. */
  get hasSpareSegment(): boolean {
    return this.free.length > Math.max(idleSegmentsMin, this.usedByLastFlush)
  }

  /** Removes the segment that was unused longest; a later burst creates it again. */
  removeSpareSegment(): void {
    assert(this.hasSpareSegment, "Expected a segment to spare")
    this.removeSegment(this.free.shift()!)
  }

  /** Cheap enough for every scrape. */
  figures(): WalFigures {
    const segments = [...this.used, ...this.free]
    const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0)
    const { truncations, syncs } = this
    return { segments: segments.length, bytes, truncations, syncs: syncs.figures() }
  }

  /** True while a backup reads the segments. */
  areSegmentsRetained(nowMs: number): boolean {
    return areSegmentsRetained(this.folder, nowMs)
  }

  close(): void {
    for (const { file } of [...this.used, ...this.free]) if (file >= 0) this.fileSystem.close(file)
    this.used.length = 0
    this.free.length = 0
    this.current = null
  }

  private writeHeader(sequence: number, batchBytes: number, seriesBytes: number): void {
    const view = this.headerView
    view.setUint32(0, magic, true)
    view.setUint32(8, sequence % 2 ** 32, true)
    view.setUint32(12, Math.floor(sequence / 2 ** 32), true)
    view.setUint32(16, batchBytes, true)
    view.setUint32(20, seriesBytes, true)
    view.setUint32(4, checksum(this.header.subarray(8)), true)
  }

  private segmentFor(bytes: number): Segment {
    const { current } = this
    if (current !== null && current.end + bytes <= this.segmentBytes) return current
    // After a larger record, the next one goes into the segment of the one before it.
    const isLarge = bytes > this.segmentBytes
    const segment = isLarge
      ? this.createSegment(bytes + endBytes)
      : (this.free.pop() ?? this.createSegment(this.segmentBytes))
    if (segment.file < 0) segment.file = this.fileSystem.open(segment.path)
    segment.end = 0
    this.used.push(segment)
    if (!isLarge) this.current = segment
    return segment
  }

  /** Creates a segment of zeros whose blocks the file owns. */
  private createSegment(bytes: number): Segment {
    const path = join(this.folder, `journal-${this.nextName++}`)
    this.fileSystem.create(path, bytes)
    return { path, bytes, file: -1, end: 0, lastSequence: -1 }
  }

  private freeSegment(segment: Segment): void {
    segment.lastSequence = -1
    const isReusable = segment.bytes === this.segmentBytes
    if (isReusable && this.free.length < freeSegmentsMax) this.free.push(segment)
    else this.removeSegment(segment)
  }

  private removeSegment(segment: Segment): void {
    if (segment.file >= 0) this.fileSystem.close(segment.file)
    this.fileSystem.remove(segment.path)
  }

  private recoverSegment(
    path: string,
    flushed: number,
    into: { records: WalRecord[]; cuts: WalCorruption[] },
  ): void {
    const content = readFileSync(path)
    const segment: Segment = { path, bytes: content.length, file: -1, end: 0, lastSequence: -1 }
    let cuts = 0
    for (const found of scanRecords(content, this.segmentBytes)) {
      const { sequence, offset, bytes } = found
      if (sequence !== null) {
        this.greatestSequence = Math.max(this.greatestSequence, sequence)
        if (sequence <= flushed) continue
        segment.lastSequence = Math.max(segment.lastSequence, sequence)
      }
      if (sequence !== null && found.batch !== null) {
        into.records.push({ sequence, batch: found.batch, series: found.series })
      } else {
        into.cuts.push({ path, offset, bytes, reason: found.reason })
        cuts++
      }
    }
    if (segment.lastSequence >= 0) this.used.push(segment)
    // Nothing in it is needed. A damaged one is removed, so that its damage is reported once.
    else if (cuts === 0 && segment.bytes === this.segmentBytes) this.free.push(segment)
    else this.fileSystem.remove(path)
  }
}

function shortWrite(length: number, written: number): Error {
  return Object.assign(new Error(`wrote ${written} of ${length} bytes`), { code: "EIO" })
}

const zeros = new Uint8Array(alignment + endBytes)
const noSeries = new Uint8Array(0)

function recordBytes(contentBytes: number): number {
  return Math.ceil((headerBytes + contentBytes) / alignment) * alignment
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
 */
export function* scanRecords(bytes: Buffer, segmentBytes = 0): Generator<ScannedRecord> {
  let last = 0
  let offset = 0
  while (offset + headerBytes <= bytes.length && !isEnd(bytes, offset)) {
    const head = headerAt(bytes, offset)
    if (head === null || head.sequence <= last) {
      const next = nextRecord(bytes, offset + alignment, last)
      const reason = "neither a record nor the end of the WAL"
      yield { sequence: null, offset, bytes: next - offset, ...nothing, reason }
      offset = next
      continue
    }
    last = head.sequence
    const length = head.batchBytes + head.seriesBytes
    yield { sequence: head.sequence, offset, bytes: length, ...contentOf(bytes, offset, head) }
    offset += recordBytes(length)
  }
  // Segments are created at full length: one that ends where a record could be was cut short.
  if (bytes.length < segmentBytes && !(offset + 8 <= bytes.length && isEnd(bytes, offset))) {
    const rest = { offset: bytes.length, bytes: segmentBytes - bytes.length }
    yield { sequence: null, ...rest, ...nothing, reason: "WAL segment was cut short" }
  }
}

/** The intact records of all segments in a folder, in order, at this moment. */
export function readWal(folder: string): WalRecord[] {
  const records: WalRecord[] = []
  for (const name of walFiles(folder)) {
    for (const { sequence, batch, series } of scanRecords(readFileSync(join(folder, name)))) {
      if (sequence !== null && batch !== null) records.push({ sequence, batch, series })
    }
  }
  return records.sort((left, right) => left.sequence - right.sequence)
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

interface RecordHeader {
  readonly sequence: number
  readonly batchBytes: number
  readonly seriesBytes: number
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
