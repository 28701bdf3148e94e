/** The effective settings of a metric, from its collector and from configurations. */

import type { MetricDefinition } from "./element.ts"
import type { ActualStatistic } from "./metric-settings.ts"
import type { SparseStrategy } from "./sparse-strategy.ts"

/** True if `actual` is the increase over a cycle. */
export function isCounter({ type, settings }: MetricDefinition): boolean {
  return settings?.counter ?? isCounterType(type)
}

/** The collector types with an effect, in any case: what only rises, and is reset or wraps. */
export const counterType = "COUNTER"
export const wrappingCounterType = "WRAPPING_COUNTER"

export function isCounterType(type: string): boolean {
  return type.toUpperCase() === counterType || isWrappingType(type)
}

export function isWrappingType(type: string): boolean {
  return type.toUpperCase() === wrappingCounterType
}

/** True if a counter that drops has wrapped at 2^32 or 2^64. */
export function doesWrap({ type, settings }: MetricDefinition): boolean {
  return settings?.wraps ?? isWrappingType(type)
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
