/** Values of one element in one cycle and the cycles before it, as policies need them. */

import type { Band } from "../model/band.ts"
import type { NameValue } from "../model/element.ts"

export interface SuddenDeviation {
  /** |projected − observed| / |projected| · 100: above 0. */
  readonly percent: number
}

/**
 * One element's cycle. `index` is that of a metric in `metricFqns`; `back` counts cycles before the
 * evaluated one, which is 0. Values are read only if they are needed: all methods but `indexOf`,
 * `tagsOf` and `unitOf` may read the store.
 */
export interface ElementCycle {
  readonly metricFqns: readonly string[]
  /** Index of a metric, or −1. */
  indexOf(fqn: string): number
  /** Posted tags, overridden by those that users or packages set. */
  tagsOf(index: number): readonly NameValue[]
  /** The tag `unit` of the metric, otherwise as sent; empty without one. */
  unitOf(index: number): string
  /** The cycle's actual value, including a gap fill; NaN if there is none. */
  actual(index: number, back: number): number
  /** Null if there is none, or the analytic is switched off for the metric. */
  baseline(index: number, back: number): Band | null
  contextual(index: number, back: number): Band | null
  /** Null if there is no significant sudden change. */
  sudden(index: number, back: number): SuddenDeviation | null
}
