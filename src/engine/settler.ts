/**
 * Settler: gives metrics the settings that analytic configurations say.
 *
 *   documents of kind `analyticConfiguration:<tenant>` ─► ConfigurationSet ─► catalogue
 *                                                              │
 *                              new and changed metrics at once ┘ └ known ones in small steps
 *
 * After each step the catalogue is stored; when all elements were seen, a mark with the checksum of
 * the configurations is. Where the mark differs after a start, the walk begins anew: a metric that
 * has its settings already costs a look.
 */

import { assert } from "../base/assert.ts"
import { checksum } from "../base/checksum.ts"
import { ConfigurationSet } from "../configuration/configuration-set.ts"
import { readConfiguration, type ReadConfiguration } from "../configuration/read.ts"
import { inOrder } from "../configuration/stored.ts"
import { tenantKind, type DocumentChange, type StoredDocument } from "../model/document.ts"
import type { WriteStore } from "../store/store.ts"

/** One step's time, as that of any background work (engine/caretaker.ts). */
const stepMs = 2

const kindPrefix = "analyticConfiguration:"
const markKind = "settledConfigurations"

/** Where the configurations of a tenant are kept, each as the JSON that was read. */
export function configurationKind(tenant: number): string {
  return `${kindPrefix}${tenant}`
}

/** What makes these the tenant's configurations, and no others. */
export function configurationChanges(
  store: Pick<WriteStore, "listDocuments">,
  tenant: number,
  configurations: readonly StoredDocument[],
): DocumentChange[] {
  const kind = configurationKind(tenant)
  const stays = new Set(configurations.map(({ id }) => id))
  const gone = store.listDocuments(kind).filter(({ id }) => !stays.has(id))
  return [
    ...gone.map(({ id }) => ({ kind, id, document: null })),
    ...configurations.map(({ id, document }) => ({ kind, id, document })),
  ]
}

type Warn = (fields: Readonly<Record<string, unknown>>, message: string) => void

export class Settler {
  private readonly elapsedMs: () => number
  private readonly warn: Warn
  private store: WriteStore | null = null
  private readonly tenants = new Map<number, TenantConfigurations>()
  /** Tenants whose known metrics are to be settled, with the mark to be left: null for none. */
  private readonly due = new Map<number, number | null>()
  private marks: DocumentChange[] = []
  private nextElement = 0

  constructor(elapsedMs: () => number, warn: Warn = () => {}) {
    this.elapsedMs = elapsedMs
    this.warn = warn
  }

  /** True where a step would find something to do. */
  get isDue(): boolean {
    return this.due.size > 0
  }

  /** To be called before anything is done with a store: loads what it keeps where it is new. */
  attend(store: WriteStore): void {
    if (store === this.store) return
    this.store = store
    this.tenants.clear()
    this.due.clear()
    this.marks = []
    const marks = new Map(store.listDocuments(markKind).map(({ id, document }) => [id, document]))
    // The first tenant is there before its document is.
    const tenantCount = Math.max(1, store.listDocuments(tenantKind).length)
    for (let tenant = 0; tenant < tenantCount; tenant++) {
      const documents = store.listDocuments(configurationKind(tenant))
      if (documents.length > 0 || marks.has(String(tenant))) {
        this.take(tenant, documents, marks.get(String(tenant)))
      }
    }
    this.useSets(store)
  }

  /** Tells what documents were stored. */
  noticed(changes: readonly DocumentChange[]): void {
    const { store } = this
    assert(store !== null, "Expected a store that was attended")
    const kinds = new Set(changes.map(({ kind }) => kind))
    const tenants = [...kinds].filter((kind) => kind.startsWith(kindPrefix))
    if (tenants.length === 0) return
    for (const kind of tenants) {
      this.take(Number(kind.slice(kindPrefix.length)), store.listDocuments(kind), undefined)
    }
    this.useSets(store)
  }

  /** Settles elements for a while, wherever the last step ended. */
  step(onChange: (element: number) => void): void {
    const { store } = this
    assert(store !== null, "Expected a store that was attended")
    const { catalogue } = store
    const endMs = this.elapsedMs() + stepMs
    while (this.nextElement < catalogue.elementCount) {
      const element = this.nextElement++
      if (!this.due.has(catalogue.elementTenant(element))) continue
      if (catalogue.settleElement(element)) onChange(element)
      if (this.elapsedMs() >= endMs) return
    }
    this.finish()
  }

  /** Marks of what is settled, to be stored after what was settled is. */
  takeMarks(): readonly DocumentChange[] {
    const { marks } = this
    this.marks = []
    return marks
  }

  private finish(): void {
    for (const [tenant, document] of this.due) {
      this.marks.push({ kind: markKind, id: String(tenant), document })
    }
    this.due.clear()
  }

  private take(tenant: number, documents: readonly StoredDocument[], mark: unknown): void {
    let configurations = this.tenants.get(tenant)
    if (configurations === undefined) {
      this.tenants.set(tenant, (configurations = new TenantConfigurations()))
    }
    const problems = configurations.take(documents)
    for (const [id, found] of problems) {
      this.warn({ tenant, id, problems: found }, "a configuration is left out")
    }
    const newMark = documents.length === 0 ? null : configurations.mark
    if (mark === newMark) return
    this.due.set(tenant, newMark)
    // Elements that were passed already are of the old configurations.
    this.nextElement = 0
  }

  private useSets(store: WriteStore): void {
    store.catalogue.useSettings((tenant) => this.tenants.get(tenant)?.set)
  }
}

/** What one tenant's documents come to; those that stay as they are, are read once. */
class TenantConfigurations {
  /** Undefined where no metric gets any settings. */
  set: ConfigurationSet | undefined
  /** Tells these configurations from others. */
  mark = 0
  /** What each JSON text came to. */
  private read = new Map<string, ReadConfiguration>()

  /** Gives the problems of those that were not taken, by id. */
  take(documents: readonly StoredDocument[]): (readonly [string, readonly string[]])[] {
    const former = this.read
    this.read = new Map()
    const problems: (readonly [string, readonly string[]])[] = []
    const taken = inOrder(documents).flatMap(({ id, json }) => {
      const text = JSON.stringify(json)
      const read = former.get(text) ?? readConfiguration(json)
      this.read.set(text, read)
      if (read.problems.length > 0) problems.push([id, read.problems])
      return read.configuration ?? []
    })
    const set = new ConfigurationSet(taken)
    this.set = set.isEmpty ? undefined : set
    this.mark = checksum(new TextEncoder().encode(JSON.stringify(documents)))
    return problems
  }
}
