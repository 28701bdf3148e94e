/** Metrics as documents show them. */

import type { MetricSubject } from "../../wire/metric-document.ts"
import { metricDocument, metricFieldNames, type MetricField } from "../../wire/metric-document.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { SeriesIndex } from "../../model/ids.ts"

export function metricSubject({ store, ids }: QueryContext, series: SeriesIndex): MetricSubject {
  const { catalogue } = store
  return {
    // Computed on access: sorting a million metrics by unit needs no ids.
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

/** Each document is built when it is printed. */
export function* metricDocuments(
  context: QueryContext,
  series: Int32Array,
  fields: readonly MetricField[] = metricFieldNames,
): Generator<Record<string, unknown>, void> {
  for (const one of series) {
    context.budget.step()
    yield metricDocument(metricSubject(context, one), fields, context.legacyNames)
  }
}
