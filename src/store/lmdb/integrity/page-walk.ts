/**
 * Page walk: visits a tree of `data.mdb` page by page: every valid entry, and a sentence for each
 * invalid page.
 *
 *   branch ─► leaf ─► entries, in order ─► visit
 *                └─► overflow pages of large values
 *
 * Checks that each page contains its own number, is not newer than the head, is used only once, is
 * filled without a gap, and has its keys in order and within the bounds of its parent branch. LMDB
 * then finds the visited entries, and reads no other page.
 */

import { CorruptError } from "../../../codec/corrupt-error.ts"
import { compareU64, freePages } from "./free-list.ts"
import { compareKeys } from "./key-list.ts"
import {
  branchFlag,
  leafFlag,
  overflowFlag,
  pageHeaderBytes,
  readTreeHead,
  readU64,
  treeHeadBytes,
  type Meta,
  type Page,
  type PageFile,
  type TreeHead,
} from "./page-file.ts"

/** Size u32 or page number u48, flags u16 of a leaf, key length u16; then key and value. */
const nodeHeaderBytes = 8
const bigDataFlag = 1
const subTreeFlag = 2
/** Page number, transaction and page count of a large value, u64 each. */
const bigHeadBytes = 24
/**
 * LMDB's compacting copy writes this transaction to every tree page and entry, but keeps the
 * original transaction in the pages of large values (mdb.c: mdb_env_cwalk).
 */
const copyTransaction = 1
const listOfTables = "the list of tables"
/** Length of `TreeEntry.head`. */
const headBytes = 16
/**
 * The flags of the free list that define the order of its keys, which are numbers (lmdb.h:
 * MDB_REVERSEKEY to MDB_REVERSEDUP, MDB_INTEGERKEY). Its other flags are those of the file. The
 * trees of tables have no flags.
 */
const orderFlags = 0x7e
const numberKeysFlag = 8
/** Maximum number of reported problems. */
const problemsMax = 1000

export interface TreeEntry {
  readonly key: Buffer
  /** Length of the value. */
  readonly length: number
  /** False if the key is before a visited one, or outside the bounds of its page. */
  readonly isInOrder: boolean
  /** The first `headBytes` of the value, or all; null for a large value that was not checked. */
  readonly head: Buffer | null
  /** Reads the value; throws CorruptError. The caller may keep the bytes. */
  value(): Buffer
  readonly isTree: boolean
}

interface WalkOptions {
  /** Maximum number of checked heads of large values; each costs a page read. */
  readonly largeValuesMax: number
  /** Whether to visit entries whose keys are out of order. */
  readonly visitsStrays?: boolean
  /** Called for each tree page with the number of visited pages, without large values. */
  readonly onPage?: (pages: number) => void
}

interface Node {
  readonly key: Buffer
  readonly flags: number
  /** Child page of a branch, or length of the value of a leaf. */
  readonly number: number
  readonly valueAt: number
}

interface Counts {
  branchPages: number
  leafPages: number
  overflowPages: number
  entries: number
}

type Compare = (left: Buffer, right: Buffer) => number

export class PageWalk {
  readonly problems: string[] = []
  private readonly file: PageFile
  private readonly meta: Meta
  private readonly used: Uint8Array
  private largeValuesLeft: number
  private readonly visitsStrays: boolean
  private readonly onPage: (pages: number) => void
  private pages = 0
  private counts: Counts = noCounts()
  private treeName = ""
  private compare: Compare = compareKeys
  /** The next key must be greater, or equal if this is a bound and not a key. */
  private lowerBound: { readonly key: Buffer; readonly isKey: boolean } | null = null

  constructor(file: PageFile, meta: Meta, options: WalkOptions) {
    this.file = file
    this.meta = meta
    this.used = new Uint8Array(Math.ceil((Math.min(meta.lastPage, file.pageCount) + 1) / 8))
    this.largeValuesLeft = options.largeValuesMax
    this.visitsStrays = options.visitsStrays ?? false
    this.onPage = options.onPage ?? (() => {})
  }

