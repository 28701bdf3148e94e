/** The element and the metric that a path names, by id or FQN. */

import { ServiceError } from "../../base/errors.ts"
import type { JsonText } from "../../wire/json.ts"
import { Problems, shown } from "../../wire/problems.ts"
import type { QueryRequest } from "../core/request.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { withoutSamples } from "../core/query-context.ts"

/** The element that `elementId` names. Throws `missing` where there is none. */
export function resolveElement(reader: QueryContext, request: QueryRequest): number {
  const id = pathText(request, "elementId") ?? ""
  const element = reader.ids.findElement(request.tenant, id)
  if (element < 0) throw new ServiceError("missing", `Cannot find element ${shown(id)}`)
  return element
}

/** The series of its metric that `metricId` names. Throws `missing` where it has none. */
export function resolveSeries(
  reader: QueryContext,
  element: number,
  request: QueryRequest,
): number {
  const id = pathText(request, "metricId") ?? ""
  const series = reader.ids.findMetric(element, id)
  if (series >= 0) return series
  const fqn = reader.store.catalogue.elementFqn(element)
  throw new ServiceError("missing", `Cannot find metric ${shown(id)} of element ${shown(fqn)}`)
}

/** A name of the path; it stands alone among the parameters. */
function pathText(request: QueryRequest, name: string): string | undefined {
  return new QueryParameters(request.params, new Problems()).one(name)
}

/** Asks for the FQNs of what a path names, by which the writing side knows it. */
export interface PathNamesQuery {
  readonly kind: "names"
  readonly element: number
  /** -1 where the path names no metric. */
  readonly series: number
}

export interface PathNames {
  readonly element: string
  readonly metric: string | null
}

export function planNames(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<PathNamesQuery> {
  const element = resolveElement(reader, request)
  const hasMetric = pathText(request, "metricId") !== undefined
  const series = hasMetric ? resolveSeries(reader, element, request) : -1
  return withoutSamples({ kind: "names", element, series })
}

export function answerNames(
  { store }: QueryContext,
  { element, series }: PathNamesQuery,
): JsonText {
  const { catalogue } = store
  const answer: PathNames = {
    element: catalogue.elementFqn(element),
    metric: series < 0 ? null : catalogue.name(catalogue.seriesName(series)).fqn,
  }
  return JSON.stringify(answer)
}
