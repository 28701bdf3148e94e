/** What policies ask of one element in one cycle and in those before it. */

import type { Band } from "../model/band.ts"
import type { NameValue } from "../model/element.ts"

export interface SuddenDeviation {
  /** |projected − observed| / |projected| · 100: above 0. */
  readonly percent: number
}

/**
 * One element's cycle. A metric is named by its place in `metricFqns`, a cycle by how many lie
 * between it and the one that is evaluated: `back` 0 is that one, 1 the one before. Nothing but
 * `metricFqns`, `cellPosition` and `tagsOf` is asked before it is needed.
 */
export interface ElementCycle {
  readonly metricFqns: readonly string[]
  /** The place of a metric, or −1. */
  indexOf(fqn: string): number
  /** Those that were posted, and those that people or packages set, which win. */
  tagsOf(place: number): readonly NameValue[]
  /** The cycle's actual value, a sparse filling too; NaN where there is none. */
  actual(place: number, back: number): number
  /** Null where there is none, or its metric has it switched off. */
  baseline(place: number, back: number): Band | null
  contextual(place: number, back: number): Band | null
  /** Null where there is no sudden change that could be told with confidence. */
  sudden(place: number, back: number): SuddenDeviation | null
}
