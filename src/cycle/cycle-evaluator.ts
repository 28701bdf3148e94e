/**
 * Works out the closing of one part of a cycle, from what is folded, in the order of spec/time §4:
 *
 *   cells ─► actual values ─► sparse fillings ─► computed metrics ─► bands ─► policies
 *                 └── history ◄── what earlier cycles left ──► states ──┘
 *
 * It reads only; whoever leads the closing has the shard store the answer, in one transaction with
 * a marker. So a part that is worked out twice, after a crash, is worked out from the same.
 */

import { inputPaused } from "../analysis/columns.ts"
import { ElementAnalysis } from "../analysis/element-analysis.ts"
import { pushAll } from "../base/iterables.ts"
import type { TakeComputed } from "../analytics-settings/computed-metrics.ts"
import { sparseStrategyOf } from "../model/effective-settings.ts"
import { collectedPercentFqn, elementUuid } from "../model/fqn.ts"
import { inMaintenance } from "../policy/maintenance.ts"
import type { FoundElement, Violation } from "../policy/violation.ts"
import { averageKind } from "../rollup/cell.ts"
import { actualKindOf } from "../rollup/actual-kind.ts"
import { lateKind, lateRange, seriesOfLate, type ReadStore } from "../store/store.ts"
import { computeMetrics } from "./computing.ts"
import { CycleCells } from "./cycle-cells.ts"
import { ElementView } from "./element-view.ts"
import { gatherRow } from "./load-row.ts"
import { MetricNamesBook } from "./metric-name-interner.ts"
import { Outputs } from "./batch-result.ts"
import { rereadPast } from "./past.ts"
import { historyCycle, historyFloats, Rows } from "./rows.ts"
import { readStates, stateChanges, type ElementRows } from "./states.ts"
import { fillRow, isActive, predictRows, rememberRow } from "./steps.ts"
import { partName, type Findings, type PartAnswer, type PartQuestion } from "./cycle-protocol.ts"
import { TenantRules } from "./tenant-rules.ts"

export interface CloserWorld {
  readonly store: ReadStore
  readonly tenantUuid: (tenant: number) => string
}

export class CycleCloser {
  private readonly world: CloserWorld
  private readonly rows = new Rows()
  private readonly cells: CycleCells
  private readonly rules: TenantRules
  private readonly names: MetricNamesBook
  private readonly analysis = new ElementAnalysis()
  private outputs = new Outputs()
  private cycle = -1

  constructor(world: CloserWorld) {
    this.world = world
    this.cells = new CycleCells(world.store)
    this.rules = new TenantRules(world.store)
    this.names = new MetricNamesBook(world.store)
  }

  /** Works out one part; the samples of the cycle must be folded. */
  close(question: PartQuestion): PartAnswer {
    const { store } = this.world
    store.refresh()
    const { cycle, fromElement } = question
    if (store.isClosed(cycle, partName(fromElement))) {
      return { facts: null, findings: [], problems: [] }
    }
    if (cycle !== this.cycle) this.rules.refresh()
    this.cycle = cycle
    this.cells.clear()
    this.analysis.begin(cycle)
    this.outputs = new Outputs()
    const elements = this.takeElements(question)
    const late = this.takeLate(question)
    const findings = new Map<number, { violations: Violation[]; judged: string[] }>()
    for (const where of elements) {
      const tenant = store.catalogue.elementTenant(where.element)
      let ofTenant = findings.get(tenant)
      if (ofTenant === undefined) {
        findings.set(tenant, (ofTenant = { violations: [], judged: [] }))
      }
      ofTenant.judged.push(store.catalogue.elementFqn(where.element))
      pushAll(ofTenant.violations, this.closeElement(where, question, late))
    }
    return {
      facts: this.outputs.facts(cycle, fromElement),
      findings: Array.from(findings, ([tenant, found]): Findings => ({ tenant, ...found })),
      problems: this.rules.takeProblems(),
    }
  }

