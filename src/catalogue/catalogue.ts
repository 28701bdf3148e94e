/**
 * Catalogue: the elements and metrics that exist, and the numbers that identify them internally.
 *
 *   element    (tenant, element fqn)        → element index      0, 1, 2 … in order of appearance
 *   name       (tenant, metric fqn)         → name index
 *   series     (element index, name index)  → series index
 *   location   series → (partition, index)  a partition has up to 256 series of ONE metric name,
 *                                           since statistics query one name of many elements
 *
 * What is no longer present is forgotten: a series, or an element with its series; then the names
 * and definitions that no series uses. Numbers are never assigned again. What a number that is not
 * known any more would have is empty, since a query may have read it before.
 *
 * The writer's thread owns the only catalogue that changes; the store persists changes together
 * with the samples that caused them. Readers have replicas, which the store refreshes.
 */

import { assert } from "../base/assert.ts"
import type { ElementIndex, SeriesIndex, TenantIndex } from "../model/ids.ts"
import type { ElementInfo, ElementPatch, MetricDefinition, MetricPatch } from "../model/element.ts"
import { defaultDefinition } from "../model/element.ts"
import type { MetricSettings } from "../model/metric-settings.ts"
import {
  ChangeLog,
  type CatalogueChanges,
  type CatalogueNumbers,
  type UnusedNumbers,
} from "./change-log.ts"
import { IntColumn } from "./int-column.ts"
import { DefinitionTable } from "./definition-table.ts"
import { ElementTable } from "./element-table.ts"
import type { TenantFqn } from "./fqn-index.ts"
import { IntLists } from "./int-lists.ts"
import { mergeDefinition, mergeInfo, newInfo, isSameInfo, withSettings } from "./merge.ts"
import { NameTable, type MetricName } from "./name-table.ts"
import { PartitionTable, partitionsMax, type SeriesPartition } from "./partition-table.ts"
import { PresentCounts } from "./present-counts.ts"
import { SeriesTable } from "./series-table.ts"
import { SettingsApplication } from "./settings-application.ts"
import type { SettingsSources } from "./settings-source.ts"
import { storedSeriesInts, storedSeriesOf, type StoredElement } from "./stored-element.ts"
import { TextByteCount } from "./text-byte-count.ts"
import { UseCounts } from "./use-counts.ts"

export { IntColumn, partitionsMax, storedSeriesInts }
export type { CatalogueChanges, CatalogueNumbers, UnusedNumbers }
export type { MetricName, SeriesPartition, StoredElement }

/**
 * @example
 * const catalogue = new Catalogue()
 * const web = catalogue.upsertElement(0, "web-1", { nowMs: 0 })
 * const cpu = catalogue.upsertSeries(web, "cpu", { unit: "percent" })
 * assert.equal(catalogue.findSeries(web, catalogue.findName(0, "cpu")), cpu)
 * assert.equal(catalogue.seriesDefinition(cpu).unit, "percent")
 */
export class Catalogue {
  /** Bytes of stored text, without that of deleted elements. */
  readonly textBytes = new TextByteCount()
  private readonly elementTable = new ElementTable(this.textBytes)
  private readonly seriesOfElements = new IntLists()
  private readonly nameTable = new NameTable(this.textBytes)
  private readonly nameUses = new UseCounts()
  private readonly definitions = new DefinitionTable(this.textBytes)
  private readonly definitionUses = new UseCounts()
  private readonly partitions = new PartitionTable()

  private readonly seriesElements = new IntColumn()
  private readonly seriesNames = new IntColumn()
  private readonly seriesByPair = new SeriesTable(this.seriesElements, this.seriesNames)
  private readonly seriesDefinitions = new IntColumn()
  /** Series numbered so far. */
  seriesCount = 0
  /** Counts by which limits are kept. */
  readonly present = new PresentCounts((element) => this.elementTenant(element))
  /** Elements that lost a series or were forgotten, definitions and names so far; names alone. */
  forgotten = 0
  forgottenNames = 0
  /** Called for an element that lost a series or was forgotten, by caches of the same thread. */
  onForgotten: (element: ElementIndex) => void = () => {}

  private readonly settings = new SettingsApplication(this)

  private readonly log = new ChangeLog()

