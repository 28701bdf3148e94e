/**
 * Shapes: what posts of many elements have in common.
 *
 * A shape is the bytes of one metrics section, shared by all elements that send the same ones, and
 * a template for each sample that was seen under it:
 *
 *   {"metricId":"cpu.user","timestamp": 1700000000123 ,"val": 25.37 }
 *   └──────────── part ───────────────┘└─── slot ────┘└─part─┘└slot┘└part┘
 *
 * A sample that looks as predicted costs the comparison of its parts and the reading of its
 * numbers. After each template the one that followed last time is predicted.
 */

import { fieldCnt, fieldVal } from "../../model/sample-columns.ts"
import { hasUsableCount, numericCharactersMax } from "../value.ts"
import { hashBytes, matchesLiteral, putLiteral, wordsOf } from "./byte-literal.ts"
import { readNumber } from "./number.ts"
import { readTime } from "./general-sample.ts"
import type { ScanState } from "./scan-state.ts"
import { timeBytesMax, timeKind } from "./scan-state.ts"
import { quote } from "./skip.ts"

/** Bytes of the parts of one template; longer samples are read without one. */
const templateBytesMax = 1024
/** Samples without a template after which elements are mostly read without looking for one. */
const churnScoreMax = 128
/** How much an element whose samples all had one makes up for. */
const churnScoreRelief = 64
/** Every so many elements of a wild shape templates are tried again. */
const retryTemplatesEvery = 16
/** Templates of a shape beside two a declared metric: for metrics that nobody declared. */
const undeclaredTemplatesMax = 64

/** Columns are made with the first template: a list of elements without samples needs none. */
const noIntegers = new Int32Array(0)
const noFlags = new Uint8Array(0)
const noKinds = new Int8Array(0)
const noWords = new Float64Array(0)
const templatesMin = 8
const literalsMin = 32

export interface SampleTemplatesOptions {
  readonly tenant: number
  readonly section: Buffer
  readonly hash: number
  /** How many the section declares, and whether each once. */
  readonly metrics: number
  readonly isPlain: boolean
}

export class SampleTemplates {
  readonly tenant: number
  /** The metrics section; empty where elements have none that can be shared. */
  section: Buffer
  hash: number
  /** True where the section declares no metric twice. */
  readonly isPlain: boolean
  private readonly metrics: number
  private readonly templatesMax: number
  /** Entries that rest on this shape. */
  refCount = 0
  /** What the cache has counted for it. */
  accountedBytes = 0

  count = 0
  /** Predicted for the first sample of an element, and after each template; -1 where none is. */
  first = -1
  next = noIntegers
  /** Metric name of each template. */
  names = noIntegers
  /** Fields that a template's sample has. */
  masks = noFlags
  /** 1 where it has a timestamp. */
  timed = noFlags
  /** 1 where a sample is a timestamp, then a value, then its closing brace (predicted.ts). */
  simple = noFlags
  firstLiterals = noIntegers
  /** Templates by hash of all their parts, and the newest by hash of the metric id alone. */
  private readonly ordinals = new Map<number, number>()
  private readonly templatesById = new Map<number, number>()
  /** Where the metric id stands in the first template; 0 where there is none yet. */
  private idOffset = 0
  /** How many samples of late had no template, and could get none. */
  private churnScore = 0
  private elementsSeen = 0

  /**
   * Parts of all templates, each followed by a slot of its kind or, with -1, by the sample's end.
   */
  literalCount = 0
  literalStarts = noIntegers
  literalLengths = noIntegers
  followingKinds = noKinds
  words = noWords
  private wordCount = 0

  constructor(options: SampleTemplatesOptions) {
    this.tenant = options.tenant
    this.section = options.section
    this.hash = options.hash
    this.isPlain = options.isPlain
    this.metrics = options.metrics
    this.templatesMax = 2 * options.metrics + undeclaredTemplatesMax
  }

  /** True where no other template fits. */
  get isFull(): boolean {
    return this.count === this.templatesMax
  }

  /** A new shape of as many metrics. */
  copyWithSection(section: Buffer, hash: number): SampleTemplates {
    const { tenant, metrics, isPlain } = this
    return new SampleTemplates({ tenant, section, hash, metrics, isPlain })
  }

