/**
 * Recently parsed metrics sections: the posts of a fleet have few different ones, so of a new
 * element only the rest of its head needs parsing.
 */

import { assert } from "../../base/assert.ts"
import type { PostedMetrics } from "../parser/posted-metrics.ts"
import { hashBytes } from "./byte-literal.ts"
import type { ScanState } from "./scan-state.ts"

export interface ParsedSection {
  readonly metrics: PostedMetrics
  /** True if each metric is declared once. */
  readonly isPlain: boolean
}

/** Fleets that post in turn; 10 kB each with 50 metrics. */
const sectionsMax = 16

export class MetricsSectionCache {
  private readonly kept = new Map<number, ParsedSection & { readonly bytes: Buffer }>()

  /** Returns the parsed section `[start, end)`, if it is cached. */
  find({ bytes, view }: ScanState, start: number, end: number): ParsedSection | undefined {
    const known = this.kept.get(hashBytes(view, start, end, 0))
    if (known?.bytes.length !== end - start) return undefined
    return known.bytes.compare(bytes, start, end) === 0 ? known : undefined
  }

  /** Adds a section; `bytes` must not change afterwards. */
  add(bytes: Buffer, parsed: ParsedSection): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const { metrics, isPlain } = parsed
    assert(bytes.length > 0, "Expected a section of at least one byte")
    this.kept.set(hashBytes(view, 0, bytes.length, 0), { metrics, isPlain, bytes })
    if (this.kept.size > sectionsMax) this.kept.delete(this.kept.keys().next().value!)
  }
}
