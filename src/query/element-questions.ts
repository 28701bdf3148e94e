/** Questions about elements and across them, beside those that find (query.ts). */

import { unreachable } from "../base/assert.ts"
import { answerAcross, planAcross, type AcrossQuestion } from "./statistics/cross-element.ts"
import {
  answerAggregateStatistics,
  planAggregateStatistics,
  type AggregateStatisticsQuestion,
} from "./statistics/aggregate-statistics.ts"
import type { AskRequest, ElementAskKind } from "./core/request.ts"
import {
  answerElementIds,
  answerElementList,
  planElementIds,
  planElementList,
  type ElementIdsQuestion,
  type ElementListQuestion,
} from "./elements/element-list.ts"
import {
  answerElementMetrics,
  planElementMetrics,
  type ElementMetricsQuestion,
} from "./elements/element-metrics.ts"
import type { Answering } from "./metrics/metric-query.ts"
import {
  answerNamePreview,
  planNamePreview,
  type NamePreviewQuestion,
} from "./elements/name-preview.ts"
import { answerNames, planNames, type NamesQuestion } from "./elements/resolve-path.ts"
import type { Planned, Reader } from "./core/query-context.ts"
import {
  answerRelationships,
  planRelationships,
  type RelationshipsQuestion,
} from "./elements/relationships.ts"
import { answerTags, planTags, type TagsQuestion } from "./elements/tags.ts"
import type { JsonText } from "../wire/json.ts"

export type AboutElements =
  | NamesQuestion
  | TagsQuestion
  | NamePreviewQuestion
  | RelationshipsQuestion
  | ElementListQuestion
  | ElementIdsQuestion
  | ElementMetricsQuestion
  | AcrossQuestion
  | AggregateStatisticsQuestion

export function planAboutElements(
  reader: Reader,
  kind: ElementAskKind,
  request: AskRequest,
): Planned<AboutElements> {
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
      return planAcross(reader, request)
    case "aggregateStatistics":
      return planAggregateStatistics(reader, request)
    default:
      return unreachable(kind)
  }
}

export function answerAboutElements(
  reader: Reader,
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
      return answerAcross(reader, { ...plan, question }, open)
    case "aggregateStatistics":
      return answerAggregateStatistics(reader, { ...plan, question }, open)
    default:
      return unreachable(question)
  }
}
