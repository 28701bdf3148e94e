/**
 * The scanner: parses bodies byte by byte, directly into columns.
 *
 *   per element   find its id ─► the template cached for it ─► one comparison
 *                 otherwise build one: its head is parsed, and unknown facts go into a plan,
 *                 all of it if the element is new
 *   per sample    predicted template ─► comparison of the literals, two numbers parsed
 *                 otherwise the general reader
 *
 * It allocates nothing as long as nothing is new, and accepts nothing that the reference parser
 * would refuse: all templates went through the reference parser's own code (build-template.ts).
 */

import { assert } from "../../base/assert.ts"
import { elementsPerRequestMax } from "../../base/limits.ts"
import { IntColumn, type Catalogue } from "../../catalogue/catalogue.ts"
import type { SampleBatchBuilder } from "../../model/sample-batch.ts"
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

/** Slots of `backoffScores`; ids that share one only share a delay. */
const backoffSlots = 65_536
/** Posts that go to the reference parser directly after one without a template. */
const backoffAfterFailure = 8
/** Score that building a template adds; each match deducts one. */
const backoffPerBuild = 3
const backoffMax = 24
/**
 * A body that needs more builds than this, for elements shorter than `buildBytesMin`, goes to the
 * reference parser: it takes 6 ms for 7,000 tiny new elements in 100 kB, where as many builds took
 * 50. The next bodies of the same elements continue where this one stopped, until all templates are
 * built.
 */
const buildsMax = 256
const buildBytesMin = 512

export class Scanner {
  readonly cache: ElementTemplateCache
  /** Used by `readSamples`. */
  readonly catalogue: Catalogue
  readonly metricIds: MetricIdCache
  /** Changes of the last body. */
  readonly pendingChanges: PendingChanges
  private readonly scan = new ScanState()
  private readonly sections = new MetricsSectionCache()
  /** Number of changes of each element by this reader. */
  private readonly versions = new IntColumn()
  /** The catalogue's count of forgotten names that the caches follow. */
  private forgottenNames = 0
  /**
   * Effort spent on templates that were not used again, by hash of the id: posts that differ every
   * time would otherwise cost a build each, in addition to the reference parser.
   */
  private readonly backoffScores = new Uint8Array(backoffSlots)
  /**
   * New elements that go to the reference parser directly: their ids say nothing about templates.
   */
  private unknownElementsToSkip = 0
  /** Templates built for the current body. */
  private builds = 0

  constructor(catalogue: Catalogue, cacheBytesMax: number) {
    this.catalogue = catalogue
    this.cache = new ElementTemplateCache(cacheBytesMax)
    this.metricIds = new MetricIdCache(catalogue)
    this.pendingChanges = new PendingChanges(catalogue, this.cache)
  }

  /**
   * Reads a body into `columns`, in which the caller has started a request. Returns the number of
   * elements, or -1 if the reference parser has to read the body; the caller then rolls the columns
   * back. If the body has changes, the caller applies their plan and then calls `commitChanges`.
   */
  read(
    body: Uint8Array,
    request: IngestRequest,
    period: AcceptedPeriod,
    columns: SampleBatchBuilder,
  ): number {
    const { scan } = this
    if (request.charset !== "none" && request.charset !== "utf-8") return -1
    if (!scan.start(body, request, period)) return -1
    scan.columns = columns
    if (this.pendingChanges.start(request.tenant)) this.unknownElementsToSkip = backoffAfterFailure
    if (this.catalogue.forgottenNames !== this.forgottenNames) this.clear()
    this.builds = 0
    const markLength = hasUtf8Mark(body) ? 3 : 0
    const { bytes } = scan
    let at = skipSpace(bytes, body.byteOffset + markLength)
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

  /** Samples left out of the last body. */
  get leftOut(): LeftOutCounter {
    return this.scan.leftOut
  }

  /** Invalidates the templates of an element that has changed, or was forgotten. */
  invalidate(element: number): void {
    assert(element >= 0, `Expected a known element, got ${element}`)
    // The templates of a forgotten element have an info that it has no more.
    if (!this.catalogue.isKnownElement(element)) this.versions.remove(element)
    else this.versions.set(element, this.versionOf(element) + 1)
  }

  /** Clears what refers to metric names by number. */
  private clear(): void {
    this.cache.clear()
    this.metricIds.clear()
    this.forgottenNames = this.catalogue.forgottenNames
  }

  /** Must be called when the changes of the last body were applied. */
  commitChanges(): void {
    this.pendingChanges.commit(this.versionOf)
  }

  private readonly versionOf = (element: number): number => Math.max(0, this.versions.get(element))

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
    assert(at > start, "Expected a template of at least one byte")
    if (!entry.hasSamples) return at
    const end = readSamples(scan, entry, at, this)
    this.cache.updateSize(entry)
    if (end < 0) return -1
    assert(end > at, "Expected samples to end behind their start")
    const behind = matchTail(scan, entry, end)
    // The same head with another tail would match this entry again and again.
    if (behind < 0) this.cache.remove(entry)
    return behind
  }

  /** True if the effort for `bytes` of a body exceeds that of the reference parser. */
  private isBuildingTooMuch(bytes: number): boolean {
    return this.builds > buildsMax && bytes < this.builds * buildBytesMin
  }

  private matchTemplate(hash: number, at: number): ElementTemplate | undefined {
    const { scan } = this
    const entry = this.cache.find(scan, hash, at)
    if (entry === undefined) return undefined
    assert(entry.tenant === scan.tenant, "Expected a template of the tenant that posts")
    // An element that comes again in a body behind changes of it has a mark: see `startElement`.
    assert(
      entry.changes === undefined || this.pendingChanges.hasChanged(entry.element),
      "Expected changes of this body alone",
    )
    if (!this.isCurrent(entry)) {
      this.cache.remove(entry)
      return undefined
    }
    const slot = hash & (backoffSlots - 1)
    if (this.backoffScores[slot]! > 0) this.backoffScores[slot]!--
    return entry
  }

  /** False if the element has changed since the entry was made. */
  private isCurrent({ element, info, version }: ElementTemplate): boolean {
    return info === this.catalogue.elementInfo(element) && version === this.versionOf(element)
  }

  /**
   * The entry of a post that equals the previous one except for metrics new to its element. Marks
   * the entry with these changes; `PendingChanges` removes the mark.
   */
  private matchChangedSection(hash: number, at: number): ElementTemplate | undefined {
    const { scan, catalogue } = this
    const entry = this.cache.newest(hash)
    if (entry?.tenant !== scan.tenant || !entry.sampleTemplates.isPlain || !this.isCurrent(entry)) {
      return undefined
    }
    const { element, startLength, sampleTemplates } = entry
    const fqn = catalogue.elementFqn(element)
    const isKnown = (metricFqn: string): boolean =>
      catalogue.findSeries(element, catalogue.findName(scan.tenant, metricFqn)) >= 0
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
    const score = this.backoffScores[slot]!
    if (score >= backoffAfterFailure) {
      this.backoffScores[slot] = score - 1
      return undefined
    }
    this.builds++
    const entry = buildTemplate(scan, start, { catalogue, cache, sections, hash, versionOf })
    const cost = entry === undefined ? backoffAfterFailure : backoffPerBuild
    this.backoffScores[slot] = Math.min(backoffMax, score + cost)
    if (entry !== undefined && entry.changes === undefined) cache.add(entry)
    return entry
  }
}
