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
import type { EmitComputed } from "../analytics-settings/computed-metrics.ts"
import { sparseStrategyOf } from "../model/effective-settings.ts"
import { collectedPercentFqn, elementUuid } from "../model/fqn.ts"
import { isInMaintenance } from "../policy/maintenance.ts"
import type { AffectedElement, Violation } from "../policy/violation.ts"
import { averageKind } from "../rollup/cell.ts"
import { actualKindOf } from "../rollup/actual-kind.ts"
import { lateNoteKind, lateNoteRange, seriesOfLateNote, type ReadStore } from "../store/store.ts"
import { computeMetrics } from "./compute-metrics.ts"
import { CycleCells } from "./cycle-cells.ts"
import { ElementView } from "./element-view.ts"
import { loadRow } from "./load-row.ts"
import { MetricNameInterner } from "./metric-name-interner.ts"
import { BatchResult } from "./batch-result.ts"
import { rereadHistory } from "./late-history.ts"
import { historyCycle, historyFloats, Rows } from "./rows.ts"
import { readStates, stateChanges, type ElementRows } from "./element-states.ts"
import { fillGap, isActive, predictRows, updateHistory } from "./row-steps.ts"
import {
  batchName,
  type CycleViolations,
  type BatchResponse,
  type BatchRequest,
} from "./cycle-protocol.ts"
import { TenantRules } from "./tenant-rules.ts"

export interface CycleEvaluatorDeps {
  readonly store: ReadStore
  readonly tenantUuid: (tenant: number) => string
}

export class CycleEvaluator {
  private readonly deps: CycleEvaluatorDeps
  private readonly rows = new Rows()
  private readonly cells: CycleCells
  private readonly rules: TenantRules
  private readonly names: MetricNameInterner
  private readonly analysis = new ElementAnalysis()
  private result = new BatchResult()
  private cycle = -1

  constructor(deps: CycleEvaluatorDeps) {
    this.deps = deps
    this.cells = new CycleCells(deps.store)
    this.rules = new TenantRules(deps.store)
    this.names = new MetricNameInterner(deps.store)
  }

  /** Works out one part; the samples of the cycle must be folded. */
  evaluate(question: BatchRequest): BatchResponse {
    const { store } = this.deps
    store.refresh()
    const { cycle, fromElement } = question
    if (store.isClosed(cycle, batchName(fromElement))) {
      return { changes: null, violations: [], problems: [] }
    }
    if (cycle !== this.cycle) this.rules.refresh()
    this.cycle = cycle
    this.cells.clear()
    this.analysis.begin(cycle)
    this.result = new BatchResult()
    const elements = this.layOutRows(question)
    const late = this.lateSeriesOf(question)
    const findings = new Map<number, { violations: Violation[]; judged: string[] }>()
    for (const where of elements) {
      const tenant = store.catalogue.elementTenant(where.element)
      let ofTenant = findings.get(tenant)
      if (ofTenant === undefined) {
        findings.set(tenant, (ofTenant = { violations: [], judged: [] }))
      }
      ofTenant.judged.push(store.catalogue.elementFqn(where.element))
      pushAll(ofTenant.violations, this.evaluateElement(where, question, late))
    }
    return {
      changes: this.result.changes(cycle, fromElement),
      violations: Array.from(findings, ([tenant, affectedElement]): CycleViolations => ({
        tenant,
        ...affectedElement,
      })),
      problems: this.rules.drainProblems(),
    }
  }

