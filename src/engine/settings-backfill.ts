/**
 * Settings backfill: applies the settings of analytic configurations to metrics.
 *
 *   documents of kind `analyticConfiguration:<tenant>` ─► ConfigurationSet ─► catalogue
 *                                               │              │
 *                               in small steps  ┘              │
 *                       new and changed metrics: immediately   ┘ └ known ones: in small steps
 *
 * A new set takes effect when it is complete. Until then the previous one applies to new metrics;
 * then all elements are visited, including those that arrived during the build.
 *
 * After each step the catalogue is stored; after all elements, a checkpoint with the checksum of
 * the configurations is stored. If the checkpoint differs at the next start, the backfill starts
 * from the beginning: a metric that already has its settings costs one comparison.
 */

import { assert } from "../base/assert.ts"
import { runSync, type Cooperative } from "../base/cooperative.ts"
import type { ElementIndex, TenantIndex } from "../model/ids.ts"
import {
  configurationKind,
  configurationKindPrefix,
  tenantKind,
  type DocumentChange,
  type StoredDocument,
} from "../model/document.ts"
import type { AppendStore } from "../store/append-store.ts"
import type { DocumentReader } from "../store/document-store.ts"
import { TenantConfigurations, type RejectedConfiguration } from "./tenant-configurations.ts"

/** Time of one step, as of any background work (engine/maintenance-scheduler.ts). */
const stepMs = 2

const checkpointKind = "settledConfigurations"