  /** Memory in use, roughly. */
  get byteSize(): number {
    const templates = this.next.length * 100 + this.literalStarts.length * 9 + this.words.length * 8
    return 500 + this.section.length + templates
  }

  /** True where the samples of an element are better read without looking for templates. */
  isChurning(): boolean {
    return this.churnScore > churnScoreMax && ++this.elementsSeen % retryTemplatesEvery !== 0
  }

  /** Tells how many samples of an element had no template and got none. */
  noteUnmatched(unmatched: number): void {
    if (unmatched > 0) this.churnScore = Math.min(2 * churnScoreMax, this.churnScore + unmatched)
    else if (this.churnScore > 0) this.churnScore = Math.max(0, this.churnScore - churnScoreRelief)
  }

  /**
   * The template that the metric id of the sample at `at` points to, if the id stands where it did
   * in the first template; -1 where there is none. For senders whose order of metrics changes.
   */
  guessByMetricId(scan: ScanState, at: number): number {
    const { bytes, view, limit } = scan
    const start = at + this.idOffset
    if (this.idOffset === 0 || start >= limit || bytes[start - 1] !== quote) return -1
    let end = start
    while (end < limit && bytes[end] !== quote) end++
    return this.templatesById.get(hashBytes(view, start, end, 0)) ?? -1
  }

  /** The template of the sample `[start, end)` that `scan` has just read; -1 where it gets none. */
  templateOf(scan: ScanState, start: number, end: number, name: number): number {
    if (!scan.isTemplatable || end - start > templateBytesMax) return -1
    const hash = hashLiterals(scan, start, end)
    const known = this.ordinals.get(hash)
    if (known !== undefined) return matchTemplate(scan, this, known, start) === end ? known : -1
    if (this.isFull) return -1
    this.ordinals.set(hash, this.count)
    return this.add(scan, start, end, name)
  }

  private add(scan: ScanState, start: number, end: number, name: number): number {
    const template = this.count
    if (template === this.next.length) this.growTemplates()
    this.firstLiterals[template] = this.literalCount
    let timed = 0
    let partStart = start
    for (let slot = 0; slot < scan.valueCount; slot++) {
      const kind = scan.valueKinds[slot]!
      if (kind === timeKind) timed = 1
      this.addLiteral(scan, partStart, scan.valueStarts[slot]!, kind)
      partStart = scan.valueEnds[slot]!
    }
    this.addLiteral(scan, partStart, end, -1)
    this.next[template] = -1
    this.names[template] = name
    if (template === 0) this.idOffset = scan.metricStart - start
    this.templatesById.set(hashBytes(scan.view, scan.metricStart, scan.metricEnd, 0), template)
    this.masks[template] = scan.fields.mask
    this.timed[template] = timed
    this.simple[template] = isSimple(scan, end) ? 1 : 0
    this.count = template + 1
    return template
  }

  private addLiteral(scan: ScanState, start: number, end: number, kind: number): void {
    const part = this.literalCount
    if (part === this.literalStarts.length) this.growLiterals()
    const length = end - start
    this.literalLengths[part] = length
    this.followingKinds[part] = kind
    this.literalStarts[part] = this.sharedWords(scan, start, length)
    this.literalCount = part + 1
  }

  /**
   * Most templates differ in their first part only: a part like one of the last few is not
   * repeated.
   */
  private sharedWords(scan: ScanState, start: number, length: number): number {
    const oldest = Math.max(0, this.literalCount - 8)
    for (let part = this.literalCount - 1; part >= oldest; part--) {
      const at = this.literalStarts[part]!
      if (this.literalLengths[part] !== length) continue
      if (matchesLiteral(scan.view, start, this.words, at, length)) return at
    }
    const at = this.wordCount
    const end = at + wordsOf(length)
    if (end > this.words.length) this.words = grown(this.words, new Float64Array(2 * end))
    putLiteral(this.words, at, scan.view, start, length)
    this.wordCount = end
    return at
  }

  private growTemplates(): void {
    const length = Math.max(templatesMin, 2 * this.next.length)
    this.next = grown(this.next, new Int32Array(length))
    this.names = grown(this.names, new Int32Array(length))
    this.masks = grown(this.masks, new Uint8Array(length))
    this.simple = grown(this.simple, new Uint8Array(length))
    this.timed = grown(this.timed, new Uint8Array(length))
    this.firstLiterals = grown(this.firstLiterals, new Int32Array(length))
  }

