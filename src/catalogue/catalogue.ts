/**
 * Catalogue: the elements and metrics that exist, and the numbers that identify them internally.
 *
 *   element    (tenant, element fqn)        → element index      0, 1, 2 … in order of appearance
 *   name       (tenant, metric fqn)         → name index
 *   series     (element index, name index)  → series index
 *   location   series → (partition, index)  a partition has up to 256 series of ONE metric name,
 *                                           since statistics query one name of many elements
 *
 * The writer's thread owns the only catalogue that changes; the store persists changes together
 * with the samples that caused them. Readers have replicas, which the store refreshes.
 */

import { assert } from "../base/assert.ts"
import type { ElementIndex, SeriesIndex, TenantIndex } from "../model/ids.ts"
import type { ElementInfo, ElementPatch, MetricDefinition, MetricPatch } from "../model/element.ts"
import { defaultDefinition } from "../model/element.ts"
import type { MetricSettings } from "../model/metric-settings.ts"
import { IntColumn } from "./int-column.ts"
import { DefinitionTable } from "./definition-table.ts"
import { IntLists } from "./int-lists.ts"
import { InternTable } from "./intern-table.ts"
import { mergeDefinition, mergeInfo, newInfo, isSameInfo, withSettings } from "./merge.ts"
import { PartitionTable, type SeriesPartition } from "./partition-table.ts"
import { PresentCounts } from "./present-counts.ts"
import { SeriesTable } from "./series-table.ts"
import { SettingsApplication } from "./settings-application.ts"
import type { SettingsSources } from "./settings-source.ts"
import { storedSeriesInts, storedSeriesOf, type StoredElement } from "./stored-element.ts"
import { TextByteCount } from "./text-byte-count.ts"

/** Changes since the last `markStored`: indexes, not contents. */
export interface CatalogueChanges {
  /** Elements that are new, have a changed info, or gained or changed a metric. */
  readonly elements: readonly ElementIndex[]
  /** Names and definitions from these indexes on are new. */
  readonly firstName: number
  readonly firstDefinition: number
}

/** A metric name within a tenant. */
export interface MetricName {
  readonly tenant: TenantIndex
  readonly fqn: string
}

export { storedSeriesInts }
export type { SeriesPartition, StoredElement }

/**
 * @example
 * const catalogue = new Catalogue()
 * const web = catalogue.upsertElement(0, "web-1", { nowMs: 0 })
 * const cpu = catalogue.upsertSeries(web, "cpu", { unit: "percent" })
 * assert.equal(catalogue.findSeries(web, catalogue.findName(0, "cpu")), cpu)
 * assert.equal(catalogue.seriesDefinition(cpu).unit, "percent")
 */
export class Catalogue {
  private readonly elementsByFqn: Map<string, ElementIndex>[] = []
  private readonly namesByFqn: Map<string, number>[] = []

  private readonly elementFqns: string[] = []
  private readonly elementTenants: number[] = []
  private readonly elementInfos: ElementInfo[] = []
  private readonly seriesOfElements = new IntLists()
  private readonly names: MetricName[] = []
  /** Bytes of stored text, without that of deleted elements. */
  readonly textBytes = new TextByteCount()
  private readonly internTable = new InternTable()
  private readonly definitions = new DefinitionTable(this.textBytes)
  private readonly partitions = new PartitionTable()

  private readonly seriesElements = new IntColumn()
  private readonly seriesNames = new IntColumn()
  private readonly seriesByPair = new SeriesTable(this.seriesElements, this.seriesNames)
  private readonly seriesDefinitions = new IntColumn()
  seriesCount = 0
  /** Counts by which limits are kept. */
  readonly present = new PresentCounts()

  private readonly settings = new SettingsApplication(this)

  private readonly changedElements = new Set<ElementIndex>()
  private storedNames = 0
  private storedDefinitions = 0

