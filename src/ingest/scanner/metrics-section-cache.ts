/**
 * Metrics sections that were parsed lately, and what they say: the posts of a fleet have few
 * different ones, and a new element of it is then known but for the rest of its head.
 */

import type { MetricPatch } from "../../model/element.ts"
import { hashBytes } from "./byte-literal.ts"
import type { ScanState } from "./scan-state.ts"

export interface ParsedSection {
  readonly metrics: ReadonlyMap<string, MetricPatch>
  /** True where each metric is declared once. */
  readonly isPlain: boolean
}

/** Fleets that speak in turn; 10 kB each with 50 metrics. */
const sectionsMax = 16

export class MetricsSectionCache {
  private readonly kept = new Map<number, ParsedSection & { readonly bytes: Buffer }>()

  /** What the section `[start, end)` says, where it was remembered. */
  find({ bytes, view }: ScanState, start: number, end: number): ParsedSection | undefined {
    const known = this.kept.get(hashBytes(view, start, end, 0))
    if (known?.bytes.length !== end - start) return undefined
    return known.bytes.compare(bytes, start, end) === 0 ? known : undefined
  }

  /** `bytes` are those of the section, in memory that stays as it is. */
  add(bytes: Buffer, parsed: ParsedSection): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const { metrics, isPlain } = parsed
    this.kept.set(hashBytes(view, 0, bytes.length, 0), { metrics, isPlain, bytes })
    if (this.kept.size > sectionsMax) this.kept.delete(this.kept.keys().next().value!)
  }
}
