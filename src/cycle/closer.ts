/**
 * Works out the closing of one part of a cycle, from what is folded, in the order of decisions §3:
 *
 *   cells ─► actual values ─► sparse fillings ─► computed metrics ─► bands ─► policies
 *                 └── history ◄── what earlier cycles left ──► states ──┘
 *
 * It reads only; whoever leads the closing has the shard store the answer, in one transaction with
 * a marker. So a part that is worked out twice, after a crash, is worked out from the same.
 */

import { inputPaused, inputSparse } from "../analysis/columns.ts"
import { ElementAnalysis } from "../analysis/element-analysis.ts"
import type { Catalogue } from "../catalogue/catalogue.ts"
import { sparseStrategyOf } from "../model/effective-settings.ts"
import { collectedPercentFqn, elementUuid } from "../model/fqn.ts"
import { inMaintenance } from "../policy/maintenance.ts"
import type { FoundElement, Violation } from "../policy/violation.ts"
import { definitionAverage } from "../rollup/cell.ts"
import { definitionCode } from "../rollup/definition-code.ts"
import type { ReadStore } from "../store/store.ts"
import { computeMetrics } from "./computing.ts"
import { CycleCells } from "./cycle-cells.ts"
import { ElementView } from "./element-view.ts"
import { gatherRow } from "./gathering.ts"
import { historyCycle, historyFloats, historyLast, historyMax, historyMin, Rows } from "./rows.ts"
import { Outputs, roundBands } from "./outputs.ts"
import { fillingOf } from "./sparse.ts"
import { readStates, stateChanges, type ElementRows } from "./states.ts"
import { partName, type Findings, type PartAnswer, type PartQuestion } from "./task.ts"
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
  private readonly analysis = new ElementAnalysis()
  private outputs = new Outputs()
  private cycle = -1

  constructor(world: CloserWorld) {
    this.world = world
    this.cells = new CycleCells(world.store)
    this.rules = new TenantRules(world.store)
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
    const findings = new Map<number, { violations: Violation[]; judged: string[] }>()
    for (const where of elements) {
      const tenant = store.catalogue.elementTenant(where.element)
      let ofTenant = findings.get(tenant)
      if (ofTenant === undefined) {
        findings.set(tenant, (ofTenant = { violations: [], judged: [] }))
      }
      ofTenant.judged.push(store.catalogue.elementFqn(where.element))
      ofTenant.violations.push(...this.closeElement(where, question))
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

  private closeElement(where: ElementRows, question: PartQuestion): readonly Violation[] {
    const { store } = this.world
    const { catalogue } = store
    const { rows, cycle } = this
    const info = catalogue.elementInfo(where.element)
    if (info.deletedMs !== undefined || where.to === where.from) return []
    const correlation = readStates(store, cycle, where, rows)
    const observed = this.gather(where)
    const isActive = this.isActive(where, question)
    if (!isActive) return []
    this.fillSparse(where, question)
    const added = this.compute(where, observed)
    this.keepFillings(where)
    const isPaused = inMaintenance(info.serviceTags, question.closingMs)
    if (isPaused) this.flag(where, inputPaused)
    this.analysis.step(rows.inputs, rows.columns, rows.bands, where, correlation)
    for (let row = where.from; row < where.to; row++) {
      roundBands(rows.bands, row)
      this.outputs.addBands(rows.series[row]!, rows.bands, row)
      this.remember(row)
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
      const found = gatherRow(rows, row, definition, this.cells.of(series, cycle))
      if (found.code !== null) this.outputs.addDefinition(series, found.code)
      if (found.hasSamples) {
        observed++
        rows.history[row * historyFloats + historyCycle] = cycle
      }
      // What only the server itself has ever filled in is no metric that is collected.
      if (rows.history[row * historyFloats + historyCycle]! >= 0) collected++
    }
    return { observed, collected }
  }

  /** An element that was silent for seven hours is left alone until it speaks again. */
  private isActive({ from, to }: ElementRows, { inactiveCycles }: PartQuestion): boolean {
    for (let row = from; row < to; row++) {
      const last = this.rows.history[row * historyFloats + historyCycle]!
      if (this.cycle - last < inactiveCycles) return true
    }
    return false
  }

  /**
   * Fills metrics without a sample. One that was not there when an earlier cycle closed cannot be
   * missing in this one; nor, in a cycle that the server missed, can one without samples so far.
   */
  private fillSparse({ from, to }: ElementRows, { isMissed }: PartQuestion): void {
    const { rows, cycle } = this
    const { catalogue } = this.world.store
    for (let row = from; row < to; row++) {
      if (!Number.isNaN(rows.inputs.actual[row]!)) continue
      const at = row * historyFloats
      const last = rows.history[at + historyCycle]!
      if (last === cycle || rows.known[row] === 0) continue
      if (isMissed && Number.isNaN(last)) continue
      const definition = catalogue.seriesDefinition(rows.series[row]!)
      const filling = fillingOf(sparseStrategyOf(definition), {
        min: rows.history[at + historyMin]!,
        max: rows.history[at + historyMax]!,
        last: rows.history[at + historyLast]!,
      })
      if (Number.isNaN(filling)) continue
      rows.inputs.actual[row] = filling
      rows.inputs.flags[row]! |= inputSparse
    }
  }

  /** Fillings for which nothing was computed. */
  private keepFillings({ from, to }: ElementRows): void {
    const { rows } = this
    for (let row = from; row < to; row++) {
      if ((rows.inputs.flags[row]! & inputSparse) === 0) continue
      const series = rows.series[row]!
      this.outputs.addFill(series, rows.inputs.actual[row]!)
      // A sample that comes later must know how the actual is made.
      const code = definitionCode(this.world.store.catalogue.seriesDefinition(series))
      if (code !== definitionAverage) this.outputs.addDefinition(series, code)
    }
  }

  /** Works out computed metrics; those that are new to the element come behind its rows. */
  private compute(
    where: ElementRows,
    { observed, collected }: { readonly observed: number; readonly collected: number },
  ): { readonly fqns: readonly string[]; readonly added: readonly number[] } {
    const { rows, cells, cycle } = this
    const { catalogue } = this.world.store
    const fqns = Array.from(rows.series.subarray(where.from, where.to), (series) =>
      nameOf(catalogue, series),
    )
    const added: number[] = []
    const metricFqns = [...fqns]
    const take = (fqn: string, name: string | null, value: number): void => {
      const place = metricFqns.indexOf(fqn)
      if (place < 0) {
        metricFqns.push(fqn)
        added.push(value)
      } else if (place < fqns.length) {
        const row = where.from + place
        const isFilled = (rows.inputs.flags[row]! & inputSparse) !== 0
        // What is collected in this cycle is not computed over. A filling gives way: a package's
        // strategy may find the name of a computed metric too, as the public ALB package's does.
        if (!isFilled && !Number.isNaN(rows.inputs.actual[row]!)) return
        rows.inputs.actual[row] = value
        rows.inputs.flags[row]! &= ~inputSparse
      } else return
      this.outputs.addComputed(where.element, fqn, value, name === null ? undefined : { name })
    }
    if (collected > 0) take(collectedPercentFqn, null, (100 * observed) / collected)
    const { computed } = this.rules.of(catalogue.elementTenant(where.element))
    if (!computed.isEmpty)
      computeMetrics({ computed, catalogue, cells, rows, cycle }, where, fqns, take)
    return { fqns: metricFqns, added }
  }

  private flag({ from, to }: ElementRows, flag: number): void {
    for (let row = from; row < to; row++) this.rows.inputs.flags[row]! |= flag
  }

  /** Keeps the metric's historical values; fillings are none. */
  private remember(row: number): void {
    const { history, inputs } = this.rows
    const actual = inputs.actual[row]!
    if (Number.isNaN(actual) || (inputs.flags[row]! & inputSparse) !== 0) return
    const at = row * historyFloats
    const [min, max] = [history[at + historyMin]!, history[at + historyMax]!]
    history[at + historyMin] = actual < min || Number.isNaN(min) ? actual : min
    history[at + historyMax] = actual > max || Number.isNaN(max) ? actual : max
    history[at + historyLast] = actual
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

function nameOf(catalogue: Catalogue, series: number): string {
  return catalogue.name(catalogue.seriesName(series)).fqn
}