  private growLiterals(): void {
    const length = Math.max(literalsMin, 2 * this.literalStarts.length)
    this.literalStarts = grown(this.literalStarts, new Int32Array(length))
    this.literalLengths = grown(this.literalLengths, new Int32Array(length))
    this.followingKinds = grown(this.followingKinds, new Int8Array(length))
  }
}

function grown<T extends { set(from: T): void }>(column: T, larger: T): T {
  larger.set(column)
  return larger
}

function isSimple({ valueCount, valueKinds, valueEnds }: ScanState, end: number): boolean {
  const isPlain = valueCount === 2 && valueKinds[0] === timeKind && valueKinds[1] === fieldVal
  return isPlain && valueEnds[1] === end - 1
}

/** Hash of everything in a sample but its slots. */
function hashLiterals(scan: ScanState, start: number, end: number): number {
  let hash = 0
  for (let slot = 0; slot < scan.valueCount; slot++) {
    hash = hashBytes(scan.view, start, scan.valueStarts[slot]!, hash + scan.valueKinds[slot]!)
    start = scan.valueEnds[slot]!
  }
  return hashBytes(scan.view, start, end, hash)
}

/**
 * Reads the sample at `at` as one that looks like the template; returns the index behind it, or -1.
 * Fills time and fields of `scan` as `readSample` does; after -1 they hold nothing of use.
 */
export function matchTemplate(
  scan: ScanState,
  templates: SampleTemplates,
  template: number,
  at: number,
): number {
  const { bytes, view, limit, fields } = scan
  const { words, literalStarts, literalLengths, followingKinds } = templates
  if (templates.timed[template] === (scan.injectTimestamp ? 1 : 0)) return -1
  let part = templates.firstLiterals[template]!
  for (;;) {
    const length = literalLengths[part]!
    if (at + length > limit || !matchesLiteral(view, at, words, literalStarts[part]!, length))
      return -1
    at += length
    let kind = followingKinds[part++]!
    if (kind === timeKind) {
      if (isRepeated(scan, templates, literalStarts[part]!, at)) {
        scan.timeMs[0] = scan.repeatedMs[0]!
        at += scan.repeatedLength
      } else {
        at = readNewTime(scan, templates, part, at)
        if (at < 0) return -1
      }
      kind = followingKinds[part++]!
    }
    if (kind < 0) break
    const end = readNumber(bytes, at, fields.values, kind)
    if (end < 0 || end - at > numericCharactersMax) return -1
    at = end
  }
  const mask = templates.masks[template]!
  fields.mask = mask
  if (mask >> fieldCnt !== 0 && !hasUsableCount(fields)) return -1
  return at
}

/** True where the last timestamp and the part behind it stand at `at` again. */
export function isRepeated(
  scan: ScanState,
  templates: SampleTemplates,
  literalAt: number,
  at: number,
): boolean {
  return (
    scan.repeatedOwner === templates &&
    scan.repeatedAt === literalAt &&
    at + scan.repeatedLength <= scan.limit &&
    matchesLiteral(scan.view, at, scan.repeatedWords, 0, scan.repeatedLength)
  )
}

/**
 * Reads a timestamp into `scan.timeMs`, and the part behind it; returns the index behind both, or
 * -1. Both are remembered as one literal, since the next sample often repeats them.
 */
export function readNewTime(
  scan: ScanState,
  templates: SampleTemplates,
  part: number,
  at: number,
): number {
  const end = readTime(scan, at, scan.bytes[at - 1] === quote)
  const literalAt = templates.literalStarts[part]!
  const length = templates.literalLengths[part]!
  if (end < 0 || end + length > scan.limit) return -1
  if (!matchesLiteral(scan.view, end, templates.words, literalAt, length)) return -1
  const bothLength = end - at + length
  if (bothLength <= timeBytesMax) {
    putLiteral(scan.repeatedWords, 0, scan.view, at, bothLength)
    scan.repeatedLength = bothLength
    scan.repeatedOwner = templates
    scan.repeatedAt = literalAt
    scan.repeatedMs[0] = scan.timeMs[0]!
  }
  return end + length
}
