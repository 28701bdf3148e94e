/** The effective settings of a metric, from its collector and from configurations. */

import type { MetricDefinition } from "./element.ts"
import type { ActualStatistic } from "./metric-settings.ts"
import type { SparseStrategy } from "./sparse-strategy.ts"

/** True if `actual` is the increase over a cycle. */
export function isCounter({ type, settings }: MetricDefinition): boolean {
  return settings?.counter ?? isCounterType(type)
}

/** True for the only collector type with an effect, in any case. */
export function isCounterType(type: string): boolean {
  return type.toUpperCase() === "COUNTER"
}

/** The statistic of a cycle that `actual` is; for a counter it is the increase instead. */
export function actualStatisticOf({ settings }: MetricDefinition): ActualStatistic {
  return settings?.statistic ?? "average"
}

/** A configuration's strategy overrides the collector's (spec/samples §7). */
export function sparseStrategyOf(definition: MetricDefinition): SparseStrategy {
  return definition.settings?.sparseDataStrategy ?? definition.sparseDataStrategy
}

/** Which bands are learned for the metric. */
export function bandsOf({ settings }: MetricDefinition): {
  readonly baseline: boolean
  readonly correlation: boolean
} {
  return { baseline: settings?.baseline ?? true, correlation: settings?.correlation ?? true }
}
