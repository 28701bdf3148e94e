/**
 * Learning to recognise a post: its head and tail go through the very code of the slow path, and
 * are kept only where they change nothing. A post that does not pass is left to the slow path.
 */

import { isUtf8 } from "node:buffer"
import { jsonDepthMax } from "../../base/limits.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { MetricPatch } from "../../model/element.ts"
import { cleanFqn } from "../../model/fqn.ts"
import { definitionHolds, infoHolds } from "../holds.ts"
import { isDeeperThan } from "../slow/depth.ts"
import { readElementPatch, readMetrics } from "../slow/element.ts"
import { FieldReader, isAbsent, isObject } from "../slow/fields.ts"
import { Place, Problems } from "../slow/problems.ts"
import type { Extents } from "./extents.ts"
import { findExtents } from "./extents.ts"
import type { HeadCache, HeadEntry } from "./heads.ts"
import { hashBytes, putLiteral, wordsOf } from "./literal.ts"
import type { Scan } from "./scan.ts"
import { Shape } from "./shape.ts"

/** A shorter metrics section is not worth a shape that elements share. */
const sectionBytesMin = 16

export interface Lesson {
  readonly catalogue: Catalogue
  readonly cache: HeadCache
  /** Under which the head will be looked for. */
  readonly hash: number
  readonly stampOf: (element: number) => number
}

/**
 * Makes an entry for the post at `start`. "news" where it says something that is not known yet:
 * once the slow path has read it, the next one may say nothing new. "strange" where it is not
 * understood.
 */
export function learnHead(
  scan: Scan,
  start: number,
  lesson: Lesson,
): HeadEntry | "news" | "strange" {
  const extents = findExtents(scan, start)
  if (extents === undefined) return "strange"
  const said = parsePost(scan, start, extents)
  if (said === undefined) return "strange"
  const element = knownElement(said, scan.tenant, lesson.catalogue)
  if (element < 0) return "news"

  const shape = shapeOf(scan, start, extents, { cache: lesson.cache, metrics: said.metrics.size })
  const hasSamples = extents.tailStart > extents.headEnd
  return {
    hash: lesson.hash,
    tenant: scan.tenant,
    element,
    info: lesson.catalogue.elementInfo(element),
    stamp: lesson.stampOf(element),
    shape,
    ...copyWords(scan, start, extents, shape.section.length > 0),
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

interface Said {
  readonly fqn: string
  readonly patch: ReturnType<typeof readElementPatch>
  readonly metrics: ReadonlyMap<string, MetricPatch>
}

function parsePost(scan: Scan, start: number, extents: Extents): Said | undefined {
  const head = Buffer.from(scan.bytes.buffer, start, extents.headEnd - start)
  const tail = Buffer.from(scan.bytes.buffer, extents.tailStart, extents.end - extents.tailStart)
  if (!isUtf8(head) || !isUtf8(tail)) return undefined
  const hasSamples = extents.tailStart > extents.headEnd
  const text = `${head.toString("utf8")}${hasSamples ? "]" : ""}${tail.toString("utf8")}`
  // The array around all elements is one more level.
  if (isDeeperThan(Buffer.from(text), jsonDepthMax - 1)) return undefined
  const post = parsed(text)
  if (!isObject(post) || !(hasSamples || isAbsent(post["samples"]))) return undefined
  const reader = new FieldReader(new Problems(), new Place(), text.includes("\\u"))
  const fqn = reader.fqn(post["id"], "id")
  const patch = readElementPatch(reader, post)
  const metrics = readMetrics(reader, post["metrics"])
  if (fqn === undefined || reader.problems.count > 0) return undefined
  return { fqn, patch, metrics }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Index of the element, or -1 where the post says anything that is not known yet. */
function knownElement(said: Said, tenant: number, catalogue: Catalogue): number {
  const element = catalogue.findElement(tenant, said.fqn)
  if (element < 0 || !infoHolds(catalogue.elementInfo(element), said.patch)) return -1
  for (const [fqn, patch] of said.metrics) {
    const name = catalogue.findName(tenant, fqn)
    const series = name < 0 ? -1 : catalogue.findSeries(element, name)
    if (series < 0 || !definitionHolds(catalogue.seriesDefinition(series), patch)) return -1
  }
  return element
}

/**
 * The shape that the metrics section shares, or one of the element's own where it has no section.
 */
function shapeOf(
  scan: Scan,
  start: number,
  { metricsStart, metricsEnd, headEnd }: Extents,
  { cache, metrics }: { cache: HeadCache; metrics: number },
): Shape {
  const { tenant, view } = scan
  const isShared = metricsEnd - metricsStart >= sectionBytesMin
  const [from, to] = isShared ? [metricsStart, metricsEnd] : [start, headEnd]
  const hash = hashBytes(view, from, to, isShared ? tenant : ~tenant)
  const section = Buffer.from(scan.bytes.buffer, from, isShared ? to - from : 0)
  const known = cache.shape(hash)
  if (known?.tenant === tenant && known.section.equals(section)) return known
  const copy = Buffer.allocUnsafeSlow(section.length)
  section.copy(copy)
  const shape = new Shape({ tenant, section: copy, hash, metrics })
  cache.addShape(shape)
  return shape
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
