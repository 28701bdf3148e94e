/** An element as the API shows it (spec/queries §8). */

import type { ElementInfo } from "../../model/element.ts"
import { instant, listOf, number, optional, orNull, partial, record, text } from "../answer.ts"
import { textMap, described, uuid, wholeNumber } from "../answer.ts"
import { isFieldIncluded, userTagEntries, type LegacyNames } from "../legacy-names.ts"
import type { MetricSubject } from "../metric-document.ts"
import { categoryRecord } from "../records/event-document.ts"
import { nameValueRecord } from "../records/policy-document.ts"
import { elementMetricRecord } from "../metric-document.ts"
import { customDataSourceId, metricDocument, metricFieldNames, tagMap } from "../metric-document.ts"

export interface ElementSubject {
  /** A UUID in lower case. */
  readonly id: string
  readonly tenantId: string
  readonly fqn: string
  readonly info: ElementInfo
  readonly metrics: readonly MetricSubject[]
  /** Names of its checks, sorted; each once. */
  readonly checkNames: readonly string[]
  /** The id of an attribute by its name. */
  readonly attributeId: (name: string) => string
  /** Status shown in lists of elements; absent if one element is requested by its id. */
  readonly processing?: ElementProcessing
}

export interface ElementProcessing {
  /** Start of the newest processed cycle with data; null if there is none. */
  readonly lastProcessedMs: number | null
  /** Percentage of its metrics with data in the last cycle; null if none ever had data. */
  readonly collectedPercent: number | null
  /** Events of the query's window, or of the last hour. */
  readonly eventCount: EventCount
  /** The id of a relation by the FQN that it points to. */
  readonly relationId: (fqn: string) => string
}

export interface EventCount {
  readonly total: number
  /** Category of the most severe event, as events show it; null if there is none. */
  readonly topCategory: Readonly<Record<string, string>> | null
}

type FieldOf = (element: ElementSubject, names?: LegacyNames) => unknown

/** The value of each field, in the order of the document. */
export const elementFields = {
  id: ({ id }) => id,
  fqn: ({ fqn }) => fqn,
  name: ({ info }) => info.name,
  type: ({ info }) => info.type,
  location: ({ info }) => info.location,
  lastProcessed: ({ processing }) => instantText(processing?.lastProcessedMs ?? null),
  serviceTags: (element) => serviceTags(element),
  netuitiveTags: (element) => serviceTags(element),
  sourceTags: ({ info }) => tagMap(info.tags),
  attributes: (element) => element.info.attributes.map((one) => attribute(element, one)),
  metrics: ({ metrics }, names: LegacyNames = "both") =>
    metrics.map((metric) => metricDocument(metric, fieldsInElement, names)),
  relations: ({ info, processing }) =>
    processing && info.relations.map((fqn) => relation(processing, fqn)),
  state: ({ processing }) =>
    processing && { "netuitive.metrics.collected.percent": processing.collectedPercent },
  eventCount: ({ processing }) => processing?.eventCount,
  tenantId: ({ tenantId }) => tenantId,
  tags: ({ info }) => info.tags,
} as const satisfies Record<string, FieldOf>

const attributeRecord = record({
  id: uuid,
  dataSourceId: wholeNumber,
  name: text,
  value: text,
  attributeType: text,
})

const entries = {
  id: uuid,
  fqn: text,
  name: text,
  type: text,
  location: orNull(text),
  lastProcessed: described(optional(instant), "In lists, if a cycle with its data has closed"),
  ...userTagEntries("Tags that people set, and the names of its checks"),
  sourceTags: described(textMap, "Tags that were posted"),
  attributes: listOf(attributeRecord),
  metrics: listOf(elementMetricRecord),
  relations: optional(listOf(record({ id: uuid, dataSourceId: wholeNumber, fqn: text }))),
  state: optional(record({ "netuitive.metrics.collected.percent": orNull(number) })),
  eventCount: optional(record({ total: wholeNumber, topCategory: orNull(categoryRecord) })),
  tenantId: uuid,
  tags: listOf(nameValueRecord),
} as const satisfies Record<keyof typeof elementFields, unknown>

export const elementRecord = record(entries)
/** As a list or a search finds it, which may leave out fields. */
export const foundElementRecord = partial(entries, ["id"])

export type ElementField = keyof typeof elementFields
export const elementFieldNames = Object.keys(elementFields) as ElementField[]

const fieldsInElement = metricFieldNames.filter((field) => field !== "elementId")

/**
 * The fields of `keep`, in the order of the document. Ingested tags are source tags; service tags
 * are those set by users.
 */
export function elementDocument(
  element: ElementSubject,
  keep: readonly ElementField[] = elementFieldNames,
  names: LegacyNames = "both",
): Record<string, unknown> {
  const document: Record<string, unknown> = {}
  for (const field of keep) {
    if (!isFieldIncluded(field, names)) continue
    const value = elementFields[field](element, names)
    if (value !== undefined) document[field] = value
  }
  return document
}

/** Tags set by users, and a tag with the names of its checks (spec/events §4). */
function serviceTags({ info, checkNames }: ElementSubject): Record<string, string> {
  const set = tagMap(info.serviceTags ?? [])
  return checkNames.length === 0 ? set : { ...set, "n.checks": checkNames.join(", ") }
}

function attribute(element: ElementSubject, { name, value }: { name: string; value: string }) {
  const id = element.attributeId(name)
  return { id, dataSourceId: customDataSourceId, name, value, attributeType: "TEXT" }
}

function relation(processing: ElementProcessing, fqn: string) {
  return { id: processing.relationId(fqn), dataSourceId: customDataSourceId, fqn }
}

/** Absent if there is none. */
function instantText(ms: number | null): string | undefined {
  return ms === null ? undefined : new Date(ms).toISOString()
}