  /** Numbers assigned so far, of what is forgotten too. */
  get elementCount(): number {
    return this.elementTable.count
  }
  get nameCount(): number {
    return this.nameTable.count
  }
  get definitionCount(): number {
    return this.definitions.count
  }
  get partitionCount(): number {
    return this.partitions.count
  }
  get numbers(): CatalogueNumbers {
    return {
      elements: this.elementCount,
      names: this.nameCount,
      definitions: this.definitionCount,
      series: this.seriesCount,
      partitions: this.partitionCount,
    }
  }
  get known(): Omit<CatalogueNumbers, "partitions"> {
    const { elementTable, nameTable, definitions, seriesByPair } = this
    const [elements, names] = [elementTable.known, nameTable.known]
    return { elements, names, definitions: definitions.known, series: seriesByPair.size }
  }
  /** Numbers of all that is known, ascending. */
  elements(): Generator<ElementIndex, void, undefined> {
    return this.elementTable.numbers()
  }
  names(): Generator<number, void, undefined> {
    return this.nameTable.numbers()
  }
  definitionNumbers(): Generator<number, void, undefined> {
    return this.definitions.numbers()
  }
  isKnownElement(element: ElementIndex): boolean {
    return this.elementTable.isKnown(element)
  }
  isKnownSeries(series: SeriesIndex): boolean {
    return this.seriesElements.get(series) >= 0
  }
  isKnownName(name: number): boolean {
    return this.nameTable.isKnown(name)
  }
  isKnownDefinition(index: number): boolean {
    return this.definitions.isKnown(index)
  }

  /** Index of an element by its cleaned id, or -1. */
  findElement(tenant: TenantIndex, fqn: string): ElementIndex {
    return this.elementTable.find(tenant, fqn)
  }
  elementFqn(element: ElementIndex): string {
    return this.elementTable.fqnOf(element)
  }
  elementTenant(element: ElementIndex): TenantIndex {
    return this.elementTable.tenantOf(element)
  }
  elementInfo(element: ElementIndex): ElementInfo {
    return this.elementTable.infoOf(element)
  }
  /** True if a user deleted the element and it has not been posted since, or it is not known. */
  isDeleted(element: ElementIndex): boolean {
    return this.elementInfo(element).deletedMs !== undefined
  }
  /** Series of an element in order of appearance; a view that the caller must not change. */
  elementSeries(element: ElementIndex): Int32Array {
    return this.seriesOfElements.view(element)
  }

  /** Index of a metric name by its cleaned id, or -1. */
  findName(tenant: TenantIndex, fqn: string): number {
    return this.nameTable.find(tenant, fqn)
  }
  name(name: number): MetricName {
    return this.nameTable.at(name)
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
    return this.seriesName(this.partitionSeries(partition).find((series) => series >= 0) ?? -1)
  }

  /** Index of a series, or -1; of an element or name -1 as well. */
  findSeries(element: ElementIndex, name: number): SeriesIndex {
    return this.seriesByPair.get(element, name)
  }
  seriesElement(series: SeriesIndex): ElementIndex {
    return this.seriesElements.get(series)
  }
  seriesName(series: SeriesIndex): number {
    return this.seriesNames.get(series)
  }
  metricFqn(series: SeriesIndex): string {
    return this.name(this.seriesName(series)).fqn
  }
  seriesDefinition(series: SeriesIndex): MetricDefinition {
    return this.definitions.at(this.seriesDefinitions.get(series))
  }
  seriesDefinitionIndex(series: SeriesIndex): number {
    return this.seriesDefinitions.get(series)
  }
  /** Partition and index in it of each series, as one number. */
  get seriesLocations(): IntColumn {
    return this.partitions.locations
  }
  seriesLocation(series: SeriesIndex): number {
    return this.partitions.locations.get(series)
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
    if (known < 0) return this.addElement({ tenant, fqn }, newInfo(fqn, patch, patch.nowMs))
    const info = mergeInfo(this.elementInfo(known), patch)
    if (!isSameInfo(info, this.elementInfo(known))) {
      this.replaceElementInfo(known, info)
    }
    return known
  }

  /** Adds a metric or merges `patch` into it; returns its series. `fqn` is cleaned. */
  upsertSeries(element: ElementIndex, fqn: string, patch: MetricPatch = {}): SeriesIndex {
    const name = this.findName(this.elementTenant(element), fqn)
    const known = this.findSeries(element, name)
    if (known < 0) return this.insertSeries(element, fqn, patch)
    const merged = mergeDefinition(this.seriesDefinition(known), patch)
    const definition = this.definitions.upsert(merged, this.seriesDefinitionIndex(known))
    if (this.setDefinition(known, definition)) this.log.elements.add(element)
    return known
  }

