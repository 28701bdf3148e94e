/**
 * Text count: how many bytes of text are kept, by tenant, exactly: every change of the catalogue
 * passes here, and so does every entry that is loaded at the start.
 *
 *   own      elements with all that is known of them; names of metrics
 *   shared   definitions of metrics, which equal ones of all tenants share, and nobody forgets
 */

import type { ElementInfo, MetricDefinition } from "../model/element.ts"
import { definitionTextBytes, elementTextBytes } from "../model/text-bytes.ts"

export class TextByteCount {
  /** Of definitions, in bytes. */
  sharedBytes = 0
  /** Of the longest definition, in bytes. */
  longestDefinitionBytes = 0
  private readonly own: number[] = []

  /** Of a tenant's own, in bytes. */
  tenantBytes(tenant: number): number {
    return this.own[tenant] ?? 0
  }

  /** Of all tenants' own by index, in bytes. */
  bytesByTenant(): number[] {
    return Array.from(this.own, (bytes) => bytes ?? 0)
  }

  /** Counts an element, known before as `before` or not at all. */
  countElement(
    of: { readonly tenant: number; readonly fqn: string },
    info: ElementInfo,
    before?: ElementInfo,
  ): void {
    const known = before === undefined ? 0 : elementTextBytes(of.fqn, before)
    this.add(of.tenant, elementTextBytes(of.fqn, info) - known)
  }

  countName(tenant: number, fqn: string): void {
    this.add(tenant, fqn.length)
  }

  countDefinition(definition: MetricDefinition): void {
    const bytes = definitionTextBytes(definition)
    this.sharedBytes += bytes
    this.longestDefinitionBytes = Math.max(this.longestDefinitionBytes, bytes)
  }

  private add(tenant: number, bytes: number): void {
    this.own[tenant] = this.tenantBytes(tenant) + bytes
  }
}
