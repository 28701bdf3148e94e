/**
 * Pinned snapshot: the pages of `data.mdb` as of one transaction, which no writer reuses until it
 * is released. LMDB never overwrites a page that the snapshot of a reader can reach; only the two
 * heads are overwritten, so they are read at the start.
 *
 *   heads ─► open a read transaction ─► the same heads ─► the newer one is pinned
 *
 * Free pages are read as zeros, since they may be written at any time, and cost no room in a vault.
 *
 * A transaction that began between two equal readings of the heads is not newer than the newer
 * head, and it protects all pages of its own snapshot and of later ones.
 */

import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { join } from "node:path"
import { assert } from "../../../base/assert.ts"
import { ServiceError } from "../../../base/errors.ts"
import { dataFile } from "../disk/store-files.ts"
import { openTables, readFlushedSequence, type Tables } from "../disk/tables.ts"
import { compareU64, freePages } from "../integrity/free-list.ts"
import {
  headsBytesMax,
  newerHead,
  pageBytesOf,
  PageFile,
  type Meta,
} from "../integrity/page-file.ts"
import { PageWalk, type TreeEntry } from "../integrity/page-walk.ts"

/** A writer commits some ten times a second; reading the heads takes 20 µs. */
const attemptsMax = 100

export interface PinnedSnapshot {
  /** Length of the file that holds all pages of the snapshot. */
  readonly bytes: number
  /** Sequence of the newest batch that is flushed in it, or in the one before. */
  readonly flushed: number
  /** Reads at most `into.length` bytes of the snapshot's file; fewer at its end. */
  read(into: Buffer, at: number): number
  release(): Promise<void>
}

/** Pins the newest snapshot of a store. Throws `storage`. */
export function pinSnapshot(folder: string): PinnedSnapshot {
  const path = join(folder, dataFile)
  const tables = openTables(folder)
  const file = openSync(path, "r")
  const pin = pinHeads(tables, file)
  const release = async (): Promise<void> => {
    pin?.transaction.done()
    closeSync(file)
    await tables.root.close()
  }
  try {
    if (pin === null) throw new ServiceError("storage", `No moment of "${path}" could be held`)
    return { ...pagesOf(path, file, pin.heads), flushed: pin.flushed, release }
  } catch (error) {
    void release()
    throw error
  }
}

interface Pin {
  readonly transaction: ReturnType<Tables["root"]["useReadTransaction"]>
  readonly heads: Buffer
  readonly flushed: number
}

/** Null if a writer committed during each attempt. */
function pinHeads(tables: Tables, file: number): Pin | null {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const heads = readHeads(file)
    tables.root.resetReadTxn()
    const transaction = tables.root.useReadTransaction()
    const flushed = readFlushedSequence(tables)
    if (readHeads(file).equals(heads)) return { transaction, heads, flushed }
    transaction.done()
  }
  return null
}

function pagesOf(
  path: string,
  file: number,
  heads: Buffer,
): Pick<PinnedSnapshot, "bytes" | "read"> {
  const meta = newerHead(heads)
  const pageBytes = pageBytesOf(heads)
  const free = freePagesOf(path, meta)
  // Pages that a commit allocated and freed may be after the end of the file.
  const bytes = Math.min((meta.lastPage + 1) * pageBytes, fstatSync(file).size)
  const read = (into: Buffer, at: number): number => {
    assert(at >= 0 && at < bytes, "Expected a position in the snapshot")
    const length = Math.min(into.length, bytes - at)
    const found = readSync(file, into, 0, length, at)
    if (found < length) throw new ServiceError("storage", `${dataFile} ends at byte ${at + found}`)
    if (at < heads.length) heads.copy(into, 0, at, at + length)
    for (let page = Math.ceil(at / pageBytes); page * pageBytes < at + length; page++) {
      if (!isFree(free, page)) continue
      const start = page * pageBytes - at
      into.fill(0, start, Math.min(start + pageBytes, length))
    }
    return length
  }
  return { bytes, read }
}

/** One bit a page. Throws `storage` if the list of free pages is damaged. */
function freePagesOf(path: string, meta: Meta): Uint8Array {
  const free = new Uint8Array((meta.lastPage >> 3) + 1)
  const pages = new PageFile(path)
  try {
    const walk = new PageWalk(pages, meta, { largeValuesMax: 0 })
    const visit = (entry: TreeEntry): void => {
      for (const page of freePages(entry.value(), meta.lastPage)) {
        free[page >> 3]! |= 1 << (page & 7)
      }
    }
    walk.walk("the list of free pages", meta.free, visit, compareU64)
    const [problem] = walk.problems
    if (problem !== undefined) throw new ServiceError("storage", `"${path}" is damaged: ${problem}`)
    return free
  } finally {
    pages.close()
  }
}

function isFree(free: Uint8Array, page: number): boolean {
  return (free[page >> 3]! & (1 << (page & 7))) !== 0
}

function readHeads(file: number): Buffer {
  const bytes = Buffer.alloc(headsBytesMax)
  const length = readSync(file, bytes, 0, headsBytesMax, 0)
  return bytes.subarray(0, Math.min(2 * pageBytesOf(bytes), length))
}
