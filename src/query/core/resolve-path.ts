/** Resolves the element and the metric in the path of a request, by id or FQN. */

import { ServiceError } from "../../base/errors.ts"
import { Problems, shown } from "../../wire/problems.ts"
import { QueryParameters } from "./parameters.ts"
import type { QueryContext } from "./query-context.ts"
import type { QueryInput } from "./request.ts"
import type { ElementIndex, SeriesIndex, TenantIndex } from "../../model/ids.ts"

/** The element of the path's `elementId`. Throws `missing` if it does not exist. */
export function resolveElement(context: QueryContext, input: QueryInput): number {
  const id = pathText(input, "elementId") ?? ""
  const element = context.ids.findElement(input.tenant, id)
  if (element < 0) throw new ServiceError("missing", `Cannot find element ${shown(id)}`)
  return element
}

/** The series of the path's `metricId`. Throws `missing` if the element has no such metric. */
export function resolveSeries(
  context: QueryContext,
  element: ElementIndex,
  input: QueryInput,
): number {
  const id = pathText(input, "metricId") ?? ""
  const series = context.ids.findMetric(element, id)
  if (series >= 0) return series
  const fqn = context.store.catalogue.elementFqn(element)
  throw new ServiceError("missing", `Cannot find metric ${shown(id)} of element ${shown(fqn)}`)
}

/** An element, or one of its metrics, as a path names it. */
export interface PathTarget {
  readonly element: ElementIndex
  /** -1 if the path names no metric. */
  readonly series: SeriesIndex
}

export function resolvePath(context: QueryContext, input: QueryInput): PathTarget {
  const element = resolveElement(context, input)
  const hasMetric = pathText(input, "metricId") !== undefined
  return { element, series: hasMetric ? resolveSeries(context, element, input) : -1 }
}

/** A name of the path, which is the only value of its parameter. */
function pathText(input: QueryInput, name: string): string | undefined {
  return new QueryParameters(input.params, new Problems()).one(name)
}

/** Ids of elements given by id or FQN; unknown ones are left out. */
export function idsOf(
  context: QueryContext,
  tenant: TenantIndex,
  named: readonly string[],
): string[] {
  const { ids } = context
  return named
    .map((idOrFqn) => ids.findElement(tenant, idOrFqn))
    .filter((element) => element >= 0)
    .map((element) => ids.elementId(element))
}
