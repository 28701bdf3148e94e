/** The metric names of a catalogue by number, and their numbers by FQN. */

import type { TenantIndex } from "../model/ids.ts"
import { FqnIndex, type TenantFqn } from "./fqn-index.ts"
import { Pages } from "./pages.ts"
import type { TextByteCount } from "./text-byte-count.ts"

/** A metric name within a tenant. */
export type MetricName = TenantFqn

export class NameTable {
  /** Names numbered so far. */
  count = 0
  private readonly byFqn = new FqnIndex()
  private readonly entries = new Pages<MetricName>()
  private readonly text: TextByteCount

  constructor(text: TextByteCount) {
    this.text = text
  }

  /** Names that are known. */
  get known(): number {
    return this.entries.size
  }
  find(tenant: TenantIndex, fqn: string): number {
    return this.byFqn.find(tenant, fqn)
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
    this.entries.set(name, entry)
    this.text.countName(entry.tenant, entry.fqn, 1)
    this.byFqn.add(entry, name)
    return name
  }

  remove(name: number): void {
    const entry = this.at(name)
    this.byFqn.remove(entry, name)
    this.entries.remove(name)
    this.text.countName(entry.tenant, entry.fqn, -1)
  }
}

/** Of a number that is not known. */
const forgottenName: MetricName = { tenant: -1, fqn: "" }
