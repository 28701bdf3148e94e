/**
 * Exact count of the stored bytes of text, by tenant: every change of the catalogue, and every
 * entry loaded at the start, is counted here.
 *
 *   own      infos of elements that are not deleted, and names of metrics
 *   shared   definitions of metrics: equal ones of all tenants are one, and none is ever deleted
 */

import type { TenantIndex } from "../model/ids.ts"
import type { ElementInfo, MetricDefinition } from "../model/element.ts"
import { definitionTextBytes, presentTextGrowth } from "../model/text-bytes.ts"

export class TextByteCount {
  /** Of definitions, in bytes. */
  sharedBytes = 0
  /** Of the longest definition, in bytes. */
  longestDefinitionBytes = 0
  private readonly own: number[] = []

  /** Bytes of a tenant's own text. */
  tenantBytes(tenant: TenantIndex): number {
    return this.own[tenant] ?? 0
  }

  /** Bytes of own text, by tenant. */
  bytesByTenant(): number[] {
    return Array.from(this.own, (bytes) => bytes ?? 0)
  }

  /** Counts an element; `before` is its previous info, if it has one. */
  countElement(
    of: { readonly tenant: TenantIndex; readonly fqn: string },
    info: ElementInfo,
    before?: ElementInfo,
  ): void {
    this.add(of.tenant, presentTextGrowth(of.fqn, info, before))
  }

  countName(tenant: TenantIndex, fqn: string): void {
    this.add(tenant, fqn.length)
  }

  countDefinition(definition: MetricDefinition): void {
    const bytes = definitionTextBytes(definition)
    this.sharedBytes += bytes
    this.longestDefinitionBytes = Math.max(this.longestDefinitionBytes, bytes)
  }

  private add(tenant: TenantIndex, bytes: number): void {
    this.own[tenant] = this.tenantBytes(tenant) + bytes
  }
}
