/** Settings of a metric in the analytic configurations of packages (spec/analytics §5). */

import type { SparseStrategy } from "./sparse-strategy.ts"

/** The statistic that `actual` of a PT5M bucket is (spec/samples §5); the average by default. */
export const actualStatistics = ["average", "sum", "min", "max", "last", "cnt"] as const
export type ActualStatistic = (typeof actualStatistics)[number]

/**
 * A field is absent if no configuration sets it. Equal settings are one object within a catalogue's
 * thread, and are stored with the definition unchanged.
 */
export interface MetricSettings {
  readonly statistic?: ActualStatistic
  /**
   * Whether the metric is a COUNTER, overriding its collector (spec/samples §6): false reverts what
   * no post can.
   */
  readonly counter?: boolean
  /** Whether the counter wraps, overriding its collector. */
  readonly wraps?: boolean
  /** Overrides the strategy of the collector, even `None` (spec/samples §7). */
  readonly sparseDataStrategy?: SparseStrategy
  /** The valid range of the metric: bands are clamped to it. */
  readonly validMin?: number
  readonly validMax?: number
  /** Whether the bands are learned; true by default. */
  readonly baseline?: boolean
  readonly correlation?: boolean
  /** Shown among the service tags, such as `unit` and `utilization`. */
  readonly tags?: Readonly<Record<string, string>>
}