  get elementCount(): number {
    return this.elementFqns.length
  }
  get nameCount(): number {
    return this.names.length
  }
  get partitionCount(): number {
    return this.partitions.count
  }
  get definitionCount(): number {
    return this.definitions.count
  }

  /** Index of an element by its cleaned id, or -1. */
  findElement(tenant: TenantIndex, fqn: string): ElementIndex {
    return this.elementsByFqn[tenant]?.get(fqn) ?? -1
  }
  elementFqn(element: ElementIndex): string {
    return this.elementFqns[element]!
  }
  elementTenant(element: ElementIndex): TenantIndex {
    return this.elementTenants[element]!
  }
  elementInfo(element: ElementIndex): ElementInfo {
    return this.elementInfos[element]!
  }
  /** True if a user deleted the element and it has not been posted since. */
  isDeleted(element: ElementIndex): boolean {
    return this.elementInfos[element]!.deletedMs !== undefined
  }
  /** Series of an element in order of appearance; a view that the caller must not change. */
  elementSeries(element: ElementIndex): Int32Array {
    return this.seriesOfElements.view(element)
  }

  /** Index of a metric name by its cleaned id, or -1. */
  findName(tenant: TenantIndex, fqn: string): number {
    return this.namesByFqn[tenant]?.get(fqn) ?? -1
  }
  name(name: number): MetricName {
    return this.names[name]!
  }
  /** In ascending order; together they have all series of this name. */
  partitionsOfName(name: number): readonly SeriesPartition[] {
    return this.partitions.ofName(name)
  }
  /** Series of a partition by index, -1 for none; a view that the caller must not change. */
  partitionSeries(partition: number): Int32Array {
    return this.partitions.seriesOf(partition)
  }
  /** The metric name that all series of a partition share. */
  partitionName(partition: number): number {
    return this.seriesName(this.partitionSeries(partition).find((series) => series >= 0)!)
  }

  /** Index of a series, or -1. */
  findSeries(element: ElementIndex, name: number): SeriesIndex {
    return this.seriesByPair.get(element, name)
  }
  seriesElement(series: SeriesIndex): ElementIndex {
    return this.seriesElements.data[series]!
  }
  seriesName(series: SeriesIndex): number {
    return this.seriesNames.data[series]!
  }
  metricFqn(series: SeriesIndex): string {
    return this.names[this.seriesName(series)]!.fqn
  }
  seriesDefinition(series: SeriesIndex): MetricDefinition {
    return this.definitions.at(this.seriesDefinitions.data[series]!)
  }
  seriesDefinitionIndex(series: SeriesIndex): number {
    return this.seriesDefinitions.data[series]!
  }
  /** Locations by series; a view that is valid until the next series is added. */
  get seriesLocationColumn(): Int32Array {
    return this.partitions.locationColumn
  }
  /** Partition and index in it as one number. */
  seriesLocation(series: SeriesIndex): number {
    return this.partitions.locationColumn[series]!
  }
  partitionOf(series: SeriesIndex): SeriesPartition {
    return this.partitions.partitionOf(series)
  }
  indexInPartition(series: SeriesIndex): number {
    return this.partitions.indexOf(series)
  }
  definition(index: number): MetricDefinition {
    return this.definitions.at(index)
  }

  knowsDefinition(definition: MetricDefinition): boolean {
    return this.definitions.has(definition)
  }

  /** Adds an element or merges `patch` into it; returns its index. `fqn` is cleaned. */
  upsertElement(
    tenant: TenantIndex,
    fqn: string,
    patch: ElementPatch & { nowMs: number },
  ): ElementIndex {
    const known = this.findElement(tenant, fqn)
    if (known < 0) return this.addElement(tenant, fqn, newInfo(fqn, patch, patch.nowMs))
    const info = mergeInfo(this.elementInfos[known]!, patch)
    if (!isSameInfo(info, this.elementInfos[known]!)) {
      this.replaceElementInfo(known, info)
    }
    return known
  }

