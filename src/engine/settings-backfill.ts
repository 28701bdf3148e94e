/**
 * Settler: gives metrics the settings that analytic configurations say.
 *
 *   documents of kind `analyticConfiguration:<tenant>` ─► ConfigurationSet ─► catalogue
 *                                               │              │
 *                               in small steps  ┘              │
 *                              new and changed metrics at once ┘ └ known ones in small steps
 *
 * A set takes effect when it is whole; until then the former one holds for whatever comes in, and
 * then all elements are looked at, those that came in between too.
 *
 * After each step the catalogue is stored; when all elements were seen, a mark with the checksum of
 * the configurations is. Where the mark differs after a start, the walk begins anew: a metric that
 * has its settings already costs a look.
 */

import { assert } from "../base/assert.ts"
import { atOnce, type Steps } from "../base/cooperative.ts"
import {
  configurationKind,
  configurationKindPrefix,
  tenantKind,
  type DocumentChange,
  type StoredDocument,
} from "../model/document.ts"
import type { WriteStore } from "../store/store.ts"
import { TenantConfigurations, type LeftOut } from "./tenant-configurations.ts"

/** One step's time, as that of any background work (engine/maintenance.ts). */
const stepMs = 2

const markKind = "settledConfigurations"

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

/** What is under way; whatever it did not finish is begun anew after a start. */
interface Build {
  readonly tenant: number
  readonly steps: Steps<readonly LeftOut[]>
}

interface Settling {
  readonly element: number
  readonly steps: Generator<boolean, void, undefined>
}

export class Settler {
  private readonly elapsedMs: () => number
  private readonly warn: Warn
  private store: WriteStore | null = null
  private readonly tenants = new Map<number, TenantConfigurations>()
  /** Tenants whose documents have changed since their set was built. */
  private readonly stale = new Set<number>()
  private building: Build | null = null
  /** Tenants whose known metrics are to be settled, with the mark to be left: null for none. */
  private readonly due = new Map<number, number | null>()
  private marks: DocumentChange[] = []
  private nextElement = 0
  private settling: Settling | null = null

  constructor(elapsedMs: () => number, warn: Warn = () => {}) {
    this.elapsedMs = elapsedMs
    this.warn = warn
  }

  /** True where a step would find something to do. */
  get isDue(): boolean {
    return this.isBuilding || this.due.size > 0
  }

  /** True where documents were stored that are not in effect yet. */
  get isBuilding(): boolean {
    return this.stale.size > 0
  }

  /**
   * To be called before anything is done with a store: loads what it keeps where it is new, at
   * once, so that no metric comes in before the settings that it is to have.
   */
  attend(store: WriteStore): void {
    if (store === this.store) return
    this.store = store
    this.forget()
    const marks = new Map(store.listDocuments(markKind).map(({ id, document }) => [id, document]))
    // The first tenant is there before its document is.
    const tenantCount = Math.max(1, store.listDocuments(tenantKind).length)
    for (let tenant = 0; tenant < tenantCount; tenant++) {
      const hasMark = marks.has(String(tenant))
      if (!hasMark && store.listDocuments(configurationKind(tenant), { limit: 1 }).length === 0) {
        continue
      }
      const leftOut = atOnce(this.configurationsOf(tenant).steps(store, configurationKind(tenant)))
      this.taken(tenant, leftOut, marks.get(String(tenant)))
    }
    this.useSets(store)
  }

  /** Tells what documents were stored. What it comes to is worked out by the steps that follow. */
  noticed(changes: readonly DocumentChange[]): void {
    for (const { kind } of changes) {
      if (!kind.startsWith(configurationKindPrefix)) continue
      const tenant = Number(kind.slice(configurationKindPrefix.length))
      this.stale.add(tenant)
      // What was read of it may be half old, half new.
      if (this.building?.tenant === tenant) this.building = null
    }
  }

