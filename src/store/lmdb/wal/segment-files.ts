/**
 * The files of a WAL, read and written whole: by a start, a repair and a backup.
 *
 *   journal-3   │ 17 │ ▒▒ │ 19 │ ··· │                  journal-5   │ 17 │ 19 │ 20 │ 0 │
 *   journal-4   │ 20 │ ·············· │   ─► rewrite ─►
 *
 * A log without its damaged records is one segment of exactly the length of its batches. It is
 * written under a temporary name and renamed, so that it is whole or absent; the files that it
 * replaces are removed afterwards. A sequence number in two files is therefore left from a rewrite
 * that was interrupted, and the file with the greater number wins.
 */

import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert } from "../../../base/assert.ts"
import { unfinishedSuffix, walFileNumber, walFiles } from "../disk/store-files.ts"
import { nodeFileSystem, type WalFileSystem } from "../disk/wal-file-system.ts"
import type { PendingBatch } from "./memtable.ts"
import { scanRecords, segmentPieces, type WalRecord } from "./segment.ts"

/** Bytes that cannot be read as a record but are, or began as, one. */
export interface WalCorruption {
  readonly path: string
  readonly offset: number
  readonly bytes: number
  readonly reason: string
}

/** Intact records, one of each sequence number. */
export class WalRecords {
  /** True if a number occurred in two files. */
  hasRepeats = false
  private readonly bySequence = new Map<number, WalRecord>()

  /** Adds a record of a file whose number is not less than those before. */
  add(record: WalRecord): void {
    if (this.bySequence.has(record.sequence)) this.hasRepeats = true
    this.bySequence.set(record.sequence, record)
  }

  inOrder(): WalRecord[] {
    return [...this.bySequence.values()].sort((left, right) => left.sequence - right.sequence)
  }
}

/** Reads all segments of a folder, at this moment: intact records in order, and corruptions. */
export function readWal(folder: string): { records: WalRecord[]; corruptions: WalCorruption[] } {
  const records = new WalRecords()
  const corruptions: WalCorruption[] = []
  for (const name of walFiles(folder)) {
    const path = join(folder, name)
    for (const found of scanRecords(readFileSync(path))) {
      const { sequence, batch, series, offset, bytes, reason } = found
      if (sequence !== null && batch !== null) records.add({ sequence, batch, series })
      else corruptions.push({ path, offset, bytes, reason })
    }
  }
  return { records: records.inOrder(), corruptions }
}

/** Writes a segment of these batches, in order; durable on return, with its name. */
export function writeSegment(
  path: string,
  batches: readonly PendingBatch[],
  fileSystem: WalFileSystem = nodeFileSystem,
): void {
  assert(walFileNumber(path) !== null, "Expected the name of a segment")
  const unfinished = `${path}${unfinishedSuffix}`
  fileSystem.create(unfinished, segmentPieces(batches))
  fileSystem.rename(unfinished, path)
}

/** Removes segments that were not written to their end. */
export function removeUnfinishedSegments(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(unfinishedSuffix)) continue
    if (walFileNumber(name.slice(0, -unfinishedSuffix.length)) !== null) rmSync(join(folder, name))
  }
}