  /** Returns the trees in the main tree. */
  trees(): Map<string, TreeHead> {
    const found = new Map<string, TreeHead>()
    this.walk(listOfTables, this.meta.main, (entry) => {
      const { key, isTree } = entry
      const bytes = entry.value()
      // lmdb ends names with a zero.
      const name = key.toString("utf8").replace(/\0$/, "")
      if (isTree && bytes.length === treeHeadBytes) found.set(name, readTreeHead(bytes, 0))
      else this.report(`entry "${name}" is no table`)
    })
    return found
  }

  /** Visits every valid entry of a tree, in order. */
  walk(name: string, head: TreeHead, visit: (entry: TreeEntry) => void, compare?: Compare): void {
    this.treeName = name
    this.compare = compare ?? compareKeys
    this.counts = noCounts()
    this.lowerBound = null
    this.checkHead(head)
    if (head.root >= 0) this.descend({ number: head.root, depth: 1, end: null }, head, visit)
    const { counts } = this
    for (const each of Object.keys(counts) as (keyof Counts)[]) {
      if (counts[each] !== head[each])
        this.report(`${head[each]} ${each} instead of ${counts[each]}`)
    }
  }

  /** Checks that no used page is listed as free, because it would be overwritten. */
  checkFree(): void {
    const seen = new Uint8Array(this.used.length)
    const visit = (entry: TreeEntry): void => {
      const transaction = readU64(entry.key, 0)
      if (transaction > this.meta.transaction) {
        throw new CorruptError(`pages that transaction ${transaction} freed, after the last`)
      }
      for (const page of freePages(entry.value(), this.meta.lastPage)) {
        if (page < 2) this.report(`page ${page} is listed as free`)
        else if (hasBit(this.used, page)) this.report(`page ${page} is used and listed as free`)
        else if (hasBit(seen, page)) this.report(`page ${page} is listed as free twice`)
        else setBit(seen, page)
      }
    }
    this.walk("the list of free pages", this.meta.free, visit, compareU64)
  }

  private checkHead({ flags, depth, root }: TreeHead): void {
    const isFreeList = this.compare === compareU64
    const isOurs = isFreeList ? (flags & orderFlags) === numberKeysFlag : flags === 0
    if (!isOurs) this.report(`flags ${flags}`)
    if (root < 0 && depth > 0) this.report(`depth ${depth} of an empty tree`)
  }

  private descend(
    at: { number: number; depth: number; end: Buffer | null },
    head: TreeHead,
    visit: (entry: TreeEntry) => void,
  ): void {
    const page = this.treePage(at, head)
    if (page === null) return
    const isLeaf = page.kind === leafFlag
    this.counts[isLeaf ? "leafPages" : "branchPages"]++
    for (let i = 0; i < page.nodes.length; i++) {
      const node = page.nodes[i]!
      if (isLeaf) this.leafNode(page, node, at, visit)
      else {
        const end = page.nodes[i + 1]?.key ?? at.end
        this.descend({ number: node.number, depth: at.depth + 1, end }, head, visit)
        // The keys of the next page begin at the end of this page, even if this page is invalid.
        if (end !== null) this.lowerBound = { key: end, isKey: false }
      }
    }
  }

  /** Returns a tree page with its nodes; reports a problem and returns null if it is invalid. */
  private treePage(at: { number: number; depth: number }, head: TreeHead): TreePage | null {
    try {
      const page = this.claim(at.number)
      const isLeaf = page.kind === leafFlag
      if (!isLeaf && page.kind !== branchFlag) throw new CorruptError(`of kind ${page.kind}`)
      if (isLeaf !== (at.depth === head.depth)) throw new CorruptError(`at depth ${at.depth}`)
      return { ...page, nodes: nodesOf(page, isLeaf) }
    } catch (error) {
      this.reportCorruption(error, at.number)
      return null
    }
  }

