/**
 * Element templates: the bytes of posted elements, by which later posts are recognised.
 *
 *   {"id":"srv-1","type":"SERVER","metrics": [{…},{…}] ,"samples":[ … ],"tags":[…]}
 *   └────────────── start ─────────────────┘└ section ┘└── middle ─┘   └─── tail ──┘
 *
 * A cached template states that these bytes are a valid element that changes nothing in the
 * catalogue. It is valid as long as nothing about the element has changed.
 */

import { assert } from "../../base/assert.ts"
import type { ElementIndex, TenantIndex } from "../../model/ids.ts"
import type { ElementInfo, ElementPatch } from "../../model/element.ts"
import type { PostedMetrics } from "../parser/posted-metrics.ts"
import { hashBytes, matchesLiteral } from "./byte-literal.ts"
import type { ScanState } from "./scan-state.ts"
import type { SampleTemplates } from "./sample-templates.ts"

/** Collectors that may describe one element in turn, each with different bytes. */
const variantsMax = 4
/**
 * If the cache is full, only every 16th new entry evicts the oldest one, so that too many elements
 * do not thrash it.
 */
const admitEvery = 16
/** Size of an entry besides its literals: objects, headers, its entry in the map. */
const entryBytes = 320

/** No series, not even a provisional one, has this number. */
export const unknownSeries = -(2 ** 31)

/** The facts about an element and its metrics that a post adds to what is known. */
export interface PostedChanges {
  /** The element's cleaned id. */
  readonly fqn: string
  readonly patch: ElementPatch
  readonly metrics: PostedMetrics
}

export interface ElementTemplate {
  readonly hash: number
  readonly tenant: TenantIndex
  /** -1 if the current post is the element's first; such an entry has changes and no info yet. */
  element: ElementIndex
  /** Changes of the post being read; see pending-changes.ts. */
  changes: PostedChanges | undefined
  /** The metrics section of that post, if it differs from the one of `sampleTemplates`. */
  changedSection: Buffer | undefined
  info: ElementInfo | undefined
  /** The element's count of changes when the entry was made. */
  version: number
  sampleTemplates: SampleTemplates
  /** Start, middle and tail as literals, one after the other. */
  readonly words: Float64Array
  readonly startLength: number
  readonly middleAt: number
  readonly middleLength: number
  readonly tailAt: number
  readonly tailLength: number
  /** False if the post has no list of samples and consists of start, section and middle only. */
  readonly hasSamples: boolean
  /**
   * Series by sample template; `unknownSeries` if not looked up yet. Provisional while the element
   * has no index (parser/catalogue-plan.ts).
   */
  series: Int32Array
  /** An older entry with the same hash. */
  older: ElementTemplate | undefined
  /** Counted size; 0 if it is not cached. */
  byteSize: number
}

export class ElementTemplateCache {
  /** Approximate size of entries and sample templates in bytes. */
  byteSize = 0
  private readonly bytesMax: number
  private readonly entries = new Map<number, ElementTemplate>()
  private readonly sampleTemplates = new Map<number, SampleTemplates>()
  private rejectedCount = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** Returns the entry whose head is at `at`, or `undefined`. */
  find(scan: ScanState, hash: number, at: number): ElementTemplate | undefined {
    let entry = this.entries.get(hash)
    while (entry !== undefined && matchHead(scan, entry, at) < 0) entry = entry.older
    return entry
  }

  /** Returns the latest entry for a hash, whatever bytes the body has. */
  newest(hash: number): ElementTemplate | undefined {
    return this.entries.get(hash)
  }

  /** Adds an entry if it is admitted. */
  add(entry: ElementTemplate): void {
    assert(entry.element >= 0 && entry.info !== undefined, "Expected a template of a known element")
    assert(entry.changes === undefined, "Expected a template whose changes are committed")
    const bytes = sizeOf(entry)
    if (
      !this.admits(bytes + entry.sampleTemplates.byteSize - entry.sampleTemplates.accountedBytes)
    ) {
      this.discardUnused(entry)
      return
    }
    entry.older = this.entries.get(entry.hash)
    this.entries.set(entry.hash, entry)
    // Another entry may have evicted the sample templates.
    this.sampleTemplates.set(entry.sampleTemplates.hash, entry.sampleTemplates)
    entry.byteSize = bytes
    this.byteSize += bytes
    entry.sampleTemplates.refCount++
    this.dropOldVariants(entry)
    this.updateSize(entry)
  }

  /** Drops the sample templates of an entry that is not cached, if no other entry uses them. */
  discardUnused({ sampleTemplates }: ElementTemplate): void {
    if (sampleTemplates.refCount === 0) this.dropSampleTemplates(sampleTemplates)
  }

  /** Counts the growth of a cached entry and its sample templates. */
  updateSize(entry: ElementTemplate): void {
    if (entry.byteSize === 0) return
    const bytes = sizeOf(entry)
    const shapeBytes = entry.sampleTemplates.byteSize
    this.byteSize += bytes - entry.byteSize + shapeBytes - entry.sampleTemplates.accountedBytes
    entry.byteSize = bytes
    entry.sampleTemplates.accountedBytes = shapeBytes
    if (this.byteSize > this.bytesMax) this.evictTo(this.bytesMax)
  }

