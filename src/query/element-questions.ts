/** Questions about elements and across them, beside those that find (query.ts). */

import { unreachable } from "../base/assert.ts"
import {
  answerCrossElement,
  planCrossElement,
  type CrossElementQuery,
} from "./statistics/cross-element.ts"
import {
  answerAggregateStatistics,
  planAggregateStatistics,
  type AggregateStatisticsQuery,
} from "./statistics/aggregate-statistics.ts"
import type { QueryRequest, ElementQueryKind } from "./core/request.ts"
import {
  answerElementIds,
  answerElementList,
  planElementIds,
  planElementList,
  type ElementIdsQuery,
  type ElementListQuery,
} from "./elements/element-list.ts"
import {
  answerElementMetrics,
  planElementMetrics,
  type ElementMetricsQuery,
} from "./elements/element-metrics.ts"
import type { Answering } from "./metrics/metric-query.ts"
import {
  answerNamePreview,
  planNamePreview,
  type NamePreviewQuery,
} from "./elements/name-preview.ts"
import { answerNames, planNames, type PathNamesQuery } from "./elements/resolve-path.ts"
import type { QueryPlanOf, QueryContext } from "./core/query-context.ts"
import {
  answerRelationships,
  planRelationships,
  type RelationshipsQuery,
} from "./elements/relationships.ts"
import { answerTags, planTags, type TagsQuery } from "./elements/tags.ts"
import type { JsonText } from "../wire/json.ts"

export type AboutElements =
  | PathNamesQuery
  | TagsQuery
  | NamePreviewQuery
  | RelationshipsQuery
  | ElementListQuery
  | ElementIdsQuery
  | ElementMetricsQuery
  | CrossElementQuery
  | AggregateStatisticsQuery

export function planAboutElements(
  reader: QueryContext,
  kind: ElementQueryKind,
  request: QueryRequest,
): QueryPlanOf<AboutElements> {
  switch (kind) {
    case "names":
      return planNames(reader, request)
    case "tags":
      return planTags(reader, request)
    case "namePreview":
      return planNamePreview(reader, request)
    case "relationships":
      return planRelationships(reader, request)
    case "elementList":
      return planElementList(reader, request)
    case "elementIds":
      return planElementIds(reader, request)
    case "elementMetrics":
      return planElementMetrics(reader, request)
    case "acrossElements":
      return planCrossElement(reader, request)
    case "aggregateStatistics":
      return planAggregateStatistics(reader, request)
    default:
      return unreachable(kind)
  }
}

export function answerAboutElements(
  reader: QueryContext,
  { plan, tenant, open }: Answering<AboutElements>,
): JsonText {
  const { question } = plan
  switch (question.kind) {
    case "names":
      return answerNames(reader, question)
    case "tags":
      return answerTags(reader, question)
    case "namePreview":
      return answerNamePreview(reader, question)
    case "relationships":
      return answerRelationships(reader, { plan: { ...plan, question }, tenant, open })
    case "elementList":
      return answerElementList(reader, { plan: { ...plan, question }, tenant, open })
    case "elementIds":
      return answerElementIds(reader, { plan: { ...plan, question }, tenant, open })
    case "elementMetrics":
      return answerElementMetrics(reader, { ...plan, question }, open)
    case "acrossElements":
      return answerCrossElement(reader, { ...plan, question }, open)
    case "aggregateStatistics":
      return answerAggregateStatistics(reader, { ...plan, question }, open)
    default:
      return unreachable(question)
  }
}
