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
import type { LeftOutCounter } from "../left-out.ts"
import type { AcceptedPeriod, IngestRequest } from "../request.ts"
import { hasUtf8Mark } from "../parser/decode.ts"
import { readChangedSection } from "./changed-section.ts"
import { findId } from "./member-ranges.ts"
import type { ElementTemplate } from "./element-template-cache.ts"
import { ElementTemplateCache, matchAroundSection, matchTail } from "./element-template-cache.ts"
import { copyBytes, isKnownId, buildTemplate } from "./build-template.ts"
import { hashBytes } from "./byte-literal.ts"
import { MetricIdCache } from "./metric-id-cache.ts"
import { PendingChanges } from "./pending-changes.ts"
import { readSamples } from "./element-samples.ts"
import { ScanState } from "./scan-state.ts"
import { MetricsSectionCache } from "./metrics-section-cache.ts"
import { closeBracket, comma, stringEnd, openBrace, openBracket, skipSpace } from "./skip.ts"

/** Slots of `restlessness`; ids that share one only share a delay. */
const backoffSlots = 65_536
/** Posts that are sent down the slow path unseen after one that could not be learned. */
const backoffAfterFailure = 8
/** What learning a head costs in restlessness, paid back by being recognised. */
const backoffPerBuild = 3
const backoffMax = 24
/**
 * A body with more lessons than these, of shorter elements than those, goes down the slow path: of
 * 7,000 tiny newcomers in 100 kB that takes 6 ms, and as many lessons took 50. The next bodies of
 * the same elements go on where it stopped, until all are learned.
 */
const buildsMax = 256
const buildBytesMin = 512

export class Scanner {
  readonly cache: ElementTemplateCache
  /** Read by `readSamples`. */
  readonly catalogue: Catalogue
  readonly metricIds: MetricIdCache
  /** What the body that was read last says that is not known yet. */
  readonly pendingChanges: PendingChanges
  private readonly scan = new ScanState()
  private readonly sections = new MetricsSectionCache()
  /** Changes of each element that this reader made. */
  private versions = new Uint32Array(0)
  /**
   * How much learning was spent in vain on ids, by hash: posts that differ every time would
   * otherwise cost a lesson each, on top of the slow path.
   */
  private readonly backoffScores = new Uint8Array(backoffSlots)
  /** How many strangers to send down the slow path unseen: their ids tell nothing. */
  private unknownElementsToSkip = 0
  /** Heads that were parsed for the body that is read. */
  private builds = 0

  constructor(catalogue: Catalogue, cacheBytesMax: number) {
    this.catalogue = catalogue
    this.cache = new ElementTemplateCache(cacheBytesMax)
    this.metricIds = new MetricIdCache(catalogue)
    this.pendingChanges = new PendingChanges(catalogue, this.cache)
  }

  /**
   * Reads a body into `columns`, where the caller has begun a request. Returns the count of
   * elements, or -1 where the slow path has to read it; the caller then rolls the columns back.
   * Where the body brings news, the caller carries out their plan and then calls `commitChanges`.
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
    if (this.pendingChanges.start(request.tenant)) this.unknownElementsToSkip = backoffAfterFailure
    this.builds = 0
    const mark = hasUtf8Mark(body) ? 3 : 0
    const { bytes } = scan
    let at = skipSpace(bytes, body.byteOffset + mark)
    if (bytes[at] !== openBracket) return -1
    at = skipSpace(bytes, at + 1)
    if (bytes[at] === closeBracket) return at + 1 === scan.limit ? 0 : -1
    for (let elements = 1; elements <= elementsPerRequestMax; elements++) {
      scan.elementIndex = elements - 1
      at = this.readElement(at)
      if (at < 0 || this.isBuildingTooMuch(at - body.byteOffset)) return -1
      at = skipSpace(bytes, at)
      if (bytes[at] === closeBracket) return at + 1 === scan.limit ? elements : -1
      if (bytes[at] !== comma) return -1
      at = skipSpace(bytes, at + 1)
    }
    return -1
  }

  /** What was left out of the body that was read last. */
  get leftOut(): LeftOutCounter {
    return this.scan.leftOut
  }

  /** Tells that something about a known element has changed: its heads are no longer believed. */
  invalidate(element: number): void {
    if (element >= this.versions.length) {
      const larger = new Uint32Array(Math.max(1024, element + 1, 2 * this.versions.length))
      larger.set(this.versions)
      this.versions = larger
    }
    this.versions[element]!++
  }

