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
 * After a start, no batch is appended behind old records, and sequence numbers that were seen are
 * never used again: so the remains of a torn write are distinguishable from later records.
 */

import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert } from "../../../base/assert.ts"
import { pushAll } from "../../../base/iterables.ts"
import type { WalFigures } from "../../../model/wal-figures.ts"
import { areSegmentsRetained, releaseSegments } from "./segment-retention.ts"
import { DurationHistogram } from "./duration-histogram.ts"
import type { PendingBatch } from "./memtable.ts"
import {
  alignment,
  endBytes,
  headerBytes,
  paddedBytes,
  scanRecords,
  writeHeader,
  zeros,
  type WalRecord,
} from "./segment.ts"
import {
  removeUnfinishedSegments,
  WalRecords,
  writeSegment,
  type WalCorruption,
} from "./segment-files.ts"
import {
  nodeFileSystem,
  syncPath,
  zeroPieces,
  type WalFileSystem,
} from "../disk/wal-file-system.ts"
import { walFile, walFileNumber, walFiles } from "../disk/store-files.ts"

/** 600,000 samples; filling a new segment with zeros delays ingest by some milliseconds. */
const segmentBytesDefault = 8 * 1024 * 1024
/** Maximum number of free segments: what two flushes of the usual size need in turn. */
const freeSegmentsMax = 8
/** Free segments that are kept when idle, besides the one that is written to. */
const idleSegmentsMin = 1

/** From a write that stays in a device's cache to a disk that spins and is busy. */
const syncBoundsSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2]

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

/** The content of the log that an earlier process left. */
export interface RecoveredWal {
  /** Every intact record that is newer than the flushed ones, in order. */
  readonly records: readonly WalRecord[]
  readonly corruptions: readonly WalCorruption[]
  /** True if a rewrite was interrupted. */
  readonly hasRepeats: boolean
}

/**
 * The WAL of one store, used by the thread that writes it. `recover` is called once, before the
 * first `append`; after a failed `append` the next one goes to another segment.
 *
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
  private nextNumber = 0
  /** Segments in use at the end of the newest flush; 0 after a start. */
  private usedByLastFlush = 0
  private readonly header = Buffer.alloc(headerBytes)

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

  /** Reads what an earlier process left, once, before the first append. */
  recover(flushed: number): RecoveredWal {
    assert(this.used.length === 0 && this.free.length === 0, "Expected to recover once, at first")
    removeUnfinishedSegments(this.folder)
    const records = new WalRecords()
    const corruptions: WalCorruption[] = []
    for (const name of walFiles(this.folder)) {
      this.nextNumber = walFileNumber(name)! + 1
      this.recoverSegment(join(this.folder, name), flushed, { records, corruptions })
    }
    return { records: records.inOrder(), corruptions, hasRepeats: records.hasRepeats }
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
    const segment = this.segmentFor(paddedBytes(content))
    const lengths = { batchBytes: batch.length, seriesBytes: series.length }
    writeHeader(this.header, { sequence, ...lengths })
    const end = Math.min(segment.end + paddedBytes(content) + endBytes, segment.bytes)
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
    segment.end += paddedBytes(content)
    assert(segment.end <= segment.bytes, "Expected the record inside its segment")
    segment.lastSequence = sequence
  }

  /**
   * Replaces everything that `recover` found, damaged records too, by one segment with these
   * batches, whose series are index-flushed; durable on return. After a crash in between, the next
   * start finds the batches in two files.
   */
  rewrite(batches: readonly PendingBatch[], onPoint: (name: string) => void): void {
    // A backup that runs would miss the series records: it fails, and is taken again.
    releaseSegments(this.folder)
    onPoint("rewrite.commit")
    const earlier = this.used.splice(0)
    this.current = null
    if (batches.length > 0) this.used.push(this.writeSegment(batches))
    onPoint("rewrite.committed")
    for (const segment of earlier) this.removeSegment(segment)
    syncPath(this.folder)
    onPoint("rewrite.removed")
  }

  /** Frees the segments that hold nothing newer than `flushed`. */
  release(flushed: number): void {
    this.truncations++
    this.usedByLastFlush = this.used.length
    const isNeeded = (segment: Segment): boolean =>
      segment.lastSequence > flushed || segment === this.current
    const segments = this.used.splice(0)
    // These first: `freeSegment` throws if a file cannot be removed.
    pushAll(this.used, segments.filter(isNeeded))
    for (const segment of segments) if (!isNeeded(segment)) this.freeSegment(segment)
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

  private segmentFor(bytes: number): Segment {
    const { current } = this
    if (current !== null && current.end + bytes <= this.segmentBytes) return current
    // After a larger record, the next one goes into the segment of the one before it.
    const isLarge = bytes > this.segmentBytes
    const segment = isLarge
      ? this.createSegment(bytes + endBytes)
      : (this.free.pop() ?? this.createSegment(this.segmentBytes))
    segment.end = 0
    // Before it is opened: the next flush releases a segment that cannot be opened.
    this.used.push(segment)
    if (segment.file < 0) segment.file = this.fileSystem.open(segment.path)
    if (!isLarge) this.current = segment
    return segment
  }

  /** Creates a segment of zeros whose blocks the file owns. */
  private createSegment(bytes: number): Segment {
    const path = this.nextPath()
    this.fileSystem.create(path, zeroPieces(bytes))
    return { path, bytes, file: -1, end: 0, lastSequence: -1 }
  }

  /** Writes a segment that is as long as these batches need, and full. */
  private writeSegment(batches: readonly PendingBatch[]): Segment {
    const path = this.nextPath()
    writeSegment(path, batches, this.fileSystem)
    const bytes = statSync(path).size
    return { path, bytes, file: -1, end: bytes, lastSequence: batches.at(-1)!.sequence }
  }

  private nextPath(): string {
    return join(this.folder, walFile(this.nextNumber++))
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
    into: { records: WalRecords; corruptions: WalCorruption[] },
  ): void {
    const content = readFileSync(path)
    const segment: Segment = { path, bytes: content.length, file: -1, end: 0, lastSequence: -1 }
    let isDamaged = false
    for (const found of scanRecords(content, this.segmentBytes)) {
      const { sequence, offset, bytes } = found
      if (sequence !== null) {
        this.greatestSequence = Math.max(this.greatestSequence, sequence)
        if (sequence <= flushed) continue
        segment.lastSequence = Math.max(segment.lastSequence, sequence)
      }
      if (sequence !== null && found.batch !== null) {
        into.records.add({ sequence, batch: found.batch, series: found.series })
      } else {
        into.corruptions.push({ path, offset, bytes, reason: found.reason })
        isDamaged = true
      }
    }
    if (segment.lastSequence >= 0) this.used.push(segment)
    // Nothing in it is needed. A damaged one is removed, so that its damage is reported once.
    else if (!isDamaged && segment.bytes === this.segmentBytes) this.free.push(segment)
    else this.fileSystem.remove(path)
  }
}

function shortWrite(length: number, written: number): Error {
  return Object.assign(new Error(`wrote ${written} of ${length} bytes`), { code: "EIO" })
}

const noSeries = new Uint8Array(0)
