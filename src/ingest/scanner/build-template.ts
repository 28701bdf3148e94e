/**
 * Learning to recognise a post: its head and tail go through the very code of the slow path. What
 * they say that is not known yet is news (news.ts); once it is known they change nothing, and are
 * kept. A post that does not pass is left to the slow path.
 */

import { isUtf8 } from "node:buffer"
import { jsonDepthMax } from "../../base/limits.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { MetricPatch } from "../../model/element.ts"
import { cleanFqn } from "../../model/fqn.ts"
import { definitionHolds, infoHolds } from "../is-unchanged.ts"
import { isDeeperThan } from "../parser/depth.ts"
import { readElementPatch, readMetrics } from "../parser/element.ts"
import { FieldReader, isAbsent, isObject } from "../parser/fields.ts"
import { Place, Problems } from "../parser/problems.ts"
import { parsed } from "./amend.ts"
import type { Extents } from "./member-ranges.ts"
import { findExtents } from "./member-ranges.ts"
import type { HeadCache, HeadEntry, Said } from "./element-template-cache.ts"
import { hashBytes, putLiteral, wordsOf } from "./byte-literal.ts"
import type { Scan } from "./scan.ts"
import type { ParsedSection, Sections } from "./metrics-section-cache.ts"
import { Shape } from "./sample-template.ts"

/** A shorter metrics section is not worth a shape that elements share. */
const sectionBytesMin = 16
const noSection = Buffer.alloc(0)

export interface Lesson {
  readonly catalogue: Catalogue
  readonly cache: HeadCache
  readonly sections: Sections
  /** Under which the head will be looked for. */
  readonly hash: number
  readonly stampOf: (element: number) => number
}

/**
 * Makes an entry for the post at `start`, to be kept at once where it brings no news. `undefined`
 * where the post is not understood.
 */
export function learnHead(scan: Scan, start: number, lesson: Lesson): HeadEntry | undefined {
  const extents = findExtents(scan, start)
  if (extents === undefined) return undefined
  const post = parsePost(scan, start, extents, lesson.sections)
  if (post === undefined) return undefined
  const { catalogue } = lesson
  const element = catalogue.findElement(scan.tenant, post.fqn)
  const shape = shapeOf(scan, start, extents, { ...lesson, post })
  const hasSamples = extents.tailStart > extents.headEnd
  const copied = copyWords(scan, start, extents, shape.section.length > 0)
  // Field by field: spreading the copied ones took 2 µs of 16 that a new element takes.
  return {
    hash: lesson.hash,
    tenant: scan.tenant,
    element,
    news: element < 0 ? post : newsOf(post, element, scan.tenant, catalogue),
    amended: undefined,
    info: element < 0 ? undefined : catalogue.elementInfo(element),
    stamp: element < 0 ? 0 : lesson.stampOf(element),
    shape,
    words: copied.words,
    startLength: copied.startLength,
    middleAt: copied.middleAt,
    middleLength: copied.middleLength,
    tailAt: copied.tailAt,
    tailLength: copied.tailLength,
    hasSamples,
    series: new Int32Array(0),
    older: undefined,
    byteSize: 0,
  }
}

/**
 * True where the tenant has an element by the raw id `[start, end)`, as far as that is quickly
 * told.
 */
export function isKnownId(scan: Scan, start: number, end: number, catalogue: Catalogue): boolean {
  const raw = Buffer.from(scan.bytes.buffer, start, end - start).toString("utf8")
  return raw.includes("\\") || catalogue.findElement(scan.tenant, cleanFqn(raw)) >= 0
}

interface ParsedPost extends Said, ParsedSection {
  /** True where the metrics section may be remembered by its bytes alone. */
  readonly isSectionClear: boolean
}