  /** Adds a metric that the element does not have; returns its series. `fqn` is cleaned. */
  insertSeries(element: ElementIndex, fqn: string, patch: MetricPatch): SeriesIndex {
    const name = this.upsertName(this.elementTenant(element), fqn)
    const merged = mergeDefinition(defaultDefinition, patch)
    // The newest metric with this name probably has the same definition; -1 if there is none.
    const guess = this.seriesDefinitionIndex(this.partitions.newestOf(name))
    const definition = this.definitions.upsert(merged, guess)
    this.log.elements.add(element)
    const series = this.addSeries(this.seriesCount, { element, name, definition, location: -1 })
    this.settings.applyToNew(element, series)
    return series
  }

  /** Replaces the info of an element. */
  replaceElementInfo(element: ElementIndex, info: ElementInfo): void {
    this.setInfo(element, info)
    this.log.elements.add(element)
    this.applySettings(element)
  }

  /** Applies the settings of these sources to all that is added or changed from now on. */
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

  /** Sets or removes the settings of a known metric; returns true if it had others. */
  setSettings(series: SeriesIndex, settings: MetricSettings | undefined): boolean {
    const before = this.seriesDefinition(series)
    if (before.settings === settings || !this.isKnownSeries(series)) return false
    const definition = this.definitions.upsert(withSettings(before, settings))
    if (!this.setDefinition(series, definition)) return false
    this.log.elements.add(this.seriesElement(series))
    return true
  }

  /** Replaces the definition of a metric. */
  replaceDefinition(series: SeriesIndex, definition: MetricDefinition): void {
    this.setDefinition(series, this.definitions.upsert(definition))
    this.log.elements.add(this.seriesElement(series))
  }

  /** Forgets a series; its element remains. */
  forgetSeries(series: SeriesIndex): void {
    const element = this.seriesElement(series)
    this.removeSeries(series)
    const others = this.elementSeries(element).filter((one) => one !== series)
    this.seriesOfElements.replace(element, others)
    this.noteForgotten(element)
  }

  /** Forgets an element with its series. */
  forgetElement(element: ElementIndex): void {
    for (const series of this.elementSeries(element)) this.removeSeries(series)
    this.seriesOfElements.removeList(element)
    if (!this.isDeleted(element)) this.present.countElement(element, -1)
    this.elementTable.remove(element)
    this.settings.forget(element)
    this.noteForgotten(element)
  }

  /** Names and definitions that no series uses. */
  unused(): UnusedNumbers {
    return {
      names: [...this.names()].filter((name) => !this.nameUses.isUsed(name)),
      definitions: [...this.definitionNumbers()].filter((one) => !this.definitionUses.isUsed(one)),
    }
  }

  forgetUnused({ names, definitions }: UnusedNumbers): void {
    for (const name of names) this.nameTable.remove(name)
    for (const index of definitions) this.definitions.remove(index)
    this.forgotten += names.length + definitions.length
    this.forgottenNames += names.length
  }

  /** True if `changes` is not empty. */
  hasChanges(): boolean {
    return this.log.hasChanges(this.numbers)
  }
  /** The changes to store; call `markStored` once they are durable, or they are returned again. */
  changes(): CatalogueChanges {
    return this.log.changes()
  }
  markStored(): void {
    this.log.markStored(this.numbers)
  }

  /** Loads a stored name under its number; of those with one fqn, the last one is found by it. */
  loadName(entry: MetricName, name = this.nameCount): void {
    this.nameTable.add(name, entry)
    this.log.markNumbersStored(this.numbers)
  }

  /** Loads a stored definition under its number. */
  loadDefinition(definition: MetricDefinition, index = this.definitionCount): void {
    this.definitions.load(index, definition)
    this.log.markNumbersStored(this.numbers)
  }

  /** Assigns no numbers below these any more. */
  reserveNumbers(numbers: CatalogueNumbers): void {
    this.elementTable.count = Math.max(this.elementCount, numbers.elements)
    this.seriesCount = Math.max(this.seriesCount, numbers.series)
    this.nameTable.count = Math.max(this.nameCount, numbers.names)
    this.definitions.count = Math.max(this.definitionCount, numbers.definitions)
    this.partitions.count = Math.max(this.partitionCount, numbers.partitions)
    this.log.markNumbersStored(this.numbers)
  }