  /** Lays out a row for each metric of the part's elements. */
  private takeElements({ fromElement, toElement }: PartQuestion): ElementRows[] {
    const { catalogue } = this.world.store
    const elements: ElementRows[] = []
    let count = 0
    const end = Math.min(toElement, catalogue.elementCount)
    for (let element = fromElement; element < end; element++) {
      const { length } = catalogue.elementSeries(element)
      elements.push({ element, from: count, to: count + length })
      count += length
    }
    this.rows.reset(count)
    for (const { element, from } of elements) {
      this.rows.series.set(catalogue.elementSeries(element), from)
    }
    return elements
  }

  /** The series of the part that late samples came for; their notes go with the part. */
  private takeLate({ fromElement, toElement }: PartQuestion): ReadonlySet<number> {
    const notes = this.world.store.states(lateKind, lateRange(fromElement, toElement))
    this.outputs.addStates(notes.map(({ key }) => ({ kind: lateKind, key, bytes: null })))
    return new Set(notes.map(({ key }) => seriesOfLate(key)))
  }

  /** Reads the past of late rows anew; true where there are any. */
  private rereadLate({ from, to }: ElementRows, late: ReadonlySet<number>): boolean {
    const { rows, cycle } = this
    let isAny = false
    for (let row = from; row < to && late.size > 0; row++) {
      if (!late.has(rows.series[row]!)) continue
      rereadPast(this.world.store, rows, row, cycle)
      isAny = true
    }
    return isAny
  }

  private closeElement(
    where: ElementRows,
    question: PartQuestion,
    late: ReadonlySet<number>,
  ): readonly Violation[] {
    const { store } = this.world
    const { catalogue } = store
    const { rows, cycle } = this
    const info = catalogue.elementInfo(where.element)
    if (info.deletedMs !== undefined || where.to === where.from) return []
    const correlation = readStates(store, cycle, where, rows)
    const isLate = this.rereadLate(where, late)
    const observed = this.gather(where)
    if (!isActive(rows, where, cycle, question.inactiveCycles)) {
      if (isLate) this.outputs.addStates(stateChanges(cycle, where, rows, null))
      return []
    }
    this.fillSparse(where, question, (row) => !this.isComputed(where, row))
    const added = this.compute(where, observed)
    // What is computed is filled only where it could not be.
    this.fillSparse(where, question, (row) => this.isComputed(where, row))
    const isPaused = inMaintenance(info.serviceTags, question.closingMs)
    if (isPaused) this.flag(where, inputPaused)
    predictRows(this.analysis, rows, where, correlation)
    for (let row = where.from; row < where.to; row++) {
      this.outputs.addBands(rows.series[row]!, rows.bands, row)
      rememberRow(rows, row)
    }
    const isCorrelated = where.to - where.from > 1
    this.outputs.addStates(stateChanges(cycle, where, rows, isCorrelated ? correlation : null))
    return isPaused ? [] : this.judge(where, added)
  }

  /** Reads the cycle's cells into the rows; gives how many collected metrics had samples. */
  private gather(where: ElementRows): { readonly observed: number; readonly collected: number } {
    const { rows, cycle } = this
    const { catalogue } = this.world.store
    let observed = 0
    let collected = 0
    for (let row = where.from; row < where.to; row++) {
      const series = rows.series[row]!
      const definition = catalogue.seriesDefinition(series)
      const found = gatherRow(rows, row, cycle, definition, this.cells.of(series, cycle))
      if (found.code !== null) this.outputs.addDefinition(series, found.code)
      if (found.hasSamples) observed++
      // What only the server itself has ever filled in is no metric that is collected.
      if (rows.history[row * historyFloats + historyCycle]! >= 0) collected++
    }
    return { observed, collected }
  }

  /**
   * Whether the metric of a row comes from configurations or the server itself, as far as closings
   * have seen: one of which they saw a sample is collected.
   */
  private isComputed({ element, from }: ElementRows, row: number): boolean {
    if (!Number.isNaN(this.rows.history[row * historyFloats + historyCycle]!)) return false
    const { catalogue } = this.world.store
    const { fqns } = this.names.of(element)
    const metric = fqns[row - from]!
    if (metric === collectedPercentFqn) return true
    const { computed } = this.rules.of(catalogue.elementTenant(element))
    if (computed.isEmpty) return false
    const fqn = catalogue.elementFqn(element)
    const info = catalogue.elementInfo(element)
    return computed.isComputed({ fqn, info, metricFqns: fqns }, metric)
  }