/** The changes that replace the tenant's configurations by exactly these. */
export function configurationChanges(
  store: DocumentReader,
  tenant: TenantIndex,
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

/** Unfinished work; it starts from the beginning after a restart. */
interface Build {
  readonly tenant: TenantIndex
  readonly steps: Cooperative<readonly RejectedConfiguration[]>
}

interface ElementProgress {
  readonly element: ElementIndex
  readonly steps: Generator<boolean, void, undefined>
}

/** The store reads of a build, and the catalogue that it changes. */
type BackfillStore = DocumentReader & Pick<AppendStore, "catalogue">

export class SettingsBackfill {
  private readonly elapsedMs: () => number
  private readonly warn: Warn
  private store: BackfillStore | null = null
  private readonly tenants = new Map<number, TenantConfigurations>()
  /** Tenants whose documents have changed since their set was built. */
  private readonly stale = new Set<number>()
  private building: Build | null = null
  /** Tenants whose known metrics need a backfill, with the checkpoint to store; null removes it. */
  private readonly due = new Map<number, number | null>()
  private checkpoints: DocumentChange[] = []
  private nextElement = 0
  private applying: ElementProgress | null = null

  constructor(elapsedMs: () => number, warn: Warn = () => {}) {
    this.elapsedMs = elapsedMs
    this.warn = warn
  }

  /** True if a step would have work to do. */
  get isDue(): boolean {
    return this.isBuilding || this.due.size > 0
  }

  /** True if documents are stored that are not in effect yet. */
  get isBuilding(): boolean {
    return this.stale.size > 0
  }

  /**
   * Must be called before a store is used. Loads the configurations of a new store within the call,
   * so that no metric arrives before the settings that apply to it.
   */
  attach(store: BackfillStore): void {
    if (store === this.store) return
    this.store = store
    this.reset()
    const checkpoints = new Map(
      store.listDocuments(checkpointKind).map(({ id, document }) => [id, document]),
    )
    // The first tenant exists before its document does.
    const tenantCount = Math.max(1, store.listDocuments(tenantKind).length)
    for (let tenant = 0; tenant < tenantCount; tenant++) {
      const hasCheckpoint = checkpoints.has(String(tenant))
      if (
        !hasCheckpoint &&
        store.listDocuments(configurationKind(tenant), { limit: 1 }).length === 0
      ) {
        continue
      }
      const rejected = runSync(
        this.configurationsOf(tenant).loadSteps(store, configurationKind(tenant)),
      )
      this.onBuilt(tenant, rejected, checkpoints.get(String(tenant)))
    }
    this.activateSets(store)
  }

  /** Notes stored documents. The following steps build what they change. */
  noteChanges(changes: readonly DocumentChange[]): void {
    for (const { kind } of changes) {
      if (!kind.startsWith(configurationKindPrefix)) continue
      const tenant = Number(kind.slice(configurationKindPrefix.length))
      this.stale.add(tenant)
      // The partial build may mix old and new documents.
      if (this.building?.tenant === tenant) this.building = null
    }
  }

  /** Builds sets for the time of one step, and applies none. */
  build(): void {
    const { store } = this
    assert(store !== null, "Expected a store that was attended")
    this.buildUntil(store, this.timer())
  }

  /**
   * Builds sets, then visits elements, for the time of one step; continues where the last one
   * ended.
   */
  step(onChange: (element: ElementIndex) => void): void {
    const { store } = this
    assert(store !== null, "Expected a store that was attended")
    const isOver = this.timer()
    if (this.isBuilding) {
      this.buildUntil(store, isOver)
      if (this.isBuilding || isOver()) return
    }
    while (this.due.size > 0 && this.nextElement < store.catalogue.elementCount) {
      const isWhole = this.applyTo(store, isOver, onChange)
      if (!isWhole || isOver()) return
    }
    this.finish()
  }

  /** Returns the checkpoints of finished backfills, to be stored after the catalogue is. */
  drainCheckpoints(): readonly DocumentChange[] {
    const { checkpoints } = this
    this.checkpoints = []
    return checkpoints
  }

  private reset(): void {
    this.tenants.clear()
    this.stale.clear()
    this.due.clear()
    this.building = null
    this.applying = null
    this.checkpoints = []
  }

  private finish(): void {
    for (const [tenant, document] of this.due) {
      this.checkpoints.push({ kind: checkpointKind, id: String(tenant), document })
    }
    this.due.clear()
  }

  /** Returns a function that is true once a step's time is over. */
  private timer(): () => boolean {
    const endMs = this.elapsedMs() + stepMs
    return () => this.elapsedMs() >= endMs
  }

  private buildUntil(store: BackfillStore, isOver: () => boolean): void {
    for (const tenant of this.stale) {
      const isThis = this.building?.tenant === tenant
      const building = isThis ? this.building! : this.buildOf(store, tenant)
      this.building = building
      let next = building.steps.next()
      while (next.done !== true && !isOver()) next = building.steps.next()
      if (next.done !== true) return
      this.building = null
      this.stale.delete(tenant)
      this.onBuilt(tenant, next.value, undefined)
      this.activateSets(store)
    }
  }

  private buildOf(store: BackfillStore, tenant: TenantIndex): Build {
    const steps = this.configurationsOf(tenant).loadSteps(store, configurationKind(tenant))
    return { tenant, steps }
  }

  /** True if the element is done, or nothing applies to it. */
  private applyTo(
    { catalogue }: BackfillStore,
    isOver: () => boolean,
    onChange: (element: ElementIndex) => void,
  ): boolean {
    const element = this.nextElement
    if (this.applying?.element !== element) {
      const isDue = this.due.has(catalogue.elementTenant(element))
      this.applying = { element, steps: isDue ? catalogue.applySettingsSteps(element) : noSteps() }
    }
    const { steps } = this.applying
    let isChanged = false
    let isWhole = false
    do {
      const { done, value } = steps.next()
      isWhole = done === true
      if (value === true) isChanged = true
    } while (!isWhole && !isOver())
    if (isChanged) onChange(element)
    if (isWhole) {
      this.applying = null
      this.nextElement++
    }
    return isWhole
  }

  private configurationsOf(tenant: TenantIndex): TenantConfigurations {
    let configurations = this.tenants.get(tenant)
    if (configurations === undefined) {
      this.tenants.set(tenant, (configurations = new TenantConfigurations()))
    }
    return configurations
  }

  /** A set was built: elements need a backfill if `storedChecksum` belongs to another set. */
  private onBuilt(
    tenant: TenantIndex,
    rejected: readonly RejectedConfiguration[],
    storedChecksum: unknown,
  ): void {
    for (const { id, problems } of rejected) {
      this.warn({ tenant, id, problems }, "a configuration is left out")
    }
    const newChecksum = this.configurationsOf(tenant).checksum
    if (storedChecksum === newChecksum) return
    this.due.set(tenant, newChecksum)
    // Elements visited before have the settings of the previous set.
    this.nextElement = 0
    this.applying = null
  }

  private activateSets(store: BackfillStore): void {
    store.catalogue.setSettingsSources((tenant) => this.tenants.get(tenant)?.set)
  }
}

function* noSteps(): Generator<boolean, void, undefined> {}
