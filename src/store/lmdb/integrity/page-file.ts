/**
 * The pages of `data.mdb`, read without LMDB. LMDB believes what it maps: a flipped bit in a page
 * can end the process. So whoever doubts a file looks at it through this.
 *
 *   page 0, page 1   metas: two heads, written in turn, the greater transaction counts
 *   other pages      branch, leaf or overflow, of the trees that the head names
 *
 * The layout is that of LMDB 0.9.90 as `lmdb` 3.5 builds it (mdb.c: MDB_page_header, MDB_meta).
 */

import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import type { OnProgress } from "../../../base/work-progress.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"

/** Page number u64, transaction u64, padding u16, flags u16, then bounds, or how many pages. */
export const pageHeaderBytes = 24
export const branchFlag = 1
export const leafFlag = 2
export const overflowFlag = 4
const metaFlag = 8
/** Of the flags of a meta page, what says that it is one. */
const kindFlags = 15
const metaMagic = 0xbeefc0de
const metaVersion = 2
const metaBytes = pageHeaderBytes + 136
/**
 * A last page that is further behind the file's end is none: LMDB would make its map so large. A
 * commit takes 4 MiB, so that these are many times what it can leave.
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
  /** -1 where the tree is empty. */
  readonly root: number
}
export const treeHeadBytes = 48

export interface Meta {
  readonly transaction: number
  readonly lastPage: number
  readonly free: TreeHead
  readonly main: TreeHead
}

export interface Page {
  readonly number: number
  /** All of its flags: what LMDB notes of pages in memory it does not write. */
  readonly kind: number
  readonly transaction: number
  readonly bytes: Buffer
}

export class PageFile {
  readonly pageBytes: number
  readonly pageCount: number
  private readonly file: number

  /** Throws CorruptError where the file is shorter than its head. */
  constructor(path: string) {
    this.file = openSync(path, "r")
    try {
      this.pageBytes = pageBytesOf(this.readAt(0, metaBytes))
      this.pageCount = Math.floor(fstatSync(this.file).size / this.pageBytes)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** The newer of the two heads. Throws CorruptError where they cannot be two of one file. */
  meta(): Meta {
    const both = [this.metaAt(0), this.metaAt(1)] as const
    const [older, newer] = both.toSorted((left, right) => left.transaction - right.transaction)
    const { transaction } = newer!
    if (both[transaction % 2] !== newer && transaction > 0) {
      throw new CorruptError(`transaction ${transaction} stands in the other meta page`)
    }
    // Each commit is written over the older head; a new file has two of transaction 0.
    if (transaction - older!.transaction > 1) {
      throw new CorruptError(`meta pages of transactions ${older!.transaction} and ${transaction}`)
    }
    // Pages that a commit took and gave back at once may lie behind the end of the file.
    if (newer!.lastPage > lastPageFactor * this.pageCount + lastPageExtra) {
      throw new CorruptError(`last page ${newer!.lastPage} in a file of ${this.pageCount} pages`)
    }
    return newer!
  }

  /**
   * Of a file whose heads do not fit each other: the one whose main tree was written last. Throws
   * CorruptError where neither can be read.
   */
  bestMeta(): Meta {
    const found: { meta: Meta; writtenAt: number }[] = []
    const reasons: string[] = []
    for (const number of [0, 1]) {
      try {
        const meta = this.metaAt(number)
        const writtenAt = meta.main.root < 0 ? 0 : this.page(meta.main.root).transaction
        // What the trees hold is judged page by page; no page is too young for this one.
        found.push({
          meta: { ...meta, transaction: Infinity, lastPage: this.pageCount },
          writtenAt,
        })
      } catch (error) {
        if (!(error instanceof CorruptError)) throw error
        reasons.push(`meta page ${number}: ${error.message}`)
      }
    }
    found.sort((left, right) => right.writtenAt - left.writtenAt)
    if (found.length === 0) {
      const left = `${this.pageCount} pages of ${this.pageBytes} bytes are left of the file`
      throw new CorruptError(`no list of tables can be read (${reasons.join("; ")}); ${left}`)
    }
    return found[0]!.meta
  }

  /** Throws CorruptError where it lies behind the end of the file. */
  page(number: number): Page {
    const bytes = this.bytes(number, this.pageBytes)
    return {
      number: readU64(bytes, 0),
      kind: bytes.readUInt16LE(18),
      transaction: readU64(bytes, 8),
      bytes,
    }
  }

  /** `length` bytes from the start of a page on, which may reach into the next ones. */
  bytes(number: number, length: number): Buffer {
    if (number * this.pageBytes + length > this.pageCount * this.pageBytes) {
      throw new CorruptError(`page ${number} lies behind the end of the file`)
    }
    return this.readAt(number * this.pageBytes, length)
  }

  close(): void {
    closeSync(this.file)
  }

  private metaAt(number: number): Meta {
    const bytes = this.readAt(number * this.pageBytes, metaBytes)
    const at = pageHeaderBytes
    const isMeta =
      (bytes.readUInt16LE(18) & kindFlags) === metaFlag &&
      bytes.readUInt32LE(at) === metaMagic &&
      (bytes.readUInt32LE(at + 4) & 0xffff) === metaVersion &&
      bytes.readUInt32LE(at + 24) === this.pageBytes
    if (!isMeta) throw new CorruptError(`page ${number} is no meta page`)
    return {
      transaction: readU64(bytes, at + 128),
      lastPage: readU64(bytes, at + 120),
      free: readTreeHead(bytes, at + 24),
      main: readTreeHead(bytes, at + 72),
    }
  }

  private readAt(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    const read = readSync(this.file, bytes, 0, length, offset)
    if (read < length) throw new CorruptError(`the file ends at byte ${offset + read}`)
    return bytes
  }
}

/** What page 0 tells, or what is usual where that cannot be: page 0 is then judged with it. */
function pageBytesOf(head: Buffer): number {
  const told = head.readUInt32LE(pageHeaderBytes + 24)
  const isPower = told >= 4096 && told <= 65_536 && (told & (told - 1)) === 0
  return isPower ? told : 4096
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

/** All ones, to the bit: a number nearby is the same once it is read. */
function isNoPage(bytes: Buffer, at: number): boolean {
  return bytes.readUInt32LE(at) === 0xffffffff && bytes.readUInt32LE(at + 4) === 0xffffffff
}

/** Exact below 2⁵³; what is above is no number of ours, and stays above. */
export function readU64(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32
}

/** Tells pages as bytes of the file, which has others that no tree uses. */
export function pageProgress(file: PageFile, onStep: OnProgress): (pages: number) => void {
  const total = file.pageCount * file.pageBytes
  return (pages) =>
    onStep({ what: "checking pages", done: pages * file.pageBytes, total, unit: "B" })
}
