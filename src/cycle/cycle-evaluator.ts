/**
 * Evaluates one batch of a cycle from flushed samples, in the order of spec/time §4:
 *
 *   cells ─► actual values ─► gap filling ─► computed metrics ─► bands ─► policies
 *                 └── history ◄── state of earlier cycles ──► new state ──┘
 *
 * In an unwatched cycle, what is missing says nothing: elements without a sample are left out, and
 * neither computed metrics nor policies take gap fills.
 *
 * It only reads. The main thread passes the response to the shard, which commits it in one
 * transaction with a marker. So a batch that is evaluated again after a crash has the same inputs.
 */

import { inputPaused } from "../analysis/columns.ts"
import { ElementAnalysis } from "../analysis/element-analysis.ts"
import { assert } from "../base/assert.ts"
import { pushAll } from "../base/iterables.ts"
import type { EmitComputed } from "../analytics-settings/computed-metrics.ts"
import type { ElementIndex, TenantIndex } from "../model/ids.ts"
import { sparseStrategyOf } from "../model/effective-settings.ts"
import { collectedPercentFqn, elementUuid } from "../model/fqn.ts"
import { isInMaintenance } from "../policy/maintenance.ts"
import { scopeSubjectOf } from "../policy/subject.ts"
import type { AffectedElement, EvaluatedElement, Violation } from "../policy/violation.ts"
import { averageKind } from "../rollup/cell.ts"
import { actualKindOf } from "../rollup/actual-kind.ts"
import { isNotAfter, lateNoteKind, lateNoteRanges, seriesOfLateNote } from "../store/late-notes.ts"
import type { CycleSource, ElementRowColumns } from "../store/cycle-store.ts"
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
import type { BatchRequest, BatchResponse, CycleViolations } from "./cycle-protocol.ts"
import { TenantRules } from "./tenant-rules.ts"
import { WatchedCycles } from "./watched-cycles.ts"

interface CycleEvaluatorDeps {
  readonly store: CycleSource
  readonly tenantUuid: (tenant: TenantIndex) => string
}

interface ElementResult extends Omit<EvaluatedElement, "fqn"> {
  readonly violations: readonly Violation[]
}