  /** Assigns no index below `size` of a partition any more. */
  reservePartition(partition: number, size: number): void {
    this.partitions.reserve(partition, size)
  }
  /** Indexes of a partition that were assigned; 0 for one without series. */
  partitionSize(partition: number): number {
    return this.partitions.sizeOf(partition)
  }

  /** Loads a stored element, or makes it what is stored now. */
  loadElement(element: ElementIndex, entry: StoredElement): void {
    const { series, tenant, fqn, info } = entry
    assert(series.length % storedSeriesInts === 0, "Expected whole series")
    if (this.isKnownElement(element)) {
      this.setInfo(element, info)
      this.forgetOthers(element, series)
    } else {
      // An element that has the name now follows one that was forgotten.
      const earlier = this.findElement(tenant, fqn)
      if (earlier >= 0) this.forgetElement(earlier)
      this.addElement({ tenant, fqn }, info, element)
    }
    this.log.elements.delete(element)
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

  /** Forgets the series of an element that are not among the stored ones. */
  private forgetOthers(element: ElementIndex, stored: Int32Array): void {
    const before = this.elementSeries(element)
    if (before.every((series, i) => stored[i * storedSeriesInts] === series)) return
    const kept = new Set(stored.filter((_, i) => i % storedSeriesInts === 0))
    for (const series of before) if (!kept.has(series)) this.forgetSeries(series)
  }

  private noteForgotten(element: ElementIndex): void {
    this.forgotten++
    this.log.elements.add(element)
    this.onForgotten(element)
  }

  private addElement(of: TenantFqn, info: ElementInfo, element = this.elementCount): ElementIndex {
    this.elementTable.add(element, of, info)
    this.seriesOfElements.addList(element)
    if (info.deletedMs === undefined) this.present.countElement(element, 1)
    this.log.elements.add(element)
    return element
  }

  private setInfo(element: ElementIndex, info: ElementInfo): void {
    const wasDeleted = this.isDeleted(element)
    this.elementTable.setInfo(element, info)
    if (wasDeleted === this.isDeleted(element)) return
    const by = wasDeleted ? 1 : -1
    this.present.countElement(element, by, this.elementSeries(element))
  }

  private upsertName(tenant: TenantIndex, fqn: string): number {
    const known = this.findName(tenant, fqn)
    return known >= 0 ? known : this.nameTable.add(this.nameCount, { tenant, fqn })
  }

  private loadSeries(series: SeriesIndex, entry: SeriesEntry): void {
    if (this.isKnownSeries(series)) this.setDefinition(series, entry.definition)
    else this.addSeries(series, entry)
  }

  /** Returns true if the series had another definition. */
  private setDefinition(series: SeriesIndex, definition: number): boolean {
    const before = this.seriesDefinitionIndex(series)
    if (definition === before) return false
    this.seriesDefinitions.set(series, definition)
    this.definitionUses.add(definition)
    this.definitionUses.remove(before)
    return true
  }

  private addSeries(series: SeriesIndex, entry: SeriesEntry): SeriesIndex {
    const location = entry.location >= 0 ? entry.location : this.partitions.nextLocation(entry.name)
    this.partitions.add(series, entry.name, location)
    this.seriesElements.set(series, entry.element)
    this.seriesNames.set(series, entry.name)
    this.seriesDefinitions.set(series, entry.definition)
    this.nameUses.add(entry.name)
    this.definitionUses.add(entry.definition)
    this.seriesByPair.add(series)
    this.seriesOfElements.push(entry.element, series)
    if (!this.isDeleted(entry.element)) this.present.countSeries(entry.element, series, 1)
    this.seriesCount = Math.max(this.seriesCount, series + 1)
    return series
  }

  /** Removes a series from everything but the list of its element. */
  private removeSeries(series: SeriesIndex): void {
    const element = this.seriesElement(series)
    const name = this.seriesName(series)
    if (!this.isDeleted(element)) this.present.countSeries(element, series, -1)
    this.seriesByPair.remove(series)
    this.partitions.remove(series, name)
    this.nameUses.remove(name)
    this.definitionUses.remove(this.seriesDefinitionIndex(series))
    this.seriesElements.remove(series)
    this.seriesNames.remove(series)
    this.seriesDefinitions.remove(series)
  }
}

interface SeriesEntry {
  readonly element: ElementIndex
  readonly name: number
  readonly definition: number
  /** partition and index as one number, or -1 to allocate the next free one. */
  readonly location: number
}
