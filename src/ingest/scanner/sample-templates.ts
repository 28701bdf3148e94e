/**
 * Sample templates: the common parts of the samples of many elements.
 *
 * They belong to the bytes of one metrics section, shared by all elements that send the same ones,
 * with a template for each form of sample seen under it:
 *
 *   {"metricId":"cpu.user","timestamp": 1700000000123 ,"val": 25.37 }
 *   └─────────── literal ──────────────┘└── value ────┘└ lit. ┘└ v. ┘└ literal
 *
 * A predicted sample costs the comparison of its literals and the parsing of its values. After each
 * template, the one that followed it last time is predicted.
 */

import type { TenantIndex } from "../../model/ids.ts"
import { fieldCnt, fieldVal } from "../../model/sample-batch.ts"
import { hasUsableCount, numericCharactersMax } from "../value.ts"
import { hashBytes, matchesLiteral, putLiteral, wordsOf } from "./byte-literal.ts"
import { readNumber } from "./number.ts"
import { readTime } from "./general-sample.ts"
import type { ScanState } from "./scan-state.ts"
import { timeBytesMax, timeKind } from "./scan-state.ts"
import { quote } from "./skip.ts"

/** Bytes of one template; longer samples are read without one. */
const templateBytesMax = 1024
/** Samples without a template after which most elements are read without trying templates. */
const churnScoreMax = 128
/** The score that an element deducts if all of its samples had a template. */
const churnScoreRelief = 64
/** Every 16th element with a churning section tries templates again. */
const retryTemplatesEvery = 16
/** Templates beyond two for each declared metric: for metrics that are not declared. */
const undeclaredTemplatesMax = 64

/** Columns are allocated with the first template: a list of elements without samples needs none. */
const noIntegers = new Int32Array(0)
const noFlags = new Uint8Array(0)
const noKinds = new Int8Array(0)
const noWords = new Float64Array(0)
const templatesMin = 8
const literalsMin = 32

interface SampleTemplatesOptions {
  readonly tenant: TenantIndex
  readonly section: Buffer
  readonly hash: number
  /** Number of declared metrics, and whether each is declared once. */
  readonly metrics: number
  readonly isPlain: boolean
}

export class SampleTemplates {
  readonly tenant: TenantIndex
  /** The metrics section; empty if the elements have none that can be shared. */
  section: Buffer
  hash: number
  /** True if the section declares no metric twice. */
  readonly isPlain: boolean
  private readonly metrics: number
  private readonly templatesMax: number
  /** Number of element templates that use these sample templates. */
  refCount = 0
  /** The size that the cache has counted. */
  accountedBytes = 0

  count = 0
  /** Predicted for the first sample of an element, and after each template; -1 for none. */
  first = -1
  next = noIntegers
  /** Metric name of each template. */
  names = noIntegers
  /** Fields that a template's sample has. */
  masks = noFlags
  /** 1 if it has a timestamp. */
  timed = noFlags
  /** 1 if a sample is a timestamp, then a value, then its closing brace (predicted-samples.ts). */
  simple = noFlags
  firstLiterals = noIntegers
  /** Templates by hash of all their literals, and the newest one by hash of the metric id alone. */
  private readonly ordinals = new Map<number, number>()
  private readonly templatesById = new Map<number, number>()
  /** Offset of the metric id in the first template; 0 if there is none yet. */
  private idOffset = 0
  /** Number of recent samples that had no template and got none. */
  private churnScore = 0
  private elementsSeen = 0

  /**
   * Literals of all templates, each followed by a value of its kind or, if -1, by the sample's end.
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

  /** True if no further template fits. */
  get isFull(): boolean {
    return this.count === this.templatesMax
  }

  /** New, empty sample templates for another section with as many metrics. */
  copyWithSection(section: Buffer, hash: number): SampleTemplates {
    const { tenant, metrics, isPlain } = this
    return new SampleTemplates({ tenant, section, hash, metrics, isPlain })
  }

  /** Approximate memory in use. */
  get byteSize(): number {
    const templates = this.next.length * 100 + this.literalStarts.length * 9 + this.words.length * 8
    return 500 + this.section.length + templates
  }

  /** True if the samples of the next element are better read without trying templates. */
  isChurning(): boolean {
    return this.churnScore > churnScoreMax && ++this.elementsSeen % retryTemplatesEvery !== 0
  }

  /** Records how many samples of an element had no template and got none. */
  noteUnmatched(unmatched: number): void {
    if (unmatched > 0) this.churnScore = Math.min(2 * churnScoreMax, this.churnScore + unmatched)
    else if (this.churnScore > 0) this.churnScore = Math.max(0, this.churnScore - churnScoreRelief)
  }

  /**
   * The template with the metric id of the sample at `at`, if the id is at the same offset as in
   * the first template; -1 otherwise. For clients that change the order of their metrics.
   */
  guessByMetricId(scan: ScanState, at: number): number {
    const { bytes, view, limit } = scan
    const start = at + this.idOffset
    if (this.idOffset === 0 || start >= limit || bytes[start - 1] !== quote) return -1
    let end = start
    while (end < limit && bytes[end] !== quote) end++
    return this.templatesById.get(hashBytes(view, start, end, 0)) ?? -1
  }

  /** The template of the sample `[start, end)`, which `scan` has just read; -1 if it gets none. */
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
   * Most templates differ in their first literal only: one that equals one of the last eight is
   * shared.
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

/** Hash of a sample without its values. */
function hashLiterals(scan: ScanState, start: number, end: number): number {
  let hash = 0
  for (let slot = 0; slot < scan.valueCount; slot++) {
    hash = hashBytes(scan.view, start, scan.valueStarts[slot]!, hash + scan.valueKinds[slot]!)
    start = scan.valueEnds[slot]!
  }
  return hashBytes(scan.view, start, end, hash)
}

/**
 * Reads the sample at `at` with the template; returns the index after it, or -1. Sets time and
 * fields of `scan` as `readSample` does; after -1 they are undefined.
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

/** True if the last timestamp and the literal after it occur again at `at`. */
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
 * Reads a timestamp into `scan.timeMs`, and the literal after it; returns the index after both, or
 * -1. Both are kept as one literal, since the next sample often repeats them.
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
