/** An element with its series as the store keeps it. */

import { assert } from "../base/assert.ts"
import type { SeriesIndex, TenantIndex } from "../model/ids.ts"
import type { ElementInfo } from "../model/element.ts"

export interface StoredElement {
  readonly tenant: TenantIndex
  readonly fqn: string
  readonly info: ElementInfo
  /** series, name, definition, location (partition and index as one number), repeated. */
  readonly series: Int32Array
}

/** Integers of each series in `StoredElement.series`. */
export const storedSeriesInts = 4

interface SeriesProperties {
  seriesName(series: SeriesIndex): number
  seriesDefinitionIndex(series: SeriesIndex): number
  seriesLocation(series: SeriesIndex): number
}

/** `StoredElement.series` of the series in `list`. */
export function storedSeriesOf(list: Int32Array, catalogue: SeriesProperties): Int32Array {
  const stored = new Int32Array(list.length * storedSeriesInts)
  for (let i = 0; i < list.length; i++) {
    const series = list[i]!
    const location = catalogue.seriesLocation(series)
    assert(location >= 0, "Expected a location of each series")
    stored[i * storedSeriesInts] = series
    stored[i * storedSeriesInts + 1] = catalogue.seriesName(series)
    stored[i * storedSeriesInts + 2] = catalogue.seriesDefinitionIndex(series)
    stored[i * storedSeriesInts + 3] = location
  }
  return stored
}