  /** Adds a metric or merges `patch` into it; returns its series. `fqn` is cleaned. */
  upsertSeries(element: ElementIndex, fqn: string, patch: MetricPatch = {}): SeriesIndex {
    const name = this.upsertName(this.elementTenant(element), fqn)
    const known = this.findSeries(element, name)
    const before = known < 0 ? defaultDefinition : this.seriesDefinition(known)
    const guess = known < 0 ? this.latestDefinition(name) : this.seriesDefinitionIndex(known)
    const definition = this.definitions.upsert(mergeDefinition(before, patch), guess)
    if (known < 0) {
      this.changedElements.add(element)
      const series = this.addSeries(this.seriesCount, { element, name, definition, location: -1 })
      this.settings.applyToNew(element, series)
      return series
    }
    if (definition !== this.seriesDefinitions.get(known)) {
      this.seriesDefinitions.set(known, definition)
      this.changedElements.add(element)
    }
    return known
  }

  /** Replaces the info of an element. */
  replaceElementInfo(element: ElementIndex, info: ElementInfo): void {
    this.setInfo(element, info)
    this.changedElements.add(element)
    this.applySettings(element)
  }

  /**
   * Applies the settings of these sources to all elements and metrics added or changed from now on.
   */
  setSettingsSources(sources: SettingsSources): void {
    this.settings.setSources(sources)
  }

  /**
   * Applies the current settings to every metric of an element, if the configurations for it or its
   * info have changed since the last time. Returns true if a metric was changed.
   */
  applySettings(element: ElementIndex): boolean {
    return this.settings.applyTo(element)
  }

  /**
   * The same with one metric a step; each step yields whether it changed one. Until all are done,
   * the remaining metrics have their previous settings, and new ones the current settings.
   */
  applySettingsSteps(element: ElementIndex): Generator<boolean, void, undefined> {
    return this.settings.steps(element)
  }

  /** Sets or removes the settings of a metric; returns true if it had others. */
  setSettings(series: SeriesIndex, settings: MetricSettings | undefined): boolean {
    const before = this.seriesDefinition(series)
    if (before.settings === settings) return false
    const definition = this.definitions.upsert(withSettings(before, settings))
    if (definition === this.seriesDefinitionIndex(series)) return false
    this.seriesDefinitions.set(series, definition)
    this.changedElements.add(this.seriesElement(series))
    return true
  }

  /** Replaces the definition of a metric. */
  replaceDefinition(series: SeriesIndex, definition: MetricDefinition): void {
    this.seriesDefinitions.set(series, this.definitions.upsert(definition))
    this.changedElements.add(this.seriesElement(series))
  }

  /** True if `changes` is not empty. */
  hasChanges(): boolean {
    return (
      this.changedElements.size > 0 ||
      this.storedNames < this.names.length ||
      this.storedDefinitions < this.definitions.count
    )
  }

  /** The changes to store; call `markStored` once they are durable, or they are returned again. */
  changes(): CatalogueChanges {
    return {
      elements: [...this.changedElements],
      firstName: this.storedNames,
      firstDefinition: this.storedDefinitions,
    }
  }

  /** Marks all changes as stored. */
  markStored(): void {
    this.changedElements.clear()
    this.storedNames = this.names.length
    this.storedDefinitions = this.definitions.count
  }

  /** Loads a stored name; names must be loaded in order of their index. */
  loadName(entry: MetricName): void {
    this.addName(entry)
    this.storedNames = this.names.length
  }

  /** Loads a stored definition; definitions must be loaded in order of their index. */
  loadDefinition(definition: MetricDefinition): void {
    this.definitions.upsert(definition)
    this.storedDefinitions = this.definitions.count
  }

