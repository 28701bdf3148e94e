/** Description of a series in an export: element and metric as a collector posts them. */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { SeriesIndex } from "../../model/ids.ts"

/**
 * JSON of an element with one metric and without samples (spec/ingest §4, spec/ingest §5). What
 * users set, such as service tags, belongs to a backup; the date of its first post is left out.
 */
export function aboutSeries(catalogue: Catalogue, series: SeriesIndex): string {
  const element = catalogue.seriesElement(series)
  const { name, type, location, tags, attributes, relations } = catalogue.elementInfo(element)
  const id = catalogue.elementFqn(element)
  return JSON.stringify({
    id,
    ...(name === id ? {} : { name }),
    ...(type === "unknown" ? {} : { type }),
    ...(location === null ? {} : { location }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(relations.length === 0 ? {} : { relations: relations.map((fqn) => ({ fqn })) }),
    metrics: [aboutMetric(catalogue, series)],
  })
}

function aboutMetric(catalogue: Catalogue, series: SeriesIndex) {
  const { fqn } = catalogue.name(catalogue.seriesName(series))
  const { name, unit, type, sparseDataStrategy, tags } = catalogue.seriesDefinition(series)
  return {
    id: fqn,
    ...(name === null ? {} : { name }),
    ...(unit === "" ? {} : { unit }),
    ...(type === "" ? {} : { type }),
    ...(sparseDataStrategy === "None" ? {} : { sparseDataStrategy }),
    ...(tags.length === 0 ? {} : { tags }),
  }
}
