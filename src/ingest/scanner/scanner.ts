/**
 * The scanner: bodies byte by byte, straight into columns.
 *
 *   per element   find its id ─► the head that was seen with it ─► one comparison
 *                 else a lesson: its head is parsed, and what is new of it goes into a plan,
 *                 all of it where nobody posted the element before
 *   per sample    predicted template ─► comparison of the parts, two numbers read
 *                 else the general reader
 *
 * It allocates nothing as long as nothing is new, and it accepts nothing that the slow path would
 * refuse: what it compares with went through the slow path's own code (learn.ts).
 */

import { elementsPerRequestMax } from "../../base/limits.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { SampleColumns } from "../../model/sample-columns.ts"
import type { LeftOut } from "../left-out.ts"
import type { AcceptedPeriod, IngestRequest } from "../request.ts"
import { hasUtf8Mark } from "../parser/decode.ts"
import { readAmended } from "./amend.ts"
import { findId } from "./member-ranges.ts"
import type { HeadEntry } from "./element-template-cache.ts"
import { HeadCache, matchAround, matchTail } from "./element-template-cache.ts"
import { copyBytes, isKnownId, learnHead } from "./build-template.ts"
import { hashBytes } from "./byte-literal.ts"
import { MetricSpellings } from "./names.ts"
import { News } from "./pending-changes.ts"
import { readSamples } from "./samples.ts"
import { Scan } from "./scan.ts"
import { Sections } from "./metrics-section-cache.ts"
import { closeBracket, comma, looseTextEnd, openBrace, openBracket, skipSpace } from "./skip.ts"

/** Slots of `restlessness`; ids that share one only share a delay. */
const restSlots = 65_536
/** Posts that are sent down the slow path unseen after one that could not be learned. */
const restAfterFailure = 8
/** What learning a head costs in restlessness, paid back by being recognised. */
const restPerLesson = 3
const restMax = 24
/**
 * A body with more lessons than these, of shorter elements than those, goes down the slow path: of
 * 7,000 tiny newcomers in 100 kB that takes 6 ms, and as many lessons took 50. The next bodies of
 * the same elements go on where it stopped, until all are learned.
 */
const lessonsMax = 256
const lessonBytesMin = 512

export class Scanner {
  readonly cache: HeadCache
  /** Read by `readSamples`. */
  readonly catalogue: Catalogue
  readonly spellings: MetricSpellings
  /** What the body that was read last says that is not known yet. */
  readonly news: News
  private readonly scan = new Scan()
  private readonly sections = new Sections()
  /** Changes of each element that this reader made. */
  private stamps = new Uint32Array(0)
  /**
   * How much learning was spent in vain on ids, by hash: posts that differ every time would
   * otherwise cost a lesson each, on top of the slow path.
   */
  private readonly restlessness = new Uint8Array(restSlots)
  /** How many strangers to send down the slow path unseen: their ids tell nothing. */
  private strangersLeft = 0
  /** Heads that were parsed for the body that is read. */
  private lessons = 0

  constructor(catalogue: Catalogue, cacheBytesMax: number) {
    this.catalogue = catalogue
    this.cache = new HeadCache(cacheBytesMax)
    this.spellings = new MetricSpellings(catalogue)
    this.news = new News(catalogue, this.cache)
  }

  /**
   * Reads a body into `columns`, where the caller has begun a request. Returns the count of
   * elements, or -1 where the slow path has to read it; the caller then rolls the columns back.
   * Where the body brings news, the caller carries out their plan and then calls `keepNews`.
   */
  read(
    body: Uint8Array,
    request: IngestRequest,
    period: AcceptedPeriod,
    columns: SampleColumns,
  ): number {
    const { scan } = this
    if (request.charset === "utf-16" || request.charset === "iso-8859-1") return -1
    if (!scan.start(body, request, period)) return -1
    scan.columns = columns
    if (this.news.start(request.tenant)) this.strangersLeft = restAfterFailure
    this.lessons = 0
    const mark = hasUtf8Mark(body) ? 3 : 0
    const { bytes } = scan
    let at = skipSpace(bytes, body.byteOffset + mark)
    if (bytes[at] !== openBracket) return -1
    at = skipSpace(bytes, at + 1)
    if (bytes[at] === closeBracket) return at + 1 === scan.limit ? 0 : -1
    for (let elements = 1; elements <= elementsPerRequestMax; elements++) {
      scan.elementIndex = elements - 1
      at = this.readElement(at)
      if (at < 0 || this.isTeachingTooMuch(at - body.byteOffset)) return -1
      at = skipSpace(bytes, at)
      if (bytes[at] === closeBracket) return at + 1 === scan.limit ? elements : -1
      if (bytes[at] !== comma) return -1
      at = skipSpace(bytes, at + 1)
    }
    return -1
  }