/** Of an element that no policy watches. */
const unwatchedResult: ElementResult = {
  violations: [],
  isSilent: false,
  policyIds: [],
  silentMetrics: [],
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
  private watched = new WatchedCycles(-1, [])
  /** Of the current batch. */
  private samples = 0

  constructor(deps: CycleEvaluatorDeps) {
    this.deps = deps
    this.cells = new CycleCells(deps.store)
    this.rules = new TenantRules(deps.store)
    this.names = new MetricNameInterner(deps.store)
  }

  /** Evaluates one batch. The source has everything flushed, the samples of the cycle included. */
  evaluate(request: BatchRequest): BatchResponse {
    const { store } = this.deps
    const { cycle, name } = request
    if (store.isClosed(cycle, name)) {
      return { changes: null, violations: [], problems: [], metrics: 0, samples: 0 }
    }
    if (cycle !== this.cycle) this.rules.refresh()
    this.cycle = cycle
    this.watched = new WatchedCycles(cycle, request.unwatched ?? [])
    this.cells.clear()
    this.samples = 0
    this.analysis.begin(cycle)
    this.result = new BatchResult()
    const known = this.knownElements(request)
    const elements = this.layOutRows(known)
    const late = this.lateSeriesOf(known)
    const byTenant = new Map<number, { violations: Violation[]; evaluated: EvaluatedElement[] }>()
    for (const range of elements) {
      const tenant = store.catalogue.elementTenant(range.element)
      let ofTenant = byTenant.get(tenant)
      if (ofTenant === undefined) {
        byTenant.set(tenant, (ofTenant = { violations: [], evaluated: [] }))
      }
      const { violations, ...found } = this.evaluateElement(range, request, late)
      ofTenant.evaluated.push({ fqn: store.catalogue.elementFqn(range.element), ...found })
      pushAll(ofTenant.violations, violations)
    }
    return {
      changes: { ...this.result.changes(cycle, name), rows: this.rowColumns(elements) },
      violations: Array.from(byTenant, ([tenant, found]): CycleViolations => ({
        tenant,
        ...found,
      })),
      problems: this.rules.drainProblems(),
      metrics: elements.reduce((sum, { from, to }) => sum + to - from, 0),
      samples: this.samples,
    }
  }

  /** The batch's elements in this catalogue; others are newer, or forgotten. */
  private knownElements({ elements }: BatchRequest): Int32Array {
    const isAscending = elements.every((element, i) => i === 0 || elements[i - 1]! < element)
    assert(isAscending, "Expected distinct elements in ascending order")
    const { catalogue } = this.deps.store
    return elements.filter((element) => catalogue.isKnownElement(element))
  }

  /** Lays out a row for each metric of the elements, in the order of their stored states. */
  private layOutRows(elements: Int32Array): ElementRows[] {
    const { store } = this.deps
    const series = Array.from(elements, (element) => store.seriesOf(element))
    this.rows.reset(series.reduce((sum, { length }) => sum + length, 0))
    let from = 0
    return series.map((ofElement, i) => {
      this.rows.series.set(ofElement, from)
      const range = { element: elements[i]!, from, to: from + ofElement.length }
      from = range.to
      return range
    })
  }

  /** The rows, by which the store notices that one was forgotten since. */
  private rowColumns(ranges: readonly ElementRows[]): ElementRowColumns {
    return {
      elements: Int32Array.from(ranges, ({ element }) => element),
      counts: Int32Array.from(ranges, ({ from, to }) => to - from),
      series: this.rows.series.slice(0, this.rows.count),
    }
  }

  /** Series of the elements with late samples; their notes are deleted with the batch's commit. */
  private lateSeriesOf(elements: Int32Array): ReadonlySet<number> {
    const { store } = this.deps
    const ranges = lateNoteRanges(elements)
    const all = ranges.flatMap((range) => store.states(lateNoteKind, range))
    const notes = all.filter(({ key }) => isNotAfter(key, this.cycle))
    this.result.addStates(notes.map(({ key }) => ({ kind: lateNoteKind, key, bytes: null })))
    return new Set(notes.map(({ key }) => seriesOfLateNote(key)))
  }

  /** Reads the history of late rows again; returns whether there are any. */
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
    range: ElementRows,
    request: BatchRequest,
    late: ReadonlySet<number>,
  ): ElementResult {
    const { store } = this.deps
    const { catalogue } = store
    const { rows, cycle } = this
    const info = catalogue.elementInfo(range.element)
    if (info.deletedMs !== undefined || range.to === range.from) return unwatchedResult
    const correlation = readStates(store, cycle, range, rows)
    const isLate = this.rereadLateHistory(range, late)
    const observed = this.loadRows(range)
    const isSilent = observed.observed === 0
    if (!this.isEvaluated(range, request, observed)) {
      if (isLate) this.result.addStates(stateChanges(cycle, range, rows, null))
      return { ...unwatchedResult, isSilent }
    }
    const { isUnwatched } = this.watched
    if (!isUnwatched) this.fillGaps(range, request, (row) => !this.isComputed(range, row))
    const added = this.compute(range, observed)
    // A computed metric is filled only if it could not be computed.
    this.fillGaps(range, request, (row) => isUnwatched || this.isComputed(range, row))
    const isPaused = isInMaintenance(info.serviceTags, request.closingMs)
    if (isPaused) this.flag(range, inputPaused)
    predictRows(this.analysis, rows, range, correlation)
    for (let row = range.from; row < range.to; row++) {
      this.result.addBands(rows.series[row]!, rows.bands, row)
      updateHistory(rows, row)
    }
    const isCorrelated = range.to - range.from > 1
    this.result.addStates(stateChanges(cycle, range, rows, isCorrelated ? correlation : null))
    return isPaused ? unwatchedResult : this.evaluatePolicies(range, added, isSilent)
  }

  /** False if an element is inactive, or silent in an unwatched cycle. */
  private isEvaluated(
    range: ElementRows,
    { inactiveCycles }: BatchRequest,
    { observed }: { readonly observed: number },
  ): boolean {
    const { rows, cycle, watched } = this
    if (watched.isUnwatched && observed === 0) return false
    return isActive(rows, range, cycle, inactiveCycles, (last) => watched.unwatchedAfter(last))
  }

  /** Reads the cycle's cells into the rows; counts collected metrics, and those with samples. */
  private loadRows(range: ElementRows): { readonly observed: number; readonly collected: number } {
    const { rows, cycle } = this
    const { catalogue } = this.deps.store
    let observed = 0
    let collected = 0
    for (let row = range.from; row < range.to; row++) {
      const series = rows.series[row]!
      const definition = catalogue.seriesDefinition(series)
      const found = loadRow(rows, row, cycle, definition, this.cells.locate(series, cycle))
      if (found.code !== null) this.result.addDefinition(series, found.code)
      if (found.samples > 0) observed++
      this.samples += found.samples
      // A metric that never had a sample, only values from the server, is not collected.
      if (rows.history[row * historyFloats + historyCycle]! >= 0) collected++
    }
    return { observed, collected }
  }

  /**
   * Whether the metric of a row is computed by a configuration or by the server itself. A metric of
   * which a closing saw a sample is collected.
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

  /** Fills the rows without a sample that `isIncluded` selects. */
  private fillGaps(
    { from, to }: ElementRows,
    { isMissed }: BatchRequest,
    isIncluded: (row: number) => boolean,
  ): void {
    const { rows, cycle } = this
    const { catalogue } = this.deps.store
    for (let row = from; row < to; row++) {
      const definition = catalogue.seriesDefinition(rows.series[row]!)
      const strategy = sparseStrategyOf(definition)
      if (strategy === "None" || !isIncluded(row)) continue
      const fill = fillGap(rows, row, strategy, { cycle, isMissed })
      if (Number.isNaN(fill)) continue
      this.result.addFill(rows.series[row]!, fill)
      // A late sample needs to know how the actual is derived.
      const code = actualKindOf(definition)
      if (code !== averageKind) this.result.addDefinition(rows.series[row]!, code)
    }
  }

  /** Evaluates computed metrics; the indexes of those new to the element follow its rows. */
  private compute(
    range: ElementRows,
    { observed, collected }: { readonly observed: number; readonly collected: number },
  ): { readonly fqns: readonly string[]; readonly added: readonly number[] } {
    const { rows, cells, cycle } = this
    const { catalogue } = this.deps.store
    const names = this.names.of(range.element)
    const addedFqns: string[] = []
    const added: number[] = []
    const emit: EmitComputed = ({ fqn, name, index }, value) => {
      if (index >= names.fqns.length) {
        if (addedFqns.includes(fqn)) return
        addedFqns.push(fqn)
        added.push(value)
      } else {
        // A collected or filled value is not overwritten.
        if (!Number.isNaN(rows.inputs.actual[range.from + index]!)) return
        rows.inputs.actual[range.from + index] = value
      }
      this.result.addComputed(range.element, fqn, value, name === null ? undefined : { name })
    }
    if (collected > 0 && !this.watched.isUnwatched) {
      const known = names.indexOf(collectedPercentFqn)
      const index = known < 0 ? names.fqns.length : known
      const metric = { fqn: collectedPercentFqn, name: null, index }
      emit(metric, (100 * observed) / collected)
    }
    const { computed } = this.rules.of(catalogue.elementTenant(range.element))
    if (!computed.isEmpty) {
      computeMetrics({ computed, catalogue, cells, rows, cycle }, range, names.fqns, emit)
    }
    return { fqns: added.length === 0 ? names.fqns : [...names.fqns, ...addedFqns], added }
  }

  private flag({ from, to }: ElementRows, flag: number): void {
    for (let row = from; row < to; row++) this.rows.inputs.flags[row]! |= flag
  }

  private evaluatePolicies(
    range: ElementRows,
    metrics: { readonly fqns: readonly string[]; readonly added: readonly number[] },
    isSilent: boolean,
  ): ElementResult {
    const { store } = this.deps
    const { catalogue } = store
    const { element } = range
    const info = catalogue.elementInfo(element)
    const set = this.rules.of(catalogue.elementTenant(element)).policies
    const subject = () => scopeSubjectOf(catalogue.elementFqn(element), info)
    const policies = set.policiesOf(info, subject)
    if (policies.length === 0) return unwatchedResult
    const { cells, rows, cycle } = this
    const { watched } = this
    const view = new ElementView({ store, catalogue, cells, rows }, cycle, range, metrics, watched)
    return {
      violations: set.violations(policies, view, () => this.found(element)),
      isSilent,
      policyIds: set.idsOf(policies),
      silentMetrics: isSilent ? [] : this.silentMetrics(range, metrics.fqns),
    }
  }

  private silentMetrics({ from, to }: ElementRows, fqns: readonly string[]): readonly string[] {
    const { actual } = this.rows.inputs
    const silent: string[] = []
    for (let row = from; row < to; row++) {
      if (Number.isNaN(actual[row]!)) silent.push(fqns[row - from]!)
    }
    return silent
  }

  private found(element: ElementIndex): AffectedElement {
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
