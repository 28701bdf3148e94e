/**
 * Reads the pages of `data.mdb` without LMDB. LMDB trusts the mapped file: a flipped bit in a page
 * can crash the process. A file that may be damaged is therefore read by this module.
 *
 *   page 0, page 1   meta pages: two heads, written in turn; the greater transaction is valid
 *   other pages      branch, leaf or overflow pages of the trees that the head names
 *
 * The layout is that of LMDB 0.9.90 as `lmdb` 3.5.6 builds it (mdb.c: MDB_page_header, MDB_meta);
 * a file with another magic or version in its head is refused. DECISIONS.md has the reason why LMDB
 * itself cannot be asked, not even in a process of its own.
 */

import { assert } from "../../../base/assert.ts"
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import type { OnProgress } from "../../../base/work-progress.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"

/** Page number u64, transaction u64, padding u16, flags u16, then bounds or a number of pages. */
export const pageHeaderBytes = 24
export const branchFlag = 1
export const leafFlag = 2
export const overflowFlag = 4
const metaFlag = 8
/** The bits of a page's flags that hold its kind. */
const kindFlags = 15
const metaMagic = 0xbeefc0de
const metaVersion = 2
const metaBytes = pageHeaderBytes + 136
/** Page sizes that LMDB takes. */
const pageSizes = [4_096, 8_192, 16_384, 32_768, 65_536] as const
/** Bytes from the start of a file on that have both heads, for any page size. */
export const headsBytesMax = 2 * 65_536
/**
 * Limit for a last page after the end of the file; a greater number is corrupt, and LMDB would make
 * its map that large. A commit takes 4 MiB, so valid numbers are far below the limit.
 */
const lastPageFactor = 2
const lastPageExtra = 16_384

/** One tree, as a meta or the main tree describes it. */
export interface TreeHead {
  readonly flags: number
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** -1 if the tree is empty. */
  readonly root: number
}
export const treeHeadBytes = 48

export interface Meta {
  readonly transaction: number
  readonly lastPage: number
  readonly free: TreeHead
  readonly main: TreeHead
}

export interface BestHead {
  readonly meta: Meta
  /** Why the other head cannot be used, if it was or may have been the newer one; else null. */
  readonly lostHead: string | null
}

/** A head of a file that may be damaged. */
interface FoundHead {
  readonly meta: Meta | null
  /** The transaction of the root of its main tree; -1 if it cannot be read. */
  readonly writtenAt: number
  readonly problem: string | null
}

export interface Page {
  readonly number: number
  /** The flags of the page; LMDB does not write its in-memory flags. */
  readonly kind: number
  readonly transaction: number
  readonly bytes: Buffer
}

export class PageFile {
  readonly pageBytes: number
  readonly pageCount: number
  private readonly file: number

