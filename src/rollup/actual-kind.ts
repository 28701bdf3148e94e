/**
 * Derives how `actual` of a metric's buckets is computed, from its definition (spec/samples §5).
 */

import { actualStatisticOf, doesWrap, isCounter } from "../model/effective-settings.ts"
import type { MetricDefinition } from "../model/element.ts"
import { counterKind, actualKinds, wrappingKind } from "./cell.ts"

/** Returns the index in `actualKinds` that new PT5M cells of the metric get. */
export function actualKindOf(definition: MetricDefinition): number {
  if (isCounter(definition)) return doesWrap(definition) ? wrappingKind : counterKind
  return actualKinds.indexOf(actualStatisticOf(definition))
}
