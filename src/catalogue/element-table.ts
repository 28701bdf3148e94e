/** The elements of a catalogue by number: name, tenant and info, and their numbers by name. */

import type { ElementInfo } from "../model/element.ts"
import type { ElementIndex, TenantIndex } from "../model/ids.ts"
import { IntColumn } from "./int-column.ts"
import { InternTable } from "./intern-table.ts"
import { newInfo } from "./merge.ts"
import { Pages } from "./pages.ts"
import type { TextByteCount } from "./text-byte-count.ts"

/** Identifies an element. */
export interface ElementName {
  readonly tenant: TenantIndex
  readonly fqn: string
}

export class ElementTable {
  /** Elements numbered so far, and those that are known. */
  count = 0
  known = 0
  private readonly byFqn: Map<string, ElementIndex>[] = []
  private readonly fqns = new Pages<string>()
  private readonly tenants = new IntColumn()
  private readonly infos = new Pages<ElementInfo>()
  private readonly internTable = new InternTable()
  private readonly text: TextByteCount

  constructor(text: TextByteCount) {
    this.text = text
  }

  find(tenant: TenantIndex, fqn: string): ElementIndex {
    return this.byFqn[tenant]?.get(fqn) ?? -1
  }
  isKnown(element: ElementIndex): boolean {
    return this.fqns.get(element) !== undefined
  }
  fqnOf(element: ElementIndex): string {
    return this.fqns.get(element) ?? ""
  }
  tenantOf(element: ElementIndex): TenantIndex {
    return this.tenants.get(element)
  }
  infoOf(element: ElementIndex): ElementInfo {
    return this.infos.get(element) ?? forgottenInfo
  }
  numbers(): Generator<ElementIndex, void, undefined> {
    return this.fqns.numbers()
  }

  add(element: ElementIndex, { tenant, fqn }: ElementName, info: ElementInfo): void {
    this.count = Math.max(this.count, element + 1)
    this.known++
    this.fqns.set(element, fqn)
    this.tenants.set(element, tenant)
    this.infos.set(element, this.internTable.info(info))
    this.text.countElement({ tenant, fqn }, info)
    const byFqn = (this.byFqn[tenant] ??= new Map())
    byFqn.set(fqn, element)
  }

  setInfo(element: ElementIndex, info: ElementInfo): void {
    const of = { tenant: this.tenantOf(element), fqn: this.fqnOf(element) }
    const before = this.infoOf(element)
    this.text.countElement(of, info, before)
    this.infos.set(element, this.internTable.info(info, before))
  }

  remove(element: ElementIndex): void {
    const of = { tenant: this.tenantOf(element), fqn: this.fqnOf(element) }
    this.text.removeElement(of, this.infoOf(element))
    this.byFqn[of.tenant]!.delete(of.fqn)
    this.fqns.remove(element)
    this.tenants.remove(element)
    this.infos.remove(element)
    this.known--
  }
}

/** Of an element that is not known: as if it was deleted. */
const forgottenInfo: ElementInfo = { ...newInfo("", {}, 0), deletedMs: 0 }