  private leafNode(
    page: Page,
    node: Node,
    at: { number: number; end: Buffer | null },
    visit: (entry: TreeEntry) => void,
  ): void {
    try {
      const isInOrder = this.isInOrder(node.key, at.end)
      if (!isInOrder)
        this.report(`page ${at.number}: key ${node.key.toString("hex")} is out of order`)
      if ((node.flags & subTreeFlag) !== 0 && this.treeName !== listOfTables) {
        this.report(`page ${at.number}: key ${node.key.toString("hex")} has a tree as its value`)
      }
      const isLarge = (node.flags & bigDataFlag) !== 0
      const large = isLarge ? this.checkLarge(page, node) : null
      this.counts.entries++
      if (!isInOrder && !this.visitsStrays) return
      const entry = new PageEntry(this.file, page, node)
      entry.isInOrder = isInOrder
      entry.large = large
      visit(entry)
    } catch (error) {
      this.reportCorruption(error, at.number)
    }
  }

  /** True if the key is in order; the next key must then be greater. */
  private isInOrder(key: Buffer, end: Buffer | null): boolean {
    const { lowerBound, compare } = this
    const isBehind =
      lowerBound === null || compare(lowerBound.key, key) < (lowerBound.isKey ? 0 : 1)
    if (!isBehind || (end !== null && compare(key, end) >= 0)) return false
    this.lowerBound = { key, isKey: true }
    return true
  }

  /** Returns the first page of a large value, or null if it is not checked. */
  private checkLarge(page: Page, node: Node): Page | null {
    const { number, transaction, count } = largeHead(page, node)
    const least = Math.ceil((pageHeaderBytes + node.number) / this.file.pageBytes)
    if (count < least || count > this.file.pageCount) {
      throw new CorruptError(`a value of ${node.number} bytes in ${count} pages`)
    }
    for (let i = 0; i < count; i++) this.markUsed(number + i)
    this.counts.overflowPages += count
    if (this.largeValuesLeft <= 0) return null
    this.largeValuesLeft--
    const head = this.file.page(number)
    const isWhole =
      head.number === number &&
      head.kind === overflowFlag &&
      this.canHoldValueOf(transaction, head.transaction) &&
      head.bytes.readUInt32LE(20) === count
    if (!isWhole) throw new CorruptError(`page ${number} is not the value of this entry`)
    return head
  }

  /** True if an entry of one transaction may have a large value of the other. */
  private canHoldValueOf(entry: number, value: number): boolean {
    return entry === value || (entry === copyTransaction && value <= this.meta.transaction)
  }

  /** Reads a tree page and marks it as used; throws CorruptError if it is in use or invalid. */
  private claim(number: number): Page {
    this.markUsed(number)
    this.onPage(++this.pages)
    const page = this.file.page(number)
    if (page.number !== number) throw new CorruptError(`says that it is page ${page.number}`)
    if (page.transaction > this.meta.transaction) {
      throw new CorruptError(`of transaction ${page.transaction}, after the last`)
    }
    return page
  }

  private markUsed(number: number): void {
    if (number < 2 || number > this.meta.lastPage || number >= this.file.pageCount) {
      throw new CorruptError(`page ${number} does not exist`)
    }
    if (hasBit(this.used, number)) throw new CorruptError(`page ${number} is used twice`)
    setBit(this.used, number)
  }

  private reportCorruption(error: unknown, page: number): void {
    if (!(error instanceof CorruptError)) throw error
    this.report(`page ${page}: ${error.message}`)
  }

  private report(problem: string): void {
    if (this.problems.length < problemsMax) this.problems.push(`${this.treeName}: ${problem}`)
  }
}

interface TreePage extends Page {
  readonly nodes: readonly Node[]
}

