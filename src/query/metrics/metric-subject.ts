/** A metric as documents show it. */

import type { MetricSubject } from "../../wire/metric-document.ts"
import type { QueryContext } from "../core/query-context.ts"

export function metricSubject({ store, ids }: QueryContext, series: number): MetricSubject {
  const { catalogue } = store
  return {
    // Computed when it is read: sorting a million metrics by unit needs no million ids.
    get id() {
      return ids.metricId(series)
    },
    get elementId() {
      return ids.elementId(catalogue.seriesElement(series))
    },
    fqn: catalogue.name(catalogue.seriesName(series)).fqn,
    definition: catalogue.seriesDefinition(series),
  }
}
