/**
 * Copy of the WAL of a store in use: the intact records of all segments in order, as one segment.
 * The first pass finds them, the second one reads them again: memory has one segment at a time.
 */

import { closeSync, openSync, readFileSync, readSync } from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../../base/errors.ts"
import { walFiles } from "../disk/store-files.ts"
import { endBytes, paddedBytes, scanRecords, zeros } from "../wal/segment.ts"

/** Where a record is, header and padding included. */
interface RecordRange {
  readonly path: string
  readonly offset: number
  readonly bytes: number
}

/** Ranges of the intact records, by sequence, at this moment. */
export type WalIndex = ReadonlyMap<number, RecordRange>

/** Reads all segments of a folder once. */
export function indexWal(folder: string): WalIndex {
  const found = new Map<number, RecordRange>()
  // A sequence in two files is left from a rewrite: the file with the greater number wins.
  for (const name of walFiles(folder)) {
    const path = join(folder, name)
    for (const { sequence, batch, offset, bytes } of scanRecords(readFileSync(path))) {
      if (sequence === null || batch === null) continue
      found.set(sequence, { path, offset, bytes: paddedBytes(bytes) })
    }
  }
  return found
}

/**
 * The sequences of the records that belong to a snapshot, ascending: those after `flushed` up to
 * the first gap, but at least up to `newest`, that of the newest record before the snapshot.
 */
export function sequencesAfter(index: WalIndex, flushed: number, newest: number): number[] {
  let end = flushed + 1
  while (index.has(end) || end <= newest) end++
  return [...index.keys()]
    .filter((sequence) => sequence > flushed && sequence < end)
    .sort((left, right) => left - right)
}

/** One segment of these records; the segments of `index` must be retained while it is read. */
export function copyOf(
  index: WalIndex,
  sequences: readonly number[],
): { readonly bytes: number; readonly pieces: Generator<Buffer> } {
  const ranges = sequences.map((sequence) => index.get(sequence)!)
  const bytes = ranges.reduce((total, range) => total + range.bytes, endBytes)
  return { bytes, pieces: piecesOf(ranges) }
}

function* piecesOf(ranges: readonly RecordRange[]): Generator<Buffer> {
  for (const range of ranges) yield readRange(range)
  yield Buffer.from(zeros.subarray(0, endBytes))
}

function readRange({ path, offset, bytes }: RecordRange): Buffer {
  const file = openSync(path, "r")
  try {
    const piece = Buffer.alloc(bytes)
    // The padding of the newest record may be after the end of a segment of its exact length.
    if (readSync(file, piece, 0, bytes, offset) === 0) {
      throw new ServiceError("storage", `"${path}" has no bytes at ${offset} any more`)
    }
    return piece
  } finally {
    closeSync(file)
  }
}
