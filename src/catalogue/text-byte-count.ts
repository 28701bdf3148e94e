/**
 * Exact count of the stored bytes of text, by tenant: every change of the catalogue, and every
 * entry loaded at the start, is counted here.
 *
 *   own      infos of elements that are not deleted, and names of metrics
 *   shared   definitions of metrics: equal ones of all tenants are one
 */

import type { TenantIndex } from "../model/ids.ts"
import type { ElementInfo, MetricDefinition } from "../model/element.ts"
import type { TenantFqn } from "./fqn-index.ts"
import { definitionTextBytes, elementTextBytes, presentTextGrowth } from "../model/text-bytes.ts"

export class TextByteCount {
  /** Of definitions, in bytes. */
  sharedBytes = 0
  /** Of the longest definition so far, in bytes. */
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
  countElement(of: TenantFqn, info: ElementInfo, before?: ElementInfo): void {
    this.add(of.tenant, presentTextGrowth(of.fqn, info, before))
  }

  removeElement({ tenant, fqn }: TenantFqn, info: ElementInfo): void {
    if (info.deletedMs === undefined) this.add(tenant, -elementTextBytes(fqn, info))
  }

  /** Adds the text of a name, or subtracts it. */
  countName(tenant: TenantIndex, fqn: string, by: 1 | -1): void {
    this.add(tenant, by * fqn.length)
  }

  /** Adds the text of a definition, or subtracts it. */
  countDefinition(definition: MetricDefinition, by: 1 | -1): void {
    const bytes = definitionTextBytes(definition)
    this.sharedBytes += by * bytes
    this.longestDefinitionBytes = Math.max(this.longestDefinitionBytes, bytes)
  }

  private add(tenant: TenantIndex, bytes: number): void {
    this.own[tenant] = this.tenantBytes(tenant) + bytes
  }
}