  /** What was left out of the body that was read last. */
  get leftOut(): LeftOut {
    return this.scan.leftOut
  }

  /** Tells that something about a known element has changed: its heads are no longer believed. */
  changed(element: number): void {
    if (element >= this.stamps.length) {
      const larger = new Uint32Array(Math.max(1024, element + 1, 2 * this.stamps.length))
      larger.set(this.stamps)
      this.stamps = larger
    }
    this.stamps[element]!++
  }

  /** What the last body said is known now. */
  keepNews(): void {
    this.news.keep(this.stampOf)
  }

  private readonly stampOf = (element: number): number =>
    element < this.stamps.length ? this.stamps[element]! : 0

  private readElement(start: number): number {
    const { scan } = this
    if (scan.bytes[start] !== openBrace) return -1
    const idStart = findId(scan, start)
    const idEnd = idStart < 0 ? -1 : looseTextEnd(scan.bytes, idStart, scan.limit)
    if (idEnd < 0) return -1
    const hash = hashBytes(scan.view, idStart, idEnd, scan.tenant)
    const entry =
      this.recognise(hash, start) ??
      this.amend(hash, start) ??
      this.learn(hash, start, idStart, idEnd)
    if (entry === undefined || !this.news.startElement(entry)) return -1

    const section = entry.amended ?? entry.shape.section
    const at = start + entry.startLength + section.length + entry.middleLength
    if (!entry.hasSamples) return at
    const end = readSamples(scan, entry, at, this)
    this.cache.account(entry)
    if (end < 0) return -1
    const behind = matchTail(scan, entry, end)
    // The same head with another tail would be taken for this one again and again.
    if (behind < 0) this.cache.remove(entry)
    return behind
  }

  /** True where what it took for `bytes` of a body is better done by the slow path. */
  private isTeachingTooMuch(bytes: number): boolean {
    return this.lessons > lessonsMax && bytes < this.lessons * lessonBytesMin
  }

  private recognise(hash: number, at: number): HeadEntry | undefined {
    const entry = this.cache.find(this.scan, hash, at)
    if (entry === undefined) return undefined
    if (!this.isTrue(entry)) {
      this.cache.remove(entry)
      return undefined
    }
    const slot = hash & (restSlots - 1)
    if (this.restlessness[slot]! > 0) this.restlessness[slot]!--
    return entry
  }

  /** False where something about the element has changed since the entry was made. */
  private isTrue({ element, info, stamp }: HeadEntry): boolean {
    return info === this.catalogue.elementInfo(element) && stamp === this.stampOf(element)
  }

  /** The entry of a post that is as before but for metrics that its element never had. */
  private amend(hash: number, at: number): HeadEntry | undefined {
    const { scan, catalogue } = this
    const entry = this.cache.newest(hash)
    if (entry?.tenant !== scan.tenant || !entry.shape.isPlain || !this.isTrue(entry)) {
      return undefined
    }
    const { element, startLength, shape } = entry
    const fqn = catalogue.elementFqn(element)
    const isKnown = (fqn: string): boolean => {
      const name = catalogue.findName(scan.tenant, fqn)
      return name >= 0 && catalogue.findSeries(element, name) >= 0
    }
    const start = at + startLength
    const amended = readAmended(scan, start, shape.section, isKnown)
    if (amended === undefined || matchAround(scan, entry, at, amended.end) < 0) return undefined
    entry.news = { fqn, patch: {}, metrics: amended.metrics }
    entry.amended = copyBytes(scan, start, amended.end)
    return entry
  }

  private learn(
    hash: number,
    start: number,
    idStart: number,
    idEnd: number,
  ): HeadEntry | undefined {
    const { scan, catalogue, cache, sections, stampOf } = this
    if (this.strangersLeft > 0 && !isKnownId(scan, idStart, idEnd, catalogue)) {
      this.strangersLeft--
      return undefined
    }
    const slot = hash & (restSlots - 1)
    const rest = this.restlessness[slot]!
    if (rest >= restAfterFailure) {
      this.restlessness[slot] = rest - 1
      return undefined
    }
    this.lessons++
    const learned = learnHead(scan, start, { catalogue, cache, sections, hash, stampOf })
    const cost = learned === undefined ? restAfterFailure : restPerLesson
    this.restlessness[slot] = Math.min(restMax, rest + cost)
    if (learned !== undefined && learned.news === undefined) cache.add(learned)
    return learned
  }
}
