/**
 * A metrics section that equals the previous one except for a few metrics, as posts of elements
 * with short-lived series have it: containers, disks, processes.
 *
 *   before   [{"id":"cpu"},{"id":"pod.7"},{"id":"disk"}]
 *   now      [{"id":"cpu"},{"id":"pod.8"},{"id":"disk"}]
 *            └── the same ─┘└── parsed ──┘└─ the same ─┘
 *
 * Only metrics new to the element are accepted here. Then none of the unchanged ones has the same
 * id, as they are all known, and the section declares the previous metrics and the new ones.
 */

import { isUtf8 } from "node:buffer"
import { jsonDepthMax } from "../../base/limits.ts"
import type { MetricPatch } from "../../model/element.ts"
import { isNestedDeeper } from "../parser/depth.ts"
import { readPostedMetrics } from "../parser/element.ts"
import { FieldReader } from "../parser/fields.ts"
import { PostedMetrics } from "../parser/posted-metrics.ts"
import { BodyPosition, BodyProblems } from "../parser/problems.ts"
import type { ScanState } from "./scan-state.ts"
import { openBrace, skipValue, skipSpace } from "./skip.ts"

export interface ChangedSection {
  /** The new metrics; the element has none of them. */
  readonly metrics: PostedMetrics
  /** Index after the section. */
  readonly end: number
}

/** A section with more differences is parsed as a whole. */
const changesMax = 8
/** The list of elements, the element, its list of metrics. */
const levelsAbove = 3
const chunkBytes = 512

/**
 * Reads the section at `start` as a changed `section`; `undefined` if it is none. The previous
 * section was valid and declared no metric twice.
 */
export function readChangedSection(
  scan: ScanState,
  start: number,
  section: Buffer,
  isKnown: (fqn: string) => boolean,
): ChangedSection | undefined {
  const metrics = new Map<string, MetricPatch>()
  // Corresponding positions in both sections.
  let before = 0
  let now = start
  for (let changes = 0; changes <= changesMax; changes++) {
    const same = sameBytes(scan, now, section, before)
    if (before + same === section.length) {
      return { metrics: new PostedMetrics(metrics), end: now + same }
    }
    const item = itemAt(section, before, before + same)
    if (item === undefined) return undefined
    const itemStart = now + item.start - before
    const itemEnd = skipValue(scan.bytes, itemStart, scan.limit)
    if (itemEnd < 0 || !readMetric(scan, itemStart, itemEnd, metrics, isKnown)) return undefined
    before = item.end
    now = itemEnd
  }
  return undefined
}

/** Number of equal bytes from `now` in the body and from `before` in the section. */
function sameBytes(
  { bytes, limit }: ScanState,
  now: number,
  section: Buffer,
  before: number,
): number {
  const length = Math.min(section.length - before, limit - now)
  let same = 0
  for (; same + chunkBytes <= length; same += chunkBytes) {
    const from = before + same
    const at = now + same
    if (section.compare(bytes, at, at + chunkBytes, from, from + chunkBytes) !== 0) break
  }
  while (same < length && section[before + same] === bytes[now + same]) same++
  return same
}

/**
 * The metric of the section that contains `at`; `from` is the section's start or the end of a
 * metric. `undefined` if `at` is between two metrics.
 */
function itemAt(
  section: Buffer,
  from: number,
  at: number,
): { start: number; end: number } | undefined {
  let end = from
  while (end <= at) {
    // Skips the bracket or the comma.
    const start = skipSpace(section, skipSpace(section, end) + 1)
    if (start > at || section[start] !== openBrace) return undefined
    end = skipValue(section, start, section.length)
    if (end < 0) return undefined
    if (end > at) return { start, end }
  }
  return undefined
}

/** Adds the metric in `[start, end)`; false if it is invalid or not new. */
function readMetric(
  scan: ScanState,
  start: number,
  end: number,
  metrics: Map<string, MetricPatch>,
  isKnown: (fqn: string) => boolean,
): boolean {
  const bytes = Buffer.from(scan.bytes.buffer, start, end - start)
  if (!isUtf8(bytes) || isNestedDeeper(bytes, jsonDepthMax - levelsAbove)) return false
  const text = bytes.toString("utf8")
  const reader = new FieldReader(new BodyProblems(), new BodyPosition(), text.includes("\\u"))
  for (const [fqn, patch] of readPostedMetrics(reader, [parseJsonOrNull(text)]).patches) {
    if (isKnown(fqn) || metrics.has(fqn)) return false
    metrics.set(fqn, patch)
  }
  return reader.problems.count === 0
}

/** The parsed JSON; `null`, which is no metric, if it is invalid. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