  /** Replaces the section of a cached entry by its changed section. */
  replaceSection(entry: ElementTemplate): void {
    const { sampleTemplates, changedSection: section } = entry
    entry.changedSection = undefined
    if (section === undefined || entry.byteSize === 0) return
    const hash = hashSection(section, entry.tenant)
    const known = this.sampleTemplates.get(hash)
    if (known?.tenant === entry.tenant && known.section.equals(section)) this.moveTo(entry, known)
    else if (sampleTemplates.refCount > 1 || sampleTemplates.isFull)
      this.moveTo(entry, sampleTemplates.copyWithSection(section, hash))
    else {
      // The samples of the unchanged metrics look as before, so the templates are kept.
      if (this.sampleTemplates.get(sampleTemplates.hash) === sampleTemplates)
        this.sampleTemplates.delete(sampleTemplates.hash)
      sampleTemplates.section = section
      sampleTemplates.hash = hash
      this.sampleTemplates.set(hash, sampleTemplates)
    }
    this.updateSize(entry)
  }

  private moveTo(entry: ElementTemplate, findSampleTemplates: SampleTemplates): void {
    this.sampleTemplates.set(findSampleTemplates.hash, findSampleTemplates)
    findSampleTemplates.refCount++
    this.releaseSampleTemplates(entry)
    entry.sampleTemplates = findSampleTemplates
    entry.series = new Int32Array(0)
  }

  remove(entry: ElementTemplate): void {
    let kept = this.entries.get(entry.hash)
    if (kept === entry) {
      if (entry.older === undefined) this.entries.delete(entry.hash)
      else this.entries.set(entry.hash, entry.older)
    } else {
      while (kept !== undefined && kept.older !== entry) kept = kept.older
      if (kept === undefined) return
      kept.older = entry.older
    }
    this.release(entry)
  }

  findSampleTemplates(hash: number): SampleTemplates | undefined {
    return this.sampleTemplates.get(hash)
  }

  /** Adds sample templates, replacing others with the same hash. */
  addSampleTemplates(templates: SampleTemplates): void {
    this.sampleTemplates.set(templates.hash, templates)
  }

  /** Removes all entries. */
  clear(): void {
    this.entries.clear()
    this.sampleTemplates.clear()
    this.byteSize = 0
  }

  private admits(bytes: number): boolean {
    if (this.byteSize + bytes <= this.bytesMax) return true
    if (bytes > this.bytesMax || ++this.rejectedCount % admitEvery !== 0) return false
    this.evictTo(this.bytesMax - bytes)
    return true
  }

  /** Evicts the oldest entries. */
  private evictTo(bytesMax: number): void {
    for (const [hash, entry] of this.entries) {
      if (this.byteSize <= bytesMax) return
      this.entries.delete(hash)
      for (let old: ElementTemplate | undefined = entry; old !== undefined; old = old.older) {
        this.release(old)
      }
    }
  }

  private dropOldVariants(newest: ElementTemplate): void {
    let last = newest
    for (let i = 1; i < variantsMax && last.older !== undefined; i++) last = last.older
    for (let old = last.older; old !== undefined; old = old.older) this.release(old)
    last.older = undefined
  }

  private release(entry: ElementTemplate): void {
    this.byteSize -= entry.byteSize
    assert(this.byteSize >= 0, "Expected the size of the cache to count each entry once")
    entry.byteSize = 0
    this.releaseSampleTemplates(entry)
  }

  private releaseSampleTemplates({ sampleTemplates }: ElementTemplate): void {
    assert(sampleTemplates.refCount > 0, "Expected sample templates that the entry holds")
    if (--sampleTemplates.refCount === 0) this.dropSampleTemplates(sampleTemplates)
  }

  private dropSampleTemplates(templates: SampleTemplates): void {
    this.byteSize -= templates.accountedBytes
    templates.accountedBytes = 0
    if (this.sampleTemplates.get(templates.hash) === templates)
      this.sampleTemplates.delete(templates.hash)
  }
}

function sizeOf(entry: ElementTemplate): number {
  return entryBytes + 8 * entry.words.length + 4 * entry.series.length
}

/** The key of sample templates that the elements of a tenant share. */
function hashSection(section: Buffer, tenant: TenantIndex): number {
  const view = new DataView(section.buffer, section.byteOffset, section.length)
  return hashBytes(view, 0, section.length, tenant)
}

/** Returns the index after the entry's head at `at`, or -1 if the bytes differ. */
function matchHead(scan: ScanState, entry: ElementTemplate, at: number): number {
  const { view } = scan
  const { words, sampleTemplates, startLength, middleLength } = entry
  const sectionStart = at + startLength
  const sectionEnd = sectionStart + sampleTemplates.section.length
  const end = sectionEnd + middleLength
  if (entry.tenant !== scan.tenant || end > scan.limit) return -1
  if (!matchesLiteral(view, at, words, 0, startLength)) return -1
  if (!matchesLiteral(view, sectionEnd, words, entry.middleAt, middleLength)) return -1
  return sampleTemplates.section.compare(scan.bytes, sectionStart, sectionEnd) === 0 ? end : -1
}

/** Returns the index after the entry's tail at `at`, or -1. */
export function matchTail(scan: ScanState, entry: ElementTemplate, at: number): number {
  const end = at + entry.tailLength
  if (end > scan.limit) return -1
  return matchesLiteral(scan.view, at, entry.words, entry.tailAt, entry.tailLength) ? end : -1
}

/** As `matchHead`, with any metrics section that ends at `sectionEnd`. */
export function matchAroundSection(
  scan: ScanState,
  entry: ElementTemplate,
  at: number,
  sectionEnd: number,
): number {
  const { words, startLength, middleAt, middleLength } = entry
  const end = sectionEnd + middleLength
  if (end > scan.limit || !matchesLiteral(scan.view, at, words, 0, startLength)) return -1
  return matchesLiteral(scan.view, sectionEnd, words, middleAt, middleLength) ? end : -1
}