  /** Lays out a row for each metric of the part's elements. */
  private layOutRows({ fromElement, toElement }: BatchRequest): ElementRows[] {
    const { catalogue } = this.deps.store
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
  private lateSeriesOf({ fromElement, toElement }: BatchRequest): ReadonlySet<number> {
    const notes = this.deps.store.states(lateNoteKind, lateNoteRange(fromElement, toElement))
    this.result.addStates(notes.map(({ key }) => ({ kind: lateNoteKind, key, bytes: null })))
    return new Set(notes.map(({ key }) => seriesOfLateNote(key)))
  }

  /** Reads the past of late rows anew; true where there are any. */
  private rereadLateHistory({ from, to }: ElementRows, late: ReadonlySet<number>): boolean {
    const { rows, cycle } = this
    let isAny = false
    for (let row = from; row < to && late.size > 0; row++) {
      if (!late.has(rows.series[row]!)) continue
      rereadHistory(this.deps.store, rows, row, cycle)
      isAny = true
    }
    return isAny
  }

  private evaluateElement(
    where: ElementRows,
    question: BatchRequest,
    late: ReadonlySet<number>,
  ): readonly Violation[] {
    const { store } = this.deps
    const { catalogue } = store
    const { rows, cycle } = this
    const info = catalogue.elementInfo(where.element)
    if (info.deletedMs !== undefined || where.to === where.from) return []
    const correlation = readStates(store, cycle, where, rows)
    const isLate = this.rereadLateHistory(where, late)
    const observed = this.loadRows(where)
    if (!isActive(rows, where, cycle, question.inactiveCycles)) {
      if (isLate) this.result.addStates(stateChanges(cycle, where, rows, null))
      return []
    }
    this.fillGaps(where, question, (row) => !this.isComputed(where, row))
    const added = this.compute(where, observed)
    // What is computed is filled only where it could not be.
    this.fillGaps(where, question, (row) => this.isComputed(where, row))
    const isPaused = isInMaintenance(info.serviceTags, question.closingMs)
    if (isPaused) this.flag(where, inputPaused)
    predictRows(this.analysis, rows, where, correlation)
    for (let row = where.from; row < where.to; row++) {
      this.result.addBands(rows.series[row]!, rows.bands, row)
      updateHistory(rows, row)
    }
    const isCorrelated = where.to - where.from > 1
    this.result.addStates(stateChanges(cycle, where, rows, isCorrelated ? correlation : null))
    return isPaused ? [] : this.evaluatePolicies(where, added)
  }

  /** Reads the cycle's cells into the rows; gives how many collected metrics had samples. */
  private loadRows(where: ElementRows): { readonly observed: number; readonly collected: number } {
    const { rows, cycle } = this
    const { catalogue } = this.deps.store
    let observed = 0
    let collected = 0
    for (let row = where.from; row < where.to; row++) {
      const series = rows.series[row]!
      const definition = catalogue.seriesDefinition(series)
      const found = loadRow(rows, row, cycle, definition, this.cells.locate(series, cycle))
      if (found.code !== null) this.result.addDefinition(series, found.code)
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
    const { catalogue } = this.deps.store
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
  private fillGaps(
    { from, to }: ElementRows,
    { isMissed }: BatchRequest,
    isTurn: (row: number) => boolean,
  ): void {
    const { rows, cycle } = this
    const { catalogue } = this.deps.store
    for (let row = from; row < to; row++) {
      const definition = catalogue.seriesDefinition(rows.series[row]!)
      const strategy = sparseStrategyOf(definition)
      if (strategy === "None" || !isTurn(row)) continue
      const filling = fillGap(rows, row, strategy, { cycle, isMissed })
      if (Number.isNaN(filling)) continue
      this.result.addFill(rows.series[row]!, filling)
      // A sample that comes later must know how the actual is made.
      const code = actualKindOf(definition)
      if (code !== averageKind) this.result.addDefinition(rows.series[row]!, code)
    }
  }

  /** Works out computed metrics; those that are new to the element come behind its rows. */
  private compute(
    where: ElementRows,
    { observed, collected }: { readonly observed: number; readonly collected: number },
  ): { readonly fqns: readonly string[]; readonly added: readonly number[] } {
    const { rows, cells, cycle } = this
    const { catalogue } = this.deps.store
    const names = this.names.of(where.element)
    const addedFqns: string[] = []
    const added: number[] = []
    const take: EmitComputed = ({ fqn, name, place }, value) => {
      if (place >= names.fqns.length) {
        if (addedFqns.includes(fqn)) return
        addedFqns.push(fqn)
        added.push(value)
      } else {
        // A metric that is collected or filled in this cycle is not computed over.
        if (!Number.isNaN(rows.inputs.actual[where.from + place]!)) return
        rows.inputs.actual[where.from + place] = value
      }
      this.result.addComputed(where.element, fqn, value, name === null ? undefined : { name })
    }
    if (collected > 0) {
      const known = names.indexOf(collectedPercentFqn)
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

  private evaluatePolicies(
    where: ElementRows,
    metrics: { readonly fqns: readonly string[]; readonly added: readonly number[] },
  ): readonly Violation[] {
    const { store } = this.deps
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

  private found(element: number): AffectedElement {
    const { store, tenantUuid } = this.deps
    const { catalogue } = store
    const { name, type, location, tags, serviceTags = [] } = catalogue.elementInfo(element)
    const fqn = catalogue.elementFqn(element)
    const id = elementUuid(tenantUuid(catalogue.elementTenant(element)), fqn)
    const winning = new Set(serviceTags.map((tag) => tag.name))
    const all = [...serviceTags, ...tags.filter((tag) => !winning.has(tag.name))]
    return { id, fqn, name, type, location, tags: all }
  }
}
