/** The elements of a catalogue by number: name, tenant and info, and their numbers by name. */

import type { ElementInfo } from "../model/element.ts"
import type { ElementIndex, TenantIndex } from "../model/ids.ts"
import { FqnIndex, type TenantFqn } from "./fqn-index.ts"
import { IntColumn } from "./int-column.ts"
import { InternTable } from "./intern-table.ts"
import { newInfo } from "./merge.ts"
import { Pages } from "./pages.ts"
import type { TextByteCount } from "./text-byte-count.ts"

export class ElementTable {
  /** Elements numbered so far. */
  count = 0
  private readonly byFqn = new FqnIndex()
  private readonly fqns = new Pages<string>()
  private readonly tenants = new IntColumn()
  private readonly infos = new Pages<ElementInfo>()
  private readonly internTable = new InternTable()
  private readonly text: TextByteCount

  constructor(text: TextByteCount) {
    this.text = text
  }

  /** Elements that are known. */
  get known(): number {
    return this.fqns.size
  }
  find(tenant: TenantIndex, fqn: string): ElementIndex {
    return this.byFqn.find(tenant, fqn)
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

  add(element: ElementIndex, of: TenantFqn, info: ElementInfo): void {
    this.count = Math.max(this.count, element + 1)
    this.fqns.set(element, of.fqn)
    this.tenants.set(element, of.tenant)
    this.infos.set(element, this.internTable.info(info))
    this.text.countElement(of, info)
    this.byFqn.add(of, element)
  }

  setInfo(element: ElementIndex, info: ElementInfo): void {
    const before = this.infoOf(element)
    this.text.countElement(this.nameOf(element), info, before)
    this.infos.set(element, this.internTable.info(info, before))
  }

  remove(element: ElementIndex): void {
    const of = this.nameOf(element)
    this.text.removeElement(of, this.infoOf(element))
    this.byFqn.remove(of, element)
    this.fqns.remove(element)
    this.tenants.remove(element)
    this.infos.remove(element)
  }

  private nameOf(element: ElementIndex): TenantFqn {
    return { tenant: this.tenantOf(element), fqn: this.fqnOf(element) }
  }
}

/** Of an element that is not known: as if it was deleted. */
const forgottenInfo: ElementInfo = { ...newInfo("", {}, 0), deletedMs: 0 }
