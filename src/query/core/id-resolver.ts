/**
 * Ids on the wire are computed from names, never stored (spec/names §3). One takes about three
 * microseconds, so ids of elements are cached, and those of metrics up to a limit. A query has an
 * IdResolver of its own; those of one thread share an IdCache.
 */

import { QueryBudget } from "../../base/query-budget.ts"
import { isUuid } from "../../base/uuid.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { ElementIndex, SeriesIndex, TenantIndex } from "../../model/ids.ts"
import { cleanFqn, elementUuid, metricUuid } from "../../model/fqn.ts"
import { ForgottenCount } from "../names/forgotten-count.ts"
import { MetricIdIndex } from "./metric-id-index.ts"

/** About 10 MB; the metrics of 65 statistics answers over 1,000 elements. */
const metricIdsMaxDefault = 65_536

/** Elements of one tenant by their id, as far as the catalogue was read. */
interface TenantElements {
  readonly elementsById: Map<string, number>
  read: number
}

/** Ids that were computed by a thread. They depend on names only, which a number keeps for good. */
export class IdCache {
  readonly elementIds = new Map<number, string>()
  /** By tenant. */
  readonly elementIndexes = new Map<number, TenantElements>()
  metricIndex = new MetricIdIndex()
  private readonly forgotten = new ForgottenCount()
  private readonly metricIds = new Map<number, string>()
  private readonly metricIdsMax: number

  constructor({ metricIdsMax = metricIdsMaxDefault } = {}) {
    this.metricIdsMax = metricIdsMax
  }

  /** Clears the caches if most of what they have may be forgotten. */
  follow(catalogue: Catalogue): void {
    if (!this.forgotten.isDue(catalogue)) return
    this.elementIds.clear()
    this.elementIndexes.clear()
    this.metricIndex = new MetricIdIndex()
  }

  /** The id of a metric, computed if it is not cached. */
  metricId(series: SeriesIndex, compute: (series: SeriesIndex) => string): string {
    const known = this.metricIds.get(series)
    if (known !== undefined) return known
    // Evicts the oldest: a scan over more metrics than fit defeats any order of eviction.
    if (this.metricIds.size >= this.metricIdsMax) {
      this.metricIds.delete(this.metricIds.keys().next().value!)
    }
    const id = compute(series)
    this.metricIds.set(series, id)
    return id
  }
}

export class IdResolver {
  readonly catalogue: Catalogue
  readonly budget: QueryBudget
  private readonly tenantUuid: (tenant: TenantIndex) => string
  private readonly cache: IdCache

  constructor(
    catalogue: Catalogue,
    tenantUuid: (tenant: TenantIndex) => string,
    { cache = new IdCache(), budget = new QueryBudget() } = {},
  ) {
    this.catalogue = catalogue
    this.budget = budget
    this.tenantUuid = tenantUuid
    this.cache = cache
    cache.follow(catalogue)
  }

  elementId(element: ElementIndex): string {
    const { elementIds } = this.cache
    const known = elementIds.get(element)
    if (known !== undefined) return known
    const id = this.computeElementId(element)
    elementIds.set(element, id)
    return id
  }

  metricId(series: SeriesIndex): string {
    return this.cache.metricId(series, (one) => this.computeMetricId(one))
  }

  /** As `metricId`, for scans: neither kept nor looked up. */
  computeMetricId(series: SeriesIndex): string {
    const { catalogue } = this
    const element = catalogue.seriesElement(series)
    return metricUuid(
      this.tenantUuid(catalogue.elementTenant(element)),
      catalogue.elementFqn(element),
      catalogue.name(catalogue.seriesName(series)).fqn,
    )
  }

  /**
   * The element of a tenant that has this UUID or FQN, cleaned or not; -1 if there is none, or it
   * was deleted.
   */
  findElement(tenant: TenantIndex, idOrFqn: string): number {
    const element = this.findWithDeleted(tenant, idOrFqn)
    return element >= 0 && this.catalogue.isDeleted(element) ? -1 : element
  }

  private findWithDeleted(tenant: TenantIndex, idOrFqn: string): number {
    const byId = isUuid(idOrFqn) ? this.findElementById(tenant, idOrFqn) : -1
    if (byId >= 0) return byId
    const exact = this.catalogue.findElement(tenant, idOrFqn)
    return exact >= 0 ? exact : this.catalogue.findElement(tenant, cleanFqn(idOrFqn))
  }

  /** The metric name of a tenant that is this FQN, cleaned or not; -1 if there is none. */
  findName(tenant: TenantIndex, fqn: string): number {
    const exact = this.catalogue.findName(tenant, fqn)
    return exact >= 0 ? exact : this.catalogue.findName(tenant, cleanFqn(fqn))
  }

  /** The series of an element whose metric has this UUID or FQN; -1 if there is none. */
  findMetric(element: ElementIndex, idOrFqn: string): number {
    const { catalogue } = this
    if (isUuid(idOrFqn)) {
      const id = idOrFqn.toLowerCase()
      const found = catalogue.elementSeries(element).find((series) => this.metricId(series) === id)
      if (found !== undefined) return found
    }
    const name = this.findName(catalogue.elementTenant(element), idOrFqn)
    return catalogue.findSeries(element, name)
  }

  /** The metric of a tenant with this id, in lower case; -1 if there is none. */
  findMetricById(tenant: TenantIndex, id: string): number {
    return this.cache.metricIndex.find(this, tenant, id)
  }

  /** The series in order of their ids. */
  sortedById(series: Int32Array): Int32Array {
    return this.cache.metricIndex.sortedById(this, series)
  }

  private findElementById(tenant: TenantIndex, uuid: string): number {
    const { elementIndexes } = this.cache
    let index = elementIndexes.get(tenant)
    if (index === undefined) {
      index = { elementsById: new Map(), read: 0 }
      elementIndexes.set(tenant, index)
    }
    const { catalogue } = this
    for (; index.read < catalogue.elementCount; index.read++) {
      this.budget.step()
      // Of an unknown element, it is none.
      if (catalogue.elementTenant(index.read) !== tenant) continue
      index.elementsById.set(this.elementId(index.read), index.read)
    }
    return index.elementsById.get(uuid.toLowerCase()) ?? -1
  }

  private computeElementId(element: ElementIndex): string {
    const { catalogue } = this
    const tenantUuid = this.tenantUuid(catalogue.elementTenant(element))
    return elementUuid(tenantUuid, catalogue.elementFqn(element))
  }
}
