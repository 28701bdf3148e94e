/** Elements that are not deleted, and their series, by tenant: what limits are kept by. */

import { assert } from "../base/assert.ts"
import type { TenantIndex } from "../model/ids.ts"

export class PresentCounts {
  private readonly elements: number[] = []
  private readonly series: number[] = []

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

  /** Adds to the counts of a tenant, or subtracts. */
  add(tenant: TenantIndex, elements: number, series: number): void {
    this.elements[tenant] = this.elementsOf(tenant) + elements
    this.series[tenant] = this.seriesOf(tenant) + series
    assert(this.elementsOf(tenant) >= 0, "Expected to count each element once")
    assert(this.seriesOf(tenant) >= 0, "Expected to count each series once")
  }
}
