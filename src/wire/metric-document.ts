/** A metric as the API shows it: the result of a metric query, and an entry of an element. */

import { actualStatisticOf, isCounter, sparseStrategyOf } from "../model/effective-settings.ts"
import { sparseStrategies, type MetricDefinition, type NameValue } from "../model/element.ts"
import { flag, mapOf, oneOf, orNull, partial, record, text, textMap } from "./answer.ts"
import { described, uuid, wholeNumber } from "./answer.ts"
import { isFieldIncluded, userTagEntries, type LegacyNames } from "./legacy-names.ts"

/** Everything that is ingested belongs to the Custom integration, the first of every account. */
export const customDataSourceId = 1

export interface MetricSubject {
  /** UUIDs in lower case. */
  readonly id: string
  readonly elementId: string
  readonly fqn: string
  readonly definition: MetricDefinition
}

/** The value of each field, in the order of the document. */
export const metricFields = {
  id: (metric: MetricSubject) => metric.id,
  elementId: (metric: MetricSubject) => metric.elementId,
  fqn: (metric: MetricSubject) => metric.fqn,
  name: (metric: MetricSubject) => metric.fqn,
  unit: (metric: MetricSubject) => metric.definition.unit,
  type: (metric: MetricSubject) => metric.definition.type || null,
  sparseDataStrategy: (metric: MetricSubject) => sparseStrategyOf(metric.definition),
  dataSourceId: () => customDataSourceId,
  serviceTags: (metric: MetricSubject) => metricServiceTags(metric.definition),
  netuitiveTags: (metric: MetricSubject) => metricServiceTags(metric.definition),
  sourceTags: (metric: MetricSubject) => tagMap(metric.definition.tags),
  processingFlags: () => ({}),
} as const satisfies Record<string, (metric: MetricSubject) => unknown>

const entries = {
  id: uuid,
  elementId: uuid,
  fqn: text,
  name: text,
  unit: text,
  type: orNull(text),
  sparseDataStrategy: oneOf(sparseStrategies),
  dataSourceId: wholeNumber,
  ...userTagEntries("Tags that people and packages set"),
  sourceTags: described(textMap, "Tags that were posted"),
  processingFlags: mapOf(flag),
} as const satisfies Record<keyof typeof metricFields, unknown>

export const metricRecord = record(entries)
/** As a search finds it, which may leave out fields. */
export const foundMetricRecord = partial(entries, ["id"])
const { elementId: _, ...entriesInElement } = entries
/** As an entry of its element. */
export const elementMetricRecord = record(entriesInElement)

export type MetricField = keyof typeof metricFields
export const metricFieldNames = Object.keys(metricFields) as MetricField[]

/** The fields of `keep`, in the order of the document. */
export function metricDocument(
  metric: MetricSubject,
  keep: readonly MetricField[] = metricFieldNames,
  names: LegacyNames = "both",
): Partial<Record<MetricField, unknown>> {
  const document: Partial<Record<MetricField, unknown>> = {}
  for (const field of keep) {
    if (isFieldIncluded(field, names)) document[field] = metricFields[field](metric)
  }
  return document
}

/** Tags as an object of texts. */
export function tagMap(tags: readonly NameValue[]): Record<string, string> {
  // fromEntries defines properties, so a tag that is called `__proto__` stays a tag.
  return Object.fromEntries(tags.map(({ name, value }) => [name, value]))
}

/**
 * Service tags of a metric: the statistic that `actual` is, the unit, tags of package
 * configurations, and tags set by users; later ones win (spec/ingest §11). A counter's actual, an
 * increase, has no such name.
 */
export function metricServiceTags(definition: MetricDefinition): Record<string, string> {
  const { unit, settings, serviceTags = [] } = definition
  return {
    ...(isCounter(definition) ? {} : { "n.statistic": statisticTag(definition) }),
    ...(unit === "" ? {} : { unit }),
    ...settings?.tags,
    ...tagMap(serviceTags),
  }
}

/** As the service wrote it: AVG, SUM, MIN, MAX, LAST, CNT. */
function statisticTag(definition: MetricDefinition): string {
  const statistic = actualStatisticOf(definition)
  return statistic === "average" ? "AVG" : statistic.toUpperCase()
}
