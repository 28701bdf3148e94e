/** What analytic configurations of packages say about a metric (spec/analytics §5). */

import type { SparseStrategy } from "./sparse-strategy.ts"

/** What `actual` of a PT5M bucket may be (spec/samples §5); the average where nobody says. */
export const actualStatistics = ["average", "sum", "min", "max", "last", "cnt"] as const
export type ActualStatistic = (typeof actualStatistics)[number]

/**
 * Every field is absent where no configuration says it. Equal settings are one object within a
 * catalogue's thread, and are stored with the definition as they are.
 */
export interface MetricSettings {
  readonly statistic?: ActualStatistic
  /**
   * Whether the metric is a COUNTER, whatever its collector says (spec/samples §6): false takes
   * back what no post can.
   */
  readonly counter?: boolean
  /** Wins over the strategy that a collector posts, also over its `None` (spec/samples §7). */
  readonly sparseDataStrategy?: SparseStrategy
  /** Ends of what the metric can be: bands are clamped to them. */
  readonly validMin?: number
  readonly validMax?: number
  /** Whether the bands are learned; they are where nobody says. */
  readonly baseline?: boolean
  readonly correlation?: boolean
  /** Shown among the service tags, such as `unit` and `utilization`. */
  readonly tags?: Readonly<Record<string, string>>
}
