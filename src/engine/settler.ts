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
import { tenantsMax } from "../base/limits.ts"
import { ConfigurationSet } from "../configuration/configuration-set.ts"
import { readConfiguration } from "../configuration/read.ts"
import { inOrder } from "../configuration/stored.ts"
import type { DocumentChange, StoredDocument } from "../model/document.ts"
import type { WriteStore } from "../store/store.ts"

/** One step's time, as that of any background work (engine/caretaker.ts). */
const stepMs = 2
/** Elements between two looks at the clock. */
const elementsPerLook = 8

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
  private readonly sets = new Map<number, ConfigurationSet>()
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
    this.sets.clear()
    this.due.clear()
    this.marks = []
    const marks = new Map(store.listDocuments(markKind).map(({ id, document }) => [id, document]))
    for (let tenant = 0; tenant < tenantsMax; tenant++) {
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
    do {
      const end = Math.min(catalogue.elementCount, this.nextElement + elementsPerLook)
      for (; this.nextElement < end; this.nextElement++) {
        if (!this.due.has(catalogue.elementTenant(this.nextElement))) continue
        if (catalogue.settleElement(this.nextElement)) onChange(this.nextElement)
      }
      if (this.nextElement >= catalogue.elementCount) return this.finish()
    } while (this.elapsedMs() < endMs)
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
    const read = inOrder(documents).map(({ id, json }) => ({ id, ...readConfiguration(json) }))
    for (const { id, problems } of read) {
      if (problems.length > 0) this.warn({ tenant, id, problems }, "a configuration is left out")
    }
    const set = new ConfigurationSet(read.flatMap(({ configuration: one }) => one ?? []))
    if (set.isEmpty) this.sets.delete(tenant)
    else this.sets.set(tenant, set)
    const bytes = new TextEncoder().encode(JSON.stringify(documents))
    const newMark = documents.length === 0 ? null : checksum(bytes)
    if (mark === newMark) return
    this.due.set(tenant, newMark)
    // Elements that were passed already are of the old configurations.
    this.nextElement = 0
  }

  private useSets(store: WriteStore): void {
    store.catalogue.useSettings((tenant) => this.sets.get(tenant))
  }
}
