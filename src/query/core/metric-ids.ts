/**
 * Metrics by their ids. Ids are computed from names and not stored, so a metric is found through
 * the first 32 bits of its id, and ids are put in order by them; where two share these, the whole
 * ids are computed. 4 bytes a metric, and 8 to 16 more for the table; made when first needed, at
 * 1.5 µs a metric.
 *
 *   slot = first 32 bits & mask          slots[slot] → series, or the next slot
 */

import { QueryBudget } from "../../base/query-budget.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { Identity } from "./id-resolver.ts"

const empty = -1

export class MetricIds {
  private readonly catalogue: () => Catalogue
  private readonly identity: Pick<Identity, "computeMetricId">
  private readonly budget: QueryBudget
  private heads = new Uint32Array(0)
  private slots = new Int32Array(1024).fill(empty)
  private read = 0

  constructor(
    catalogue: () => Catalogue,
    identity: Pick<Identity, "computeMetricId">,
    budget = new QueryBudget(),
  ) {
    this.budget = budget
    this.catalogue = catalogue
    this.identity = identity
  }

  /** The metric of a tenant with this id, in lower case; -1 where there is none. */
  find(tenant: number, id: string): number {
    const head = headOf(id)
    if (Number.isNaN(head)) return -1
    this.update()
    const catalogue = this.catalogue()
    const mask = this.slots.length - 1
    for (let slot = head & mask; this.slots[slot] !== empty; slot = (slot + 1) & mask) {
      const series = this.slots[slot]!
      if (this.heads[series] !== head || this.identity.computeMetricId(series) !== id) continue
      return catalogue.elementTenant(catalogue.seriesElement(series)) === tenant ? series : -1
    }
    return -1
  }

  /** The series in order of their ids. */
  ordered(series: Int32Array): Int32Array {
    this.update()
    const { heads } = this
    const idOf = (one: number) => this.identity.computeMetricId(one)
    return series.slice().sort((left, right) => {
      this.budget.step()
      const difference = heads[left]! - heads[right]!
      if (difference !== 0 || left === right) return difference
      return idOf(left) < idOf(right) ? -1 : 1
    })
  }

  /** Reads the metrics that came since. */
  private update(): void {
    const { seriesCount } = this.catalogue()
    if (this.read === seriesCount) return
    this.reserve(seriesCount)
    for (; this.read < seriesCount; this.read++) {
      this.budget.step()
      this.heads[this.read] = headOf(this.identity.computeMetricId(this.read))
      this.insert(this.read)
    }
  }

  private reserve(count: number): void {
    if (count > this.heads.length) {
      const heads = new Uint32Array(Math.ceil(count * 1.25))
      heads.set(this.heads)
      this.heads = heads
    }
    // At most half full, so that few slots are looked at.
    if (2 * count <= this.slots.length) return
    let size = this.slots.length
    while (size < 2 * count) size *= 2
    this.slots = new Int32Array(size).fill(empty)
    for (let series = 0; series < this.read; series++) this.insert(series)
  }

  private insert(series: number): void {
    const mask = this.slots.length - 1
    let slot = this.heads[series]! & mask
    while (this.slots[slot] !== empty) slot = (slot + 1) & mask
    this.slots[slot] = series
  }
}

function headOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16)
}