  /** What the last body said is known now. */
  commitChanges(): void {
    this.pendingChanges.commit(this.versionOf)
  }

  private readonly versionOf = (element: number): number =>
    element < this.versions.length ? this.versions[element]! : 0

  private readElement(start: number): number {
    const { scan } = this
    if (scan.bytes[start] !== openBrace) return -1
    const idStart = findId(scan, start)
    const idEnd = idStart < 0 ? -1 : stringEnd(scan.bytes, idStart, scan.limit)
    if (idEnd < 0) return -1
    const hash = hashBytes(scan.view, idStart, idEnd, scan.tenant)
    const entry =
      this.matchTemplate(hash, start) ??
      this.matchChangedSection(hash, start) ??
      this.build(hash, start, idStart, idEnd)
    if (entry === undefined || !this.pendingChanges.startElement(entry)) return -1

    const section = entry.changedSection ?? entry.sampleTemplates.section
    const at = start + entry.startLength + section.length + entry.middleLength
    if (!entry.hasSamples) return at
    const end = readSamples(scan, entry, at, this)
    this.cache.updateSize(entry)
    if (end < 0) return -1
    const behind = matchTail(scan, entry, end)
    // The same head with another tail would be taken for this one again and again.
    if (behind < 0) this.cache.remove(entry)
    return behind
  }

  /** True where what it took for `bytes` of a body is better done by the slow path. */
  private isBuildingTooMuch(bytes: number): boolean {
    return this.builds > buildsMax && bytes < this.builds * buildBytesMin
  }

  private matchTemplate(hash: number, at: number): ElementTemplate | undefined {
    const entry = this.cache.find(this.scan, hash, at)
    if (entry === undefined) return undefined
    if (!this.isCurrent(entry)) {
      this.cache.remove(entry)
      return undefined
    }
    const slot = hash & (backoffSlots - 1)
    if (this.backoffScores[slot]! > 0) this.backoffScores[slot]!--
    return entry
  }

  /** False where something about the element has changed since the entry was made. */
  private isCurrent({ element, info, version }: ElementTemplate): boolean {
    return info === this.catalogue.elementInfo(element) && version === this.versionOf(element)
  }

  /** The entry of a post that is as before but for metrics that its element never had. */
  private matchChangedSection(hash: number, at: number): ElementTemplate | undefined {
    const { scan, catalogue } = this
    const entry = this.cache.newest(hash)
    if (entry?.tenant !== scan.tenant || !entry.sampleTemplates.isPlain || !this.isCurrent(entry)) {
      return undefined
    }
    const { element, startLength, sampleTemplates } = entry
    const fqn = catalogue.elementFqn(element)
    const isKnown = (fqn: string): boolean => {
      const name = catalogue.findName(scan.tenant, fqn)
      return name >= 0 && catalogue.findSeries(element, name) >= 0
    }
    const start = at + startLength
    const amended = readChangedSection(scan, start, sampleTemplates.section, isKnown)
    if (amended === undefined || matchAroundSection(scan, entry, at, amended.end) < 0)
      return undefined
    entry.changes = { fqn, patch: {}, metrics: amended.metrics }
    entry.changedSection = copyBytes(scan, start, amended.end)
    return entry
  }

  private build(
    hash: number,
    start: number,
    idStart: number,
    idEnd: number,
  ): ElementTemplate | undefined {
    const { scan, catalogue, cache, sections, versionOf } = this
    if (this.unknownElementsToSkip > 0 && !isKnownId(scan, idStart, idEnd, catalogue)) {
      this.unknownElementsToSkip--
      return undefined
    }
    const slot = hash & (backoffSlots - 1)
    const rest = this.backoffScores[slot]!
    if (rest >= backoffAfterFailure) {
      this.backoffScores[slot] = rest - 1
      return undefined
    }
    this.builds++
    const learned = buildTemplate(scan, start, { catalogue, cache, sections, hash, versionOf })
    const cost = learned === undefined ? backoffAfterFailure : backoffPerBuild
    this.backoffScores[slot] = Math.min(backoffMax, rest + cost)
    if (learned !== undefined && learned.changes === undefined) cache.add(learned)
    return learned
  }
}
