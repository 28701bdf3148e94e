/** The element and the metric that a path names, by id or FQN. */

import { ServiceError } from "../../base/errors.ts"
import type { JsonText } from "../../wire/json.ts"
import { Problems, shown } from "../../wire/problems.ts"
import type { AskRequest } from "../core/request.ts"
import { Parameters } from "../core/parameters.ts"
import type { Planned, Reader } from "../core/query-context.ts"
import { withoutSamples } from "../core/query-context.ts"

/** The element that `elementId` names. Throws `missing` where there is none. */
export function namedElement(reader: Reader, request: AskRequest): number {
  const id = pathText(request, "elementId") ?? ""
  const element = reader.identity.findElement(request.tenant, id)
  if (element < 0) throw new ServiceError("missing", `Cannot find element ${shown(id)}`)
  return element
}

/** The series of its metric that `metricId` names. Throws `missing` where it has none. */
export function namedSeries(reader: Reader, element: number, request: AskRequest): number {
  const id = pathText(request, "metricId") ?? ""
  const series = reader.identity.findMetric(element, id)
  if (series >= 0) return series
  const fqn = reader.store.catalogue.elementFqn(element)
  throw new ServiceError("missing", `Cannot find metric ${shown(id)} of element ${shown(fqn)}`)
}

/** A name of the path; it stands alone among the parameters. */
function pathText(request: AskRequest, name: string): string | undefined {
  return new Parameters(request.params, new Problems()).one(name)
}

/** Asks for the FQNs of what a path names, by which the writing side knows it. */
export interface NamesQuestion {
  readonly kind: "names"
  readonly element: number
  /** -1 where the path names no metric. */
  readonly series: number
}

export interface NamesAnswer {
  readonly element: string
  readonly metric: string | null
}

export function planNames(reader: Reader, request: AskRequest): Planned<NamesQuestion> {
  const element = namedElement(reader, request)
  const hasMetric = pathText(request, "metricId") !== undefined
  const series = hasMetric ? namedSeries(reader, element, request) : -1
  return withoutSamples({ kind: "names", element, series })
}

export function answerNames({ store }: Reader, { element, series }: NamesQuestion): JsonText {
  const { catalogue } = store
  const answer: NamesAnswer = {
    element: catalogue.elementFqn(element),
    metric: series < 0 ? null : catalogue.name(catalogue.seriesName(series)).fqn,
  }
  return JSON.stringify(answer)
}
