/** How `actual` of a metric's buckets is made, by what is known of the metric (spec/samples §5). */

import { actualStatisticOf, isCounter } from "../model/effective-settings.ts"
import type { MetricDefinition } from "../model/element.ts"
import { counterKind, actualKinds } from "./cell.ts"

/** The code of `definitions` that a new PT5M cell of such a metric gets. */
export function actualKindOf(definition: MetricDefinition): number {
  if (isCounter(definition)) return counterKind
  return actualKinds.indexOf(actualStatisticOf(definition))
}
