/** An element as the API shows it: the answer of `/elements/{id}`. */

import type { ElementInfo } from "../model/element.ts"
import type { MetricSubject } from "./metric-document.ts"
import { customDataSourceId, metricDocument, metricFieldNames, tagMap } from "./metric-document.ts"

export interface ElementSubject {
  /** A UUID in lower case. */
  readonly id: string
  readonly tenantId: string
  readonly fqn: string
  readonly info: ElementInfo
  readonly metrics: readonly MetricSubject[]
  /** The id of an attribute by its name. */
  readonly attributeId: (name: string) => string
}

const fieldsInElement = metricFieldNames.filter((field) => field !== "elementId")

/** Ingested tags are source tags; service tags are those that a person sets, none so far. */
export function elementDocument(element: ElementSubject): Record<string, unknown> {
  const { id, tenantId, fqn, info } = element
  return {
    id,
    fqn,
    name: info.name,
    type: info.type,
    location: info.location,
    serviceTags: {},
    netuitiveTags: {},
    sourceTags: tagMap(info.tags),
    attributes: info.attributes.map(({ name, value }) => ({
      id: element.attributeId(name),
      dataSourceId: customDataSourceId,
      name,
      value,
      attributeType: "TEXT",
    })),
    metrics: element.metrics.map((metric) => metricDocument(metric, fieldsInElement)),
    tenantId,
    tags: info.tags,
  }
}
