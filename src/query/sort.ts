/** Sorting by a field of the metric document. */

import type { MetricSubject } from "../wire/metric-document.ts"
import { metricFields } from "../wire/metric-document.ts"
import type { Sort } from "../wire/sort-body.ts"

/** The series in order of `sort`; those that are equal keep their order, in either direction. */
export function sorted(
  series: Int32Array,
  sort: Sort,
  subject: (series: number) => MetricSubject,
): Int32Array {
  const keys = Array.from(series, (one) => keyOf(subject(one), sort))
  const places = Array.from(series, (_, i) => i)
  const sign = sort.descending ? -1 : 1
  const missingSign = sort.missingFirst ? -1 : 1
  places.sort((i, j) => {
    const [left, right] = [keys[i]!, keys[j]!]
    if (left === right) return i - j
    if (left === "") return missingSign
    if (right === "") return -missingSign
    return left < right ? -sign : sign
  })
  return Int32Array.from(places, (place) => series[place]!)
}

/** Empty where the document has no such value. */
function keyOf(subject: MetricSubject, { field, tag }: Sort): string {
  const value = metricFields[field](subject)
  if (tag === null) return value === null ? "" : String(value)
  const tags = value as Record<string, string>
  return Object.hasOwn(tags, tag) ? tags[tag]! : ""
}