  /** Loads a stored element, or replaces its info. */
  loadElement(element: ElementIndex, entry: StoredElement): void {
    if (element < this.elementCount) this.setInfo(element, entry.info)
    else {
      assert(element === this.elementCount, `Expected element ${this.elementCount}, got ${element}`)
      this.addElement(entry.tenant, entry.fqn, entry.info)
      this.changedElements.delete(element)
    }
    const { series } = entry
    assert(series.length % storedSeriesInts === 0, "Expected whole series")
    for (let at = 0; at < series.length; at += storedSeriesInts) {
      this.loadSeries(series[at]!, {
        element,
        name: series[at + 1]!,
        definition: series[at + 2]!,
        location: series[at + 3]!,
      })
    }
  }

  /** An element as the store keeps it. */
  storedElement(element: ElementIndex): StoredElement {
    return {
      tenant: this.elementTenant(element),
      fqn: this.elementFqn(element),
      info: this.elementInfo(element),
      series: storedSeriesOf(this.elementSeries(element), this),
    }
  }

  private addElement(tenant: TenantIndex, fqn: string, info: ElementInfo): ElementIndex {
    const element = this.elementFqns.length
    this.elementFqns.push(fqn)
    this.elementTenants.push(tenant)
    this.elementInfos.push(this.internTable.info(info))
    this.textBytes.countElement({ tenant, fqn }, info)
    this.seriesOfElements.addList()
    if (info.deletedMs === undefined) this.present.add(tenant, 1, 0)
    byTenant(this.elementsByFqn, tenant).set(fqn, element)
    this.changedElements.add(element)
    return element
  }

  private setInfo(element: ElementIndex, info: ElementInfo): void {
    const of = { tenant: this.elementTenant(element), fqn: this.elementFqn(element) }
    const before = this.elementInfos[element]!
    this.textBytes.countElement(of, info, before)
    this.elementInfos[element] = this.internTable.info(info, before)
    const by = Number(info.deletedMs === undefined) - Number(before.deletedMs === undefined)
    if (by !== 0) this.present.add(of.tenant, by, by * this.elementSeries(element).length)
  }

  private upsertName(tenant: TenantIndex, fqn: string): number {
    const known = this.findName(tenant, fqn)
    return known >= 0 ? known : this.addName({ tenant, fqn })
  }

  private addName(entry: MetricName): number {
    const name = this.names.length
    this.names.push(entry)
    this.partitions.addName()
    this.textBytes.countName(entry.tenant, entry.fqn)
    byTenant(this.namesByFqn, entry.tenant).set(entry.fqn, name)
    return name
  }

  /** The definition of the newest metric with this name, of any element; -1 if there is none. */
  private latestDefinition(name: number): number {
    const series = this.partitions.newestOf(name)
    return series < 0 ? -1 : this.seriesDefinitionIndex(series)
  }

  private loadSeries(series: SeriesIndex, entry: SeriesEntry): void {
    if (this.seriesElements.get(series) < 0) this.addSeries(series, entry)
    else this.seriesDefinitions.set(series, entry.definition)
  }

  private addSeries(series: SeriesIndex, entry: SeriesEntry): SeriesIndex {
    const location = entry.location >= 0 ? entry.location : this.partitions.nextLocation(entry.name)
    this.partitions.add(series, entry.name, location)
    this.seriesElements.set(series, entry.element)
    this.seriesNames.set(series, entry.name)
    this.seriesDefinitions.set(series, entry.definition)
    this.seriesByPair.add(series)
    this.seriesOfElements.push(entry.element, series)
    if (!this.isDeleted(entry.element)) this.present.add(this.elementTenant(entry.element), 0, 1)
    this.seriesCount = Math.max(this.seriesCount, series + 1)
    return series
  }
}

interface SeriesEntry {
  readonly element: ElementIndex
  readonly name: number
  readonly definition: number
  /** partition and index as one number, or -1 to allocate the next free one. */
  readonly location: number
}

function byTenant(maps: Map<string, number>[], tenant: TenantIndex): Map<string, number> {
  return (maps[tenant] ??= new Map())
}
