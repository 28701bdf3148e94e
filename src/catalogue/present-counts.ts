/**
 * What limits are kept by: the elements of each tenant that are not deleted, and their series,
 * without those that are dormant (store/lmdb/forgetting/dormancy.ts).
 */

import { assert } from "../base/assert.ts"
import type { ElementIndex, SeriesIndex, TenantIndex } from "../model/ids.ts"
import { IntColumn } from "./int-column.ts"

/** +1 for what comes, -1 for what goes. */
type By = 1 | -1

export class PresentCounts {
  private readonly tenantOf: (element: ElementIndex) => TenantIndex
  private readonly elements: number[] = []
  private readonly series: number[] = []
  /** 1 for what is dormant. */
  private readonly dormantElements = new IntColumn()
  private readonly dormantSeries = new IntColumn()

  constructor(tenantOf: (element: ElementIndex) => TenantIndex) {
    this.tenantOf = tenantOf
  }

  elementsOf(tenant: TenantIndex): number {
    return this.elements[tenant] ?? 0
  }
  seriesOf(tenant: TenantIndex): number {
    return this.series[tenant] ?? 0
  }
  elementsByTenant(): number[] {
    return Array.from(this.elements, (count) => count ?? 0)
  }
  seriesByTenant(): number[] {
    return Array.from(this.series, (count) => count ?? 0)
  }

  /** Counts an element that comes or goes, with these of its series. */
  countElement(element: ElementIndex, by: By, series: Iterable<SeriesIndex> = []): void {
    if (this.dormantElements.get(element) < 0) this.add(this.elements, element, by)
    else this.dormantElements.remove(element)
    for (const one of series) this.countSeries(element, one, by)
  }

  /** Counts a series that comes or goes. */
  countSeries(element: ElementIndex, series: SeriesIndex, by: By): void {
    if (this.dormantSeries.get(series) < 0) this.add(this.series, element, by)
    else this.dormantSeries.remove(series)
  }

  /** Of an element that is not deleted. */
  setElementDormant(element: ElementIndex, isDormant: boolean): void {
    if (setMark(this.dormantElements, element, isDormant)) {
      this.add(this.elements, element, isDormant ? -1 : 1)
    }
  }

  /** Of a series of an element that is not deleted. */
  setSeriesDormant(element: ElementIndex, series: SeriesIndex, isDormant: boolean): void {
    if (setMark(this.dormantSeries, series, isDormant)) {
      this.add(this.series, element, isDormant ? -1 : 1)
    }
  }

  private add(counts: number[], element: ElementIndex, by: By): void {
    const tenant = this.tenantOf(element)
    counts[tenant] = (counts[tenant] ?? 0) + by
    assert(counts[tenant]! >= 0, "Expected to count each element and each series once")
  }
}

/** Returns true if the mark has changed. */
function setMark(marks: IntColumn, index: number, isSet: boolean): boolean {
  if (marks.get(index) >= 0 === isSet) return false
  if (isSet) marks.set(index, 1)
  else marks.remove(index)
  return true
}
