/** GET `…/tags` of an element or of one of its metrics: those that people set, those that came. */

import type { JsonText } from "../../wire/json.ts"
import { userTagFields } from "../../wire/legacy-names.ts"
import { metricServiceTags, tagMap } from "../../wire/metric-document.ts"
import type { QueryRequest } from "../core/request.ts"
import { planNames } from "./resolve-path.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"

export interface TagsQuery {
  readonly kind: "tags"
  readonly element: number
  /** -1 where the element's own tags are asked for. */
  readonly series: number
}

/** Throws `missing` where there is no such element or metric. */
export function planTags(reader: QueryContext, request: QueryRequest): QueryPlanOf<TagsQuery> {
  const planned = planNames(reader, request)
  return { ...planned, question: { ...planned.question, kind: "tags" } }
}

export function answerTags(
  { store, legacyNames }: QueryContext,
  { element, series }: TagsQuery,
): JsonText {
  const { catalogue } = store
  const info = catalogue.elementInfo(element)
  const definition = series < 0 ? null : catalogue.seriesDefinition(series)
  const tags = definition === null ? tagMap(info.serviceTags ?? []) : metricServiceTags(definition)
  const sourceTags = tagMap((definition ?? info).tags)
  return JSON.stringify({ ...userTagFields(tags, legacyNames), sourceTags })
}
