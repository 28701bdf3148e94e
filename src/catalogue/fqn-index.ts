/** Numbers of elements, or of metric names, by tenant and FQN. */

import type { TenantIndex } from "../model/ids.ts"

/** Identifies an element, or a metric name. */
export interface TenantFqn {
  readonly tenant: TenantIndex
  readonly fqn: string
}

export class FqnIndex {
  private readonly byTenant: Map<string, number>[] = []

  /** The number that was added last under an FQN, or -1. */
  find(tenant: TenantIndex, fqn: string): number {
    return this.byTenant[tenant]?.get(fqn) ?? -1
  }

  add({ tenant, fqn }: TenantFqn, number: number): void {
    const byFqn = (this.byTenant[tenant] ??= new Map())
    byFqn.set(fqn, number)
  }

  /** Removes a number, unless another one was added under its FQN since. */
  remove({ tenant, fqn }: TenantFqn, number: number): void {
    if (this.find(tenant, fqn) === number) this.byTenant[tenant]!.delete(fqn)
  }
}
