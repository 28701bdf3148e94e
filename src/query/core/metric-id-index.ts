/**
 * Metrics by their ids. Ids are computed from names and not stored, so a metric is found through
 * the first 31 bits of its id, and ids are put in order by them; where two share these, the whole
 * ids are computed. 4 bytes a metric, and 8 to 16 more for the table; made when first needed, at
 * 1.5 µs a metric.
 *
 *   slot = first 31 bits & mask          slots[slot] → series, or the next slot
 */

import type { QueryBudget } from "../../base/query-budget.ts"
import { IntColumn, type Catalogue } from "../../catalogue/catalogue.ts"
import type { SeriesIndex, TenantIndex } from "../../model/ids.ts"

const empty = -1

/** The metrics as a query knows them (id-resolver.ts). */
export interface MetricIdSource {
  readonly catalogue: Catalogue
  readonly budget: QueryBudget
  computeMetricId(series: SeriesIndex): string
}

export class MetricIdIndex {
  private readonly prefixes = new IntColumn()
  private table = new Int32Array(1024).fill(empty)
  private indexedCount = 0
  /** Metrics in the table. */
  private size = 0

  /** The metric of a tenant with this id, in lower case; -1 if there is none. */
  find(source: MetricIdSource, tenant: TenantIndex, id: string): number {
    const head = prefixOf(id)
    if (Number.isNaN(head)) return -1
    this.update(source)
    const { catalogue } = source
    const mask = this.table.length - 1
    for (let slot = head & mask; this.table[slot] !== empty; slot = (slot + 1) & mask) {
      const series = this.table[slot]!
      if (this.prefixes.get(series) !== head || !catalogue.isKnownSeries(series)) continue
      if (source.computeMetricId(series) !== id) continue
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
      const difference = prefixes.get(left) - prefixes.get(right)
      if (difference !== 0 || left === right) return difference
      return idOf(left) < idOf(right) ? -1 : 1
    })
  }

  /** Reads the metrics that came since. */
  private update(source: MetricIdSource): void {
    const { seriesCount } = source.catalogue
    for (; this.indexedCount < seriesCount; this.indexedCount++) {
      source.budget.step()
      if (!source.catalogue.isKnownSeries(this.indexedCount)) continue
      this.prefixes.set(this.indexedCount, prefixOf(source.computeMetricId(this.indexedCount)))
      this.reserve(++this.size)
      this.insert(this.indexedCount)
    }
  }

  /** At most half full, so that few slots are looked at. */
  private reserve(count: number): void {
    if (2 * count <= this.table.length) return
    const before = this.table
    this.table = new Int32Array(2 * before.length).fill(empty)
    for (const series of before) if (series !== empty) this.insert(series)
  }

  private insert(series: SeriesIndex): void {
    const mask = this.table.length - 1
    let slot = this.prefixes.get(series) & mask
    while (this.table[slot] !== empty) slot = (slot + 1) & mask
    this.table[slot] = series
  }
}

function prefixOf(id: string): number {
  return Math.floor(Number.parseInt(id.slice(0, 8), 16) / 2)
}
