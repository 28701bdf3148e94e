/**
 * Metrics by their ids. Ids are computed from names and not stored, so a metric is found through
 * the first 32 bits of its id, and ids are put in order by them; where two share these, the whole
 * ids are computed. 4 bytes a metric, and 8 to 16 more for the table; made when first needed, at
 * 1.5 µs a metric.
 *
 *   slot = first 32 bits & mask          slots[slot] → series, or the next slot
 */

import type { QueryBudget } from "../../base/query-budget.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { SeriesIndex, TenantIndex } from "../../model/ids.ts"

const empty = -1

/** The metrics as a query knows them (id-resolver.ts). */
export interface MetricIdSource {
  readonly catalogue: Catalogue
  readonly budget: QueryBudget
  computeMetricId(series: SeriesIndex): string
}

export class MetricIdIndex {
  private prefixes = new Uint32Array(0)
  private table = new Int32Array(1024).fill(empty)
  private indexedCount = 0

  /** The metric of a tenant with this id, in lower case; -1 if there is none. */
  find(source: MetricIdSource, tenant: TenantIndex, id: string): number {
    const head = prefixOf(id)
    if (Number.isNaN(head)) return -1
    this.update(source)
    const { catalogue } = source
    const mask = this.table.length - 1
    for (let slot = head & mask; this.table[slot] !== empty; slot = (slot + 1) & mask) {
      const series = this.table[slot]!
      if (this.prefixes[series] !== head || source.computeMetricId(series) !== id) continue
      return catalogue.elementTenant(catalogue.seriesElement(series)) === tenant ? series : -1
    }
    return -1
  }

  /** The series in order of their ids. */
  sortedById(source: MetricIdSource, series: Int32Array): Int32Array {
    this.update(source)
    const { prefixes } = this
    const idOf = (one: number) => source.computeMetricId(one)
    return series.slice().sort((left, right) => {
      source.budget.step()
      const difference = prefixes[left]! - prefixes[right]!
      if (difference !== 0 || left === right) return difference
      return idOf(left) < idOf(right) ? -1 : 1
    })
  }

  /** Reads the metrics that came since. */
  private update(source: MetricIdSource): void {
    const { seriesCount } = source.catalogue
    if (this.indexedCount >= seriesCount) return
    this.reserve(seriesCount)
    for (; this.indexedCount < seriesCount; this.indexedCount++) {
      source.budget.step()
      this.prefixes[this.indexedCount] = prefixOf(source.computeMetricId(this.indexedCount))
      this.insert(this.indexedCount)
    }
  }

  private reserve(count: number): void {
    if (count > this.prefixes.length) {
      const heads = new Uint32Array(Math.ceil(count * 1.25))
      heads.set(this.prefixes)
      this.prefixes = heads
    }
    // At most half full, so that few slots are looked at.
    if (2 * count <= this.table.length) return
    let size = this.table.length
    while (size < 2 * count) size *= 2
    this.table = new Int32Array(size).fill(empty)
    for (let series = 0; series < this.indexedCount; series++) this.insert(series)
  }

  private insert(series: SeriesIndex): void {
    const mask = this.table.length - 1
    let slot = this.prefixes[series]! & mask
    while (this.table[slot] !== empty) slot = (slot + 1) & mask
    this.table[slot] = series
  }
}

function prefixOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16)
}
