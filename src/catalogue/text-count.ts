/**
 * Text count: how many bytes of text are kept, by tenant, exactly: every change of the catalogue
 * passes here, and so does every entry that is loaded at the start.
 *
 *   own      elements with all that is known of them; names of metrics
 *   shared   definitions of metrics, which equal ones of all tenants share, and nobody forgets
 */

import type { ElementInfo, MetricDefinition } from "../model/element.ts"
import { definitionBytes, infoBytes } from "../model/text-bytes.ts"

export class TextCount {
  /** Of definitions, in bytes. */
  shared = 0
  /** Of the longest definition, in bytes. */
  longest = 0
  private readonly own: number[] = []

  /** Of a tenant's own, in bytes. */
  ownOf(tenant: number): number {
    return this.own[tenant] ?? 0
  }

  /** Of all tenants' own by index, in bytes. */
  perTenant(): number[] {
    return Array.from(this.own, (bytes) => bytes ?? 0)
  }

  /** Counts an element, known before as `before` or not at all. */
  element(
    of: { readonly tenant: number; readonly fqn: string },
    info: ElementInfo,
    before?: ElementInfo,
  ): void {
    const known = before === undefined ? 0 : infoBytes(of.fqn, before)
    this.add(of.tenant, infoBytes(of.fqn, info) - known)
  }

  name(tenant: number, fqn: string): void {
    this.add(tenant, fqn.length)
  }

  definition(definition: MetricDefinition): void {
    const bytes = definitionBytes(definition)
    this.shared += bytes
    this.longest = Math.max(this.longest, bytes)
  }

  private add(tenant: number, bytes: number): void {
    this.own[tenant] = this.ownOf(tenant) + bytes
  }
}