  /** Fills those of the rows without a sample whose turn it is. */
  private fillSparse(
    { from, to }: ElementRows,
    { isMissed }: PartQuestion,
    isTurn: (row: number) => boolean,
  ): void {
    const { rows, cycle } = this
    const { catalogue } = this.world.store
    for (let row = from; row < to; row++) {
      const definition = catalogue.seriesDefinition(rows.series[row]!)
      const strategy = sparseStrategyOf(definition)
      if (strategy === "None" || !isTurn(row)) continue
      const filling = fillRow(rows, row, strategy, { cycle, isMissed })
      if (Number.isNaN(filling)) continue
      this.outputs.addFill(rows.series[row]!, filling)
      // A sample that comes later must know how the actual is made.
      const code = actualKindOf(definition)
      if (code !== averageKind) this.outputs.addDefinition(rows.series[row]!, code)
    }
  }

  /** Works out computed metrics; those that are new to the element come behind its rows. */
  private compute(
    where: ElementRows,
    { observed, collected }: { readonly observed: number; readonly collected: number },
  ): { readonly fqns: readonly string[]; readonly added: readonly number[] } {
    const { rows, cells, cycle } = this
    const { catalogue } = this.world.store
    const names = this.names.of(where.element)
    const addedFqns: string[] = []
    const added: number[] = []
    const take: TakeComputed = ({ fqn, name, place }, value) => {
      if (place >= names.fqns.length) {
        if (addedFqns.includes(fqn)) return
        addedFqns.push(fqn)
        added.push(value)
      } else {
        // A metric that is collected or filled in this cycle is not computed over.
        if (!Number.isNaN(rows.inputs.actual[where.from + place]!)) return
        rows.inputs.actual[where.from + place] = value
      }
      this.outputs.addComputed(where.element, fqn, value, name === null ? undefined : { name })
    }
    if (collected > 0) {
      const known = names.placeOf(collectedPercentFqn)
      const place = known < 0 ? names.fqns.length : known
      const metric = { fqn: collectedPercentFqn, name: null, place }
      take(metric, (100 * observed) / collected)
    }
    const { computed } = this.rules.of(catalogue.elementTenant(where.element))
    if (!computed.isEmpty) {
      computeMetrics({ computed, catalogue, cells, rows, cycle }, where, names.fqns, take)
    }
    return { fqns: added.length === 0 ? names.fqns : [...names.fqns, ...addedFqns], added }
  }

  private flag({ from, to }: ElementRows, flag: number): void {
    for (let row = from; row < to; row++) this.rows.inputs.flags[row]! |= flag
  }

  private judge(
    where: ElementRows,
    metrics: { readonly fqns: readonly string[]; readonly added: readonly number[] },
  ): readonly Violation[] {
    const { store } = this.world
    const { catalogue } = store
    const { element } = where
    const info = catalogue.elementInfo(element)
    const set = this.rules.of(catalogue.elementTenant(element)).policies
    const tags = [...(info.serviceTags ?? []), ...info.tags]
    const fqn = catalogue.elementFqn(element)
    const subject = () => ({ ...info, fqn, tags })
    const policies = set.policiesOf(element, info, subject)
    if (policies.length === 0) return []
    const { cells, rows, cycle } = this
    const view = new ElementView({ store, catalogue, cells, rows }, cycle, where, metrics)
    return set.violations(policies, view, () => this.found(element))
  }

  private found(element: number): FoundElement {
    const { store, tenantUuid } = this.world
    const { catalogue } = store
    const { name, type, location, tags, serviceTags = [] } = catalogue.elementInfo(element)
    const fqn = catalogue.elementFqn(element)
    const id = elementUuid(tenantUuid(catalogue.elementTenant(element)), fqn)
    const winning = new Set(serviceTags.map((tag) => tag.name))
    const all = [...serviceTags, ...tags.filter((tag) => !winning.has(tag.name))]
    return { id, fqn, name, type, location, tags: all }
  }
}
