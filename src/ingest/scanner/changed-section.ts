/**
 * A metrics section that is as before but for a few metrics, as posts bring it whose series come
 * and go: containers, disks, processes.
 *
 *   before   [{"id":"cpu"},{"id":"pod.7"},{"id":"disk"}]
 *   now      [{"id":"cpu"},{"id":"pod.8"},{"id":"disk"}]
 *            └── the same ─┘└── parsed ──┘└─ the same ─┘
 *
 * Only metrics that the element never had are taken so. Then none of those that stayed bears the
 * same id, as they are all known, and what the section says is what it said and these beside it.
 */

import { isUtf8 } from "node:buffer"
import { jsonDepthMax } from "../../base/limits.ts"
import type { MetricPatch } from "../../model/element.ts"
import { isNestedDeeper } from "../parser/depth.ts"
import { readMetrics } from "../parser/element.ts"
import { FieldReader } from "../parser/fields.ts"
import { BodyPosition, Problems } from "../parser/problems.ts"
import type { ScanState } from "./scan-state.ts"
import { openBrace, skipValue, skipSpace } from "./skip.ts"

export interface ChangedSection {
  /** Those that are new; none is known of the element. */
  readonly metrics: ReadonlyMap<string, MetricPatch>
  /** Index behind the section. */
  readonly end: number
}

/** A section that differs more is read as a whole. */
const changesMax = 8
/** The list of elements, the element, its list of metrics. */
const levelsAbove = 3
const chunkBytes = 512

/**
 * Reads the section at `start` as an amended `section`; `undefined` where it is none. The section
 * was valid and declared no metric twice.
 */
export function readChangedSection(
  scan: ScanState,
  start: number,
  section: Buffer,
  isKnown: (fqn: string) => boolean,
): ChangedSection | undefined {
  const metrics = new Map<string, MetricPatch>()
  // The same place in both.
  let before = 0
  let now = start
  for (let changes = 0; changes <= changesMax; changes++) {
    const same = sameBytes(scan, now, section, before)
    if (before + same === section.length) return { metrics, end: now + same }
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

/** How many bytes from `now` on are those of the section from `before` on. */
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
 * The metric of the section around `at`, looked for from `from` on, which is the section's start or
 * the end of a metric; `undefined` where `at` lies between two.
 */
function itemAt(
  section: Buffer,
  from: number,
  at: number,
): { start: number; end: number } | undefined {
  let end = from
  while (end <= at) {
    // Over the bracket or the comma.
    const start = skipSpace(section, skipSpace(section, end) + 1)
    if (start > at || section[start] !== openBrace) return undefined
    end = skipValue(section, start, section.length)
    if (end < 0) return undefined
    if (end > at) return { start, end }
  }
  return undefined
}

/** Adds the metric in `[start, end)`; false where it is not one that is new. */
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
  const reader = new FieldReader(new Problems(), new BodyPosition(), text.includes("\\u"))
  for (const [fqn, patch] of readMetrics(reader, [parseJsonOrNull(text)])) {
    if (isKnown(fqn) || metrics.has(fqn)) return false
    metrics.set(fqn, patch)
  }
  return reader.problems.count === 0
}

/** As JSON; `null`, which is no metric, where it is none. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
