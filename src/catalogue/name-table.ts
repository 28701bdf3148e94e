/** The metric names of a catalogue by number, and their numbers by FQN. */

import type { TenantIndex } from "../model/ids.ts"
import { Pages } from "./pages.ts"
import type { TextByteCount } from "./text-byte-count.ts"

/** A metric name within a tenant. */
export interface MetricName {
  readonly tenant: TenantIndex
  readonly fqn: string
}

export class NameTable {
  /** Names numbered so far, and those that are known. */
  count = 0
  known = 0
  private readonly byFqn: Map<string, number>[] = []
  private readonly entries = new Pages<MetricName>()
  private readonly text: TextByteCount

  constructor(text: TextByteCount) {
    this.text = text
  }

  find(tenant: TenantIndex, fqn: string): number {
    return this.byFqn[tenant]?.get(fqn) ?? -1
  }
  isKnown(name: number): boolean {
    return this.entries.get(name) !== undefined
  }
  at(name: number): MetricName {
    return this.entries.get(name) ?? forgottenName
  }
  numbers(): Generator<number, void, undefined> {
    return this.entries.numbers()
  }

  /** Of two names with one FQN, the last one that is added is found. */
  add(name: number, entry: MetricName): number {
    this.count = Math.max(this.count, name + 1)
    if (!this.isKnown(name)) this.known++
    this.entries.set(name, entry)
    this.text.countName(entry.tenant, entry.fqn, 1)
    const byFqn = (this.byFqn[entry.tenant] ??= new Map())
    byFqn.set(entry.fqn, name)
    return name
  }

  remove(name: number): void {
    const { tenant, fqn } = this.at(name)
    if (this.find(tenant, fqn) === name) this.byFqn[tenant]!.delete(fqn)
    if (this.isKnown(name)) this.known--
    this.entries.remove(name)
    this.text.countName(tenant, fqn, -1)
  }
}

/** Of a number that is not known. */
const forgottenName: MetricName = { tenant: -1, fqn: "" }