  /** Only builds sets, for a while. */
  build(): void {
    const { store } = this
    assert(store !== null, "Expected a store that was attended")
    this.buildUntil(store, this.timer())
  }

  /** Builds sets, then settles elements, for a while, wherever the last step ended. */
  step(onChange: (element: number) => void): void {
    const { store } = this
    assert(store !== null, "Expected a store that was attended")
    const isOver = this.timer()
    if (this.isBuilding) {
      this.buildUntil(store, isOver)
      if (this.isBuilding || isOver()) return
    }
    while (this.due.size > 0 && this.nextElement < store.catalogue.elementCount) {
      const isWhole = this.settleFor(store, isOver, onChange)
      if (!isWhole || isOver()) return
    }
    this.finish()
  }

  /** Marks of what is settled, to be stored after what was settled is. */
  takeMarks(): readonly DocumentChange[] {
    const { marks } = this
    this.marks = []
    return marks
  }

  private forget(): void {
    this.tenants.clear()
    this.stale.clear()
    this.due.clear()
    this.building = null
    this.settling = null
    this.marks = []
  }

  private finish(): void {
    for (const [tenant, document] of this.due) {
      this.marks.push({ kind: markKind, id: String(tenant), document })
    }
    this.due.clear()
  }

  /** True once a step's time is over. */
  private timer(): () => boolean {
    const endMs = this.elapsedMs() + stepMs
    return () => this.elapsedMs() >= endMs
  }

  private buildUntil(store: WriteStore, isOver: () => boolean): void {
    for (const tenant of this.stale) {
      const isThis = this.building?.tenant === tenant
      const building = isThis ? this.building! : this.buildOf(store, tenant)
      this.building = building
      let next = building.steps.next()
      while (next.done !== true && !isOver()) next = building.steps.next()
      if (next.done !== true) return
      this.building = null
      this.stale.delete(tenant)
      this.taken(tenant, next.value, undefined)
      this.useSets(store)
    }
  }

  private buildOf(store: WriteStore, tenant: number): Build {
    const steps = this.configurationsOf(tenant).steps(store, configurationKind(tenant))
    return { tenant, steps }
  }

  /** True where all of an element is settled, or nothing of it was to be. */
  private settleFor(
    { catalogue }: WriteStore,
    isOver: () => boolean,
    onChange: (element: number) => void,
  ): boolean {
    const element = this.nextElement
    if (this.settling?.element !== element) {
      const isDue = this.due.has(catalogue.elementTenant(element))
      this.settling = { element, steps: isDue ? catalogue.settlingSteps(element) : nothing() }
    }
    const { steps } = this.settling
    let isChanged = false
    let isWhole = false
    do {
      const { done, value } = steps.next()
      isWhole = done === true
      if (value === true) isChanged = true
    } while (!isWhole && !isOver())
    if (isChanged) onChange(element)
    if (isWhole) {
      this.settling = null
      this.nextElement++
    }
    return isWhole
  }

  private configurationsOf(tenant: number): TenantConfigurations {
    let configurations = this.tenants.get(tenant)
    if (configurations === undefined) {
      this.tenants.set(tenant, (configurations = new TenantConfigurations()))
    }
    return configurations
  }

  /** A set was built: elements are due where `mark` is that of another one. */
  private taken(tenant: number, leftOut: readonly LeftOut[], mark: unknown): void {
    for (const { id, problems } of leftOut) {
      this.warn({ tenant, id, problems }, "a configuration is left out")
    }
    const newMark = this.configurationsOf(tenant).mark
    if (mark === newMark) return
    this.due.set(tenant, newMark)
    // Elements that were passed already are of the old configurations.
    this.nextElement = 0
    this.settling = null
  }

  private useSets(store: WriteStore): void {
    store.catalogue.useSettings((tenant) => this.tenants.get(tenant)?.set)
  }
}

function* nothing(): Generator<boolean, void, undefined> {}