  /** Throws CorruptError if the file is shorter than its head. */
  constructor(path: string) {
    this.file = openSync(path, "r")
    try {
      this.pageBytes = pageBytesOf(this.heads())
      this.pageCount = Math.floor(fstatSync(this.file).size / this.pageBytes)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Returns the newer head. Throws CorruptError if the two heads are inconsistent. */
  meta(): Meta {
    const newer = newerOf(this.metaAt(0), this.metaAt(1))
    // Pages that a commit allocated and freed may be after the end of the file.
    if (newer.lastPage > lastPageFactor * this.pageCount + lastPageExtra) {
      throw new CorruptError(`last page ${newer.lastPage} in a file of ${this.pageCount} pages`)
    }
    return newer
  }

  /**
   * Returns the head whose main tree was written last, for a file with damaged or inconsistent
   * heads. Throws CorruptError if neither can be read.
   */
  bestHead(): BestHead {
    const heads = [this.headAt(0), this.headAt(1)]
    const [best, other] = heads.toSorted((left, right) => right.writtenAt - left.writtenAt)
    if (best!.meta === null || best!.problem !== null) {
      const reasons = heads.map(({ problem }, number) => `meta page ${number}: ${problem}`)
      const left = `${this.pageCount} pages of ${this.pageBytes} bytes are left of the file`
      throw new CorruptError(`no list of tables can be read (${reasons.join("; ")}); ${left}`)
    }
    const isNewest = other!.meta !== null && other!.meta.transaction <= best!.meta.transaction
    return {
      // Pages are checked one by one; no page counts as newer than this head.
      meta: { ...best!.meta, transaction: Infinity, lastPage: this.pageCount },
      lostHead: isNewest ? null : (other!.problem ?? "its list of tables is older than it"),
    }
  }

  /** Throws CorruptError if the page is after the end of the file. */
  page(number: number): Page {
    const bytes = this.bytes(number, this.pageBytes)
    return {
      number: readU64(bytes, 0),
      kind: bytes.readUInt16LE(18),
      transaction: readU64(bytes, 8),
      bytes,
    }
  }

  /** Returns `length` bytes from the start of a page on, also beyond the end of the page. */
  bytes(number: number, length: number): Buffer {
    if (number * this.pageBytes + length > this.pageCount * this.pageBytes) {
      throw new CorruptError(`page ${number} is after the end of the file`)
    }
    return this.readAt(number * this.pageBytes, length)
  }

  close(): void {
    closeSync(this.file)
  }

  private headAt(number: number): FoundHead {
    let meta: Meta | null = null
    try {
      meta = this.metaAt(number)
      const writtenAt = meta.main.root < 0 ? 0 : this.page(meta.main.root).transaction
      return { meta, writtenAt, problem: null }
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error
      return { meta, writtenAt: -1, problem: error.message }
    }
  }

  private heads(): Buffer {
    const { size } = fstatSync(this.file)
    return this.readAt(0, Math.max(metaBytes, Math.min(headsBytesMax, size)))
  }

  private metaAt(number: number): Meta {
    return readMeta(this.readAt(number * this.pageBytes, metaBytes), number, this.pageBytes)
  }

  private readAt(offset: number, length: number): Buffer {
    assert(offset >= 0 && length > 0, "Expected a range of the file")
    const bytes = Buffer.allocUnsafe(length)
    const read = readSync(this.file, bytes, 0, length, offset)
    if (read < length) throw new CorruptError(`the file ends at byte ${offset + read}`)
    return bytes
  }
}

/** Returns the newer head of the first two pages of a file. Throws CorruptError. */
export function newerHead(heads: Buffer): Meta {
  const pageBytes = pageBytesOf(heads)
  if (heads.length < pageBytes + metaBytes) throw new CorruptError("the file has no second head")
  return newerOf(readMeta(heads, 0, pageBytes), readMeta(heads.subarray(pageBytes), 1, pageBytes))
}

function newerOf(first: Meta, second: Meta): Meta {
  const both = [first, second] as const
  const [older, newer] = both.toSorted((left, right) => left.transaction - right.transaction)
  const { transaction } = newer!
  if (both[transaction % 2] !== newer && transaction > 0) {
    throw new CorruptError(`transaction ${transaction} is in the wrong meta page`)
  }
  // Each commit overwrites the older head; a new file has two heads of transaction 0.
  if (transaction - older!.transaction > 1) {
    throw new CorruptError(`meta pages of transactions ${older!.transaction} and ${transaction}`)
  }
  return newer!
}

function readMeta(bytes: Buffer, number: number, pageBytes: number): Meta {
  if (!isMeta(bytes, pageBytes)) throw new CorruptError(`page ${number} is no meta page`)
  const at = pageHeaderBytes
  return {
    transaction: readU64(bytes, at + 128),
    lastPage: readU64(bytes, at + 120),
    free: readTreeHead(bytes, at + 24),
    main: readTreeHead(bytes, at + 72),
  }
}

function isMeta(bytes: Buffer, pageBytes: number): boolean {
  const at = pageHeaderBytes
  return (
    bytes.length >= metaBytes &&
    (bytes.readUInt16LE(18) & kindFlags) === metaFlag &&
    bytes.readUInt32LE(at) === metaMagic &&
    (bytes.readUInt32LE(at + 4) & 0xffff) === metaVersion &&
    bytes.readUInt32LE(at + 24) === pageBytes
  )
}

/**
 * Returns the page size that one of the heads, or what is left of them, has; the smallest one if
 * neither has any: metaAt() then refuses both.
 */
export function pageBytesOf(heads: Buffer): number {
  return (
    pageSizes.find((bytes) => isMeta(heads, bytes)) ??
    pageSizes.find((bytes) => isMeta(heads.subarray(bytes), bytes)) ??
    pageSizes[0]
  )
}

export function readTreeHead(bytes: Buffer, at: number): TreeHead {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branchPages: readU64(bytes, at + 8),
    leafPages: readU64(bytes, at + 16),
    overflowPages: readU64(bytes, at + 24),
    entries: readU64(bytes, at + 32),
    root: isNoPage(bytes, at + 40) ? -1 : readU64(bytes, at + 40),
  }
}

/** True for 64 one bits; compared in halves, because nearby numbers round to the same double. */
function isNoPage(bytes: Buffer, at: number): boolean {
  return bytes.readUInt32LE(at) === 0xffffffff && bytes.readUInt32LE(at + 4) === 0xffffffff
}

/** Reads a number that is exact below 2⁵³; greater numbers are invalid and stay greater. */
export function readU64(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32
}

/** Reports pages as bytes of the file, which also has pages that no tree uses. */
export function pageProgress(file: PageFile, onStep: OnProgress): (pages: number) => void {
  const total = file.pageCount * file.pageBytes
  return (pages) =>
    onStep({ what: "checking pages", done: pages * file.pageBytes, total, unit: "B" })
}
