/** What holds of a metric, from what its collector and what configurations say. */

import type { MetricDefinition } from "./element.ts"
import type { ActualStatistic } from "./metric-settings.ts"
import type { SparseStrategy } from "./sparse-strategy.ts"

/** True where `actual` is the increase over a cycle. */
export function isCounter({ type, settings }: MetricDefinition): boolean {
  return settings?.counter ?? isCounterType(type)
}

/** True for the one type of a collector that has an effect, in any case. */
export function isCounterType(type: string): boolean {
  return type.toUpperCase() === "COUNTER"
}

/** Which statistic of a cycle `actual` is; of a counter it is the increase instead. */
export function actualStatisticOf({ settings }: MetricDefinition): ActualStatistic {
  return settings?.statistic ?? "average"
}

/** A configuration's strategy wins over the collector's (spec/samples §7). */
export function sparseStrategyOf(definition: MetricDefinition): SparseStrategy {
  return definition.settings?.sparseDataStrategy ?? definition.sparseDataStrategy
}

/** Which bands are learned of the metric. */
export function bandsOf({ settings }: MetricDefinition): {
  readonly baseline: boolean
  readonly correlation: boolean
} {
  return { baseline: settings?.baseline ?? true, correlation: settings?.correlation ?? true }
}