function parsePost(
  scan: Scan,
  start: number,
  extents: Extents,
  sections: Sections,
): ParsedPost | undefined {
  const { metricsStart, metricsEnd, headEnd, tailStart, end } = extents
  const hasSamples = tailStart > headEnd
  const before = textOf(scan, start, metricsStart)
  const behind = [textOf(scan, metricsEnd, headEnd), textOf(scan, tailStart, end)] as const
  if (before === undefined || behind[0] === undefined || behind[1] === undefined) return undefined
  const rest = behind.join(hasSamples ? "]" : "")
  const known = sections.find(scan, metricsStart, metricsEnd)
  const section = known === undefined ? textOf(scan, metricsStart, metricsEnd) : "[]"
  if (section === undefined) return undefined
  const text = `${before}${section}${rest}`
  // The array around all elements is one more level.
  if (isDeeperThan(Buffer.from(text), jsonDepthMax - 1)) return undefined
  const post = parsed(text)
  if (!isObject(post) || !(hasSamples || isAbsent(post["samples"]))) return undefined
  const reader = new FieldReader(new Problems(), new Place(), text.includes("\\u"))
  const fqn = reader.fqn(post["id"], "id")
  const patch = readElementPatch(reader, post)
  const metrics = known?.metrics ?? readMetrics(reader, post["metrics"])
  if (fqn === undefined || reader.problems.count > 0) return undefined
  const { metrics: list } = post
  const isPlain = known?.isPlain ?? (Array.isArray(list) && list.length === metrics.size)
  const isSectionClear = known === undefined && !section.includes("\\")
  return { fqn, patch, metrics, isPlain, isSectionClear }
}

/** The bytes `[start, end)` as text; `undefined` where they are none. */
function textOf({ bytes }: Scan, start: number, end: number): string | undefined {
  const part = Buffer.from(bytes.buffer, start, end - start)
  return isUtf8(part) ? part.toString("utf8") : undefined
}

/** What the post says that is not known yet; `undefined` where it is all known. */
function newsOf(
  { fqn, patch, metrics }: ParsedPost,
  element: number,
  tenant: number,
  catalogue: Catalogue,
): Said | undefined {
  let news: Map<string, MetricPatch> | undefined
  for (const [fqn, say] of metrics) {
    const name = catalogue.findName(tenant, fqn)
    const series = name < 0 ? -1 : catalogue.findSeries(element, name)
    if (series >= 0 && definitionHolds(catalogue.seriesDefinition(series), say)) continue
    news ??= new Map()
    news.set(fqn, say)
  }
  if (news === undefined && infoHolds(catalogue.elementInfo(element), patch)) return undefined
  return { fqn, patch, metrics: news ?? new Map<string, MetricPatch>() }
}

/**
 * The shape that the metrics section shares, or one of the element's own where it has no section.
 */
function shapeOf(
  scan: Scan,
  start: number,
  { metricsStart, metricsEnd, headEnd }: Extents,
  { cache, sections, post }: { cache: HeadCache; sections: Sections; post: ParsedPost },
): Shape {
  const { tenant, view } = scan
  const isShared = metricsEnd - metricsStart >= sectionBytesMin
  const [from, to] = isShared ? [metricsStart, metricsEnd] : [start, headEnd]
  const hash = hashBytes(view, from, to, isShared ? tenant : ~tenant)
  const section = isShared ? Buffer.from(scan.bytes.buffer, from, to - from) : noSection
  let shape = cache.shape(hash)
  if (shape?.tenant !== tenant || !shape.section.equals(section)) {
    const copy = isShared ? copyBytes(scan, from, to) : noSection
    const { isPlain, metrics } = post
    shape = new Shape({ tenant, section: copy, hash, metrics: metrics.size, isPlain })
    cache.addShape(shape)
  }
  if (isShared && post.isSectionClear) sections.remember(shape.section, post)
  return shape
}

/** The bytes `[start, end)` in memory of their own. */
export function copyBytes(scan: Scan, start: number, end: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(end - start)
  Buffer.from(scan.bytes.buffer, start, end - start).copy(copy)
  return copy
}

function copyWords(
  { view }: Scan,
  start: number,
  { metricsStart, metricsEnd, headEnd, tailStart, end }: Extents,
  isShared: boolean,
) {
  const startLength = isShared ? metricsStart - start : headEnd - start
  const middleStart = isShared ? metricsEnd : headEnd
  const middleLength = headEnd - middleStart
  const tailLength = end - tailStart
  const middleAt = wordsOf(startLength)
  const tailAt = middleAt + wordsOf(middleLength)
  const words = new Float64Array(tailAt + wordsOf(tailLength))
  putLiteral(words, 0, view, start, startLength)
  putLiteral(words, middleAt, view, middleStart, middleLength)
  putLiteral(words, tailAt, view, tailStart, tailLength)
  return { words, startLength, middleAt, middleLength, tailAt, tailLength }
}