class PageEntry implements TreeEntry {
  isInOrder = true
  /** The first page of a large value that was checked. */
  large: Page | null = null
  private readonly file: PageFile
  private readonly page: Page
  private readonly node: Node

  constructor(file: PageFile, page: Page, node: Node) {
    this.file = file
    this.page = page
    this.node = node
  }

  get key(): Buffer {
    return this.node.key
  }

  get length(): number {
    return this.node.number
  }

  get head(): Buffer | null {
    const { flags, number: length, valueAt } = this.node
    const isLarge = (flags & bigDataFlag) !== 0
    if (isLarge && this.large === null) return null
    const at = isLarge ? pageHeaderBytes : valueAt
    const { bytes } = this.large ?? this.page
    return bytes.subarray(at, at + Math.min(length, headBytes))
  }

  get isTree(): boolean {
    return (this.node.flags & subTreeFlag) !== 0
  }

  value(): Buffer {
    const { flags, number: length, valueAt } = this.node
    if ((flags & bigDataFlag) === 0) return this.page.bytes.subarray(valueAt, valueAt + length)
    const { number } = largeHead(this.page, this.node)
    return this.file.bytes(number, pageHeaderBytes + length).subarray(pageHeaderBytes)
  }
}

function noCounts(): Counts {
  return { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 }
}

/** Returns the nodes of a page, which fill it from its upper bound to its end. */
function nodesOf({ bytes }: Page, isLeaf: boolean): Node[] {
  const size = bytes.length - pageHeaderBytes
  const lower = bytes.readUInt16LE(20)
  const upper = bytes.readUInt16LE(22)
  const isFilled = lower % 2 === 0 && lower > 0 && lower <= upper && upper <= size
  if (!isFilled) throw new CorruptError(`bounds ${lower} and ${upper}`)
  const nodes: Node[] = []
  let total = 0
  for (let i = 0; i < lower / 2; i++) {
    const start = bytes.readUInt16LE(pageHeaderBytes + 2 * i)
    if (start < upper || start + nodeHeaderBytes > size) throw new CorruptError(`node at ${start}`)
    const { node, length } = nodeAt(bytes, pageHeaderBytes + start, isLeaf)
    if (start + length > size) throw new CorruptError(`node of ${length} bytes at ${start}`)
    total += length + (length % 2)
    nodes.push(node)
  }
  if (total !== size - upper) throw new CorruptError(`nodes of ${total} bytes in ${size - upper}`)
  return nodes
}

function nodeAt(bytes: Buffer, at: number, isLeaf: boolean): { node: Node; length: number } {
  const low = bytes.readUInt32LE(at)
  const flags = bytes.readUInt16LE(at + 4)
  const keyLength = bytes.readUInt16LE(at + 6)
  const valueAt = at + nodeHeaderBytes + keyLength
  const key = bytes.subarray(at + nodeHeaderBytes, valueAt)
  if (!isLeaf) {
    const number = low + flags * 2 ** 32
    return { node: { key, flags: 0, number, valueAt }, length: nodeHeaderBytes + keyLength }
  }
  if ((flags & ~(bigDataFlag | subTreeFlag)) !== 0) throw new CorruptError(`node flags ${flags}`)
  const inlineBytes = (flags & bigDataFlag) === 0 ? low : bigHeadBytes
  const length = nodeHeaderBytes + keyLength + inlineBytes
  return { node: { key, flags, number: low, valueAt }, length }
}

function largeHead({ bytes }: Page, { valueAt }: Node) {
  return {
    number: readU64(bytes, valueAt),
    transaction: readU64(bytes, valueAt + 8),
    count: readU64(bytes, valueAt + 16),
  }
}

function hasBit(bits: Uint8Array, at: number): boolean {
  return (bits[at >> 3]! & (1 << (at & 7))) !== 0
}
function setBit(bits: Uint8Array, at: number): void {
  bits[at >> 3]! |= 1 << (at & 7)
}
