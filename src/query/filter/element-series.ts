/** The metrics of many elements. */

import type { QueryContext } from "../core/query-context.ts"

/** The first `metricsMax` metrics of each element. */
export function seriesOf(
  { store }: Pick<QueryContext, "store">,
  elements: Int32Array,
  metricsMax = Infinity,
): Int32Array {
  const lists = Array.from(elements, (element) =>
    store.catalogue.elementSeries(element).subarray(0, metricsMax),
  )
  const series = new Int32Array(lists.reduce((sum, list) => sum + list.length, 0))
  let at = 0
  for (const list of lists) {
    series.set(list, at)
    at += list.length
  }
  return series
}
