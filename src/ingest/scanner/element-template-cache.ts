/**
 * Heads: posts by which elements are recognised, byte by byte.
 *
 *   {"id":"srv-1","type":"SERVER","metrics": [{…},{…}] ,"samples":[ … ],"tags":[…]}
 *   └────────────── start ─────────────────┘└─ shape ─┘└── middle ─┘   └─── tail ──┘
 *
 * An entry says: these bytes are a valid element that changes nothing in the catalogue. It is
 * believed for as long as nothing about the element has changed since.
 */

import type { ElementInfo, ElementPatch, MetricPatch } from "../../model/element.ts"
import { hashBytes, matchesLiteral } from "./byte-literal.ts"
import type { ScanState } from "./scan-state.ts"
import type { SampleTemplates } from "./sample-templates.ts"

/** Collectors that may describe one element in turn, each in its own words. */
const variantsMax = 4
/**
 * When full, one of so many newcomers displaces the oldest, so that a crowd too large does not
 * churn.
 */
const admitEvery = 16
/** Beside the bytes that it compares: objects, headers, its slot in the map. */
const entryBytes = 320

/** No series, provisional ones included, has this number. */
export const unknownSeries = -(2 ** 31)

/** What a post says of its element and of those metrics that are not known so already. */
export interface PostedChanges {
  /** The element's cleaned id. */
  readonly fqn: string
  readonly patch: ElementPatch
  readonly metrics: ReadonlyMap<string, MetricPatch>
}

export interface ElementTemplate {
  readonly hash: number
  readonly tenant: number
  /** -1 where the post that is read now is its first; such an entry has news and no info yet. */
  element: number
  /** What the post that is read now says that is not known yet; see news.ts. */
  changes: PostedChanges | undefined
  /** The metrics section of that post, where it is not the shape's. */
  changedSection: Buffer | undefined
  info: ElementInfo | undefined
  /** Count of changes of the element when the entry was made. */
  version: number
  sampleTemplates: SampleTemplates
  /** Start, middle and tail as literals, one behind the other. */
  readonly words: Float64Array
  readonly startLength: number
  readonly middleAt: number
  readonly middleLength: number
  readonly tailAt: number
  readonly tailLength: number
  /** False where the post has no list of samples, and all of it is its start, shape and middle. */
  readonly hasSamples: boolean
  /**
   * Series by template of the shape; `unknownSeries` where not looked up yet. While the element has
   * no number they are provisional (slow/plan.ts).
   */
  series: Int32Array
  /** An older entry with the same hash. */
  older: ElementTemplate | undefined
  /** What it counts for in the cache; 0 where it is not kept. */
  byteSize: number
}

export class ElementTemplateCache {
  /** What entries and shapes hold, in bytes, roughly. */
  byteSize = 0
  private readonly bytesMax: number
  private readonly entries = new Map<number, ElementTemplate>()
  private readonly sampleTemplates = new Map<number, SampleTemplates>()
  private rejectedCount = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** The entry whose head stands at `at`, or `undefined`. */
  find(scan: ScanState, hash: number, at: number): ElementTemplate | undefined {
    let entry = this.entries.get(hash)
    while (entry !== undefined && matchHead(scan, entry, at) < 0) entry = entry.older
    return entry
  }

  /** The entry that was added last for a hash, whatever stands in the body. */
  newest(hash: number): ElementTemplate | undefined {
    return this.entries.get(hash)
  }

  /** Adds an entry, where there is room for it now. */
  add(entry: ElementTemplate): void {
    const bytes = sizeOf(entry)
    if (
      !this.admits(bytes + entry.sampleTemplates.byteSize - entry.sampleTemplates.accountedBytes)
    ) {
      this.discardUnused(entry)
      return
    }
    entry.older = this.entries.get(entry.hash)
    this.entries.set(entry.hash, entry)
    // Another head may have dropped the shape to make room.
    this.sampleTemplates.set(entry.sampleTemplates.hash, entry.sampleTemplates)
    entry.byteSize = bytes
    this.byteSize += bytes
    entry.sampleTemplates.refCount++
    this.dropOldVariants(entry)
    this.updateSize(entry)
  }

  /** Forgets the shape of an entry that is not kept, where no other rests on it. */
  discardUnused({ sampleTemplates }: ElementTemplate): void {
    if (sampleTemplates.refCount === 0) this.dropSampleTemplates(sampleTemplates)
  }

  /** Counts what the entry and its shape have grown by; one that is not kept is not counted. */
  updateSize(entry: ElementTemplate): void {
    if (entry.byteSize === 0) return
    const bytes = sizeOf(entry)
    const shapeBytes = entry.sampleTemplates.byteSize
    this.byteSize += bytes - entry.byteSize + shapeBytes - entry.sampleTemplates.accountedBytes
    entry.byteSize = bytes
    entry.sampleTemplates.accountedBytes = shapeBytes
    if (this.byteSize > this.bytesMax) this.evictTo(this.bytesMax)
  }

  /** Gives a kept entry its amended section in place of the one that it had. */
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
      // The samples of the metrics that stayed look as before, so the templates stay, too.
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
    if (--entry.sampleTemplates.refCount === 0) this.dropSampleTemplates(entry.sampleTemplates)
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

  shape(hash: number): SampleTemplates | undefined {
    return this.sampleTemplates.get(hash)
  }

  /** Adds a shape, in place of one that differs and has the same hash. */
  addSampleTemplates(shape: SampleTemplates): void {
    this.sampleTemplates.set(shape.hash, shape)
  }

  private admits(bytes: number): boolean {
    if (this.byteSize + bytes <= this.bytesMax) return true
    if (bytes > this.bytesMax || ++this.rejectedCount % admitEvery !== 0) return false
    this.evictTo(this.bytesMax - bytes)
    return true
  }

  /** Drops the oldest entries. */
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
    entry.byteSize = 0
    if (--entry.sampleTemplates.refCount === 0) this.dropSampleTemplates(entry.sampleTemplates)
  }

  private dropSampleTemplates(shape: SampleTemplates): void {
    this.byteSize -= shape.accountedBytes
    shape.accountedBytes = 0
    if (this.sampleTemplates.get(shape.hash) === shape) this.sampleTemplates.delete(shape.hash)
  }
}

function sizeOf(entry: ElementTemplate): number {
  return entryBytes + 8 * entry.words.length + 4 * entry.series.length
}

/** Under which a shape is kept that elements of a tenant share. */
export function hashSection(section: Buffer, tenant: number): number {
  const view = new DataView(section.buffer, section.byteOffset, section.length)
  return hashBytes(view, 0, section.length, tenant)
}

/** Index behind the entry's head at `at`, or -1 where other bytes stand there. */
export function matchHead(scan: ScanState, entry: ElementTemplate, at: number): number {
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

/** Index behind the entry's tail at `at`, or -1. */
export function matchTail(scan: ScanState, entry: ElementTemplate, at: number): number {
  const end = at + entry.tailLength
  if (end > scan.limit) return -1
  return matchesLiteral(scan.view, at, entry.words, entry.tailAt, entry.tailLength) ? end : -1
}

/** As `matchHead`, where the metrics section ends at `sectionEnd`, whatever it says. */
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
