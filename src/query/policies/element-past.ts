/** The past cycles of one element as policies read them: columns of what closings stored. */

import { suddenChange, suddenChangeValues } from "../../analysis/sudden-change.ts"
import { assert } from "../../base/assert.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { Band } from "../../model/band.ts"
import type { NameValue } from "../../model/element.ts"
import type { ElementIndex } from "../../model/ids.ts"
import type { ElementCycle, SuddenDeviation } from "../../policy/element-cycle.ts"
import type { PolicyMatcher } from "../../policy/policy-matcher.ts"
import { policyTagsOf, policyUnitOf } from "../../policy/subject.ts"
import { bandFieldCount } from "../../store/cycle-store.ts"
import type { BucketHistory } from "../../store/query-store.ts"

/** Histories of some series, the element's among them. */
export interface PastColumns {
  readonly history: BucketHistory
  /** Without gap fills; null if no condition is on sudden changes. */
  readonly observed: BucketHistory | null
}

export class ElementPast implements ElementCycle {
  readonly element: ElementIndex
  readonly metricFqns: readonly string[]
  /** The series that a policy reads. */
  readonly series: Int32Array
  private readonly catalogue: Catalogue
  private readonly indexByFqn: ReadonlyMap<string, number>
  /** By metric, its index among `series`, or −1. */
  private readonly rowOffsets: Int32Array
  private columns: PastColumns | null = null
  /** Of the element's first series among those that were read. */
  private firstRow = 0

  constructor(catalogue: Catalogue, element: ElementIndex, matcher: PolicyMatcher) {
    this.catalogue = catalogue
    this.element = element
    const all = catalogue.elementSeries(element)
    this.metricFqns = Array.from(all, (series) => catalogue.metricFqn(series))
    this.indexByFqn = new Map(this.metricFqns.map((fqn, index) => [fqn, index]))
    const indexes = this.indexesOf(matcher)
    this.series = Int32Array.from(indexes, (index) => all[index]!)
    this.rowOffsets = new Int32Array(all.length).fill(-1)
    for (const [offset, index] of indexes.entries()) this.rowOffsets[index] = offset
  }

  /** The metrics that the conditions select or compare with. */
  private indexesOf(matcher: PolicyMatcher): number[] {
    const indexes = new Set(matcher.select(this).flat())
    for (const { condition } of matcher.conditions) {
      const { metricThresholdLevel } = condition
      const index = metricThresholdLevel ? this.indexOf(metricThresholdLevel) : -1
      if (index >= 0) indexes.add(index)
    }
    return [...indexes]
  }

  /** Sets what was read; the rows of `series` begin at `firstRow`. Null releases it. */
  use(columns: PastColumns | null, firstRow = 0): void {
    this.columns = columns
    this.firstRow = firstRow
  }

  indexOf(fqn: string): number {
    return this.indexByFqn.get(fqn) ?? -1
  }

  tagsOf(index: number): readonly NameValue[] {
    return policyTagsOf(this.definitionOf(index))
  }

  unitOf(index: number): string {
    return policyUnitOf(this.definitionOf(index))
  }

  actual(index: number, back: number): number {
    const { history } = this.read
    return history.actuals[this.at(index, back, history)]!
  }

  baseline(index: number, back: number): Band | null {
    return this.band(index, back, 0)
  }

  contextual(index: number, back: number): Band | null {
    return this.band(index, back, 2)
  }

  sudden(index: number, back: number): SuddenDeviation | null {
    const { observed } = this.read
    assert(observed !== null, "Expected values without gap fills for sudden changes")
    const at = this.at(index, back, observed)
    const { actuals } = observed
    if (Number.isNaN(actuals[at]!)) return null
    const change = suddenChange(actuals.subarray(at - suddenChangeValues, at), actuals[at]!)
    return change === undefined ? null : { percent: 100 * change.change }
  }

  private band(index: number, back: number, field: number): Band | null {
    const { history } = this.read
    const from = this.at(index, back, history) * bandFieldCount + field
    const mean = history.bands[from]!
    return Number.isNaN(mean) ? null : { mean, stddev: history.bands[from + 1]! }
  }

  private definitionOf(index: number) {
    const series = this.catalogue.elementSeries(this.element)[index]!
    return this.catalogue.seriesDefinition(series)
  }

  private get read(): PastColumns {
    assert(this.columns !== null, "Expected the columns of the element to be read")
    return this.columns
  }

  private at(index: number, back: number, { cycles }: BucketHistory): number {
    const offset = this.rowOffsets[index]!
    assert(offset >= 0 && back >= 0 && back < cycles, "Expected a cycle of a metric that is read")
    return (this.firstRow + offset) * cycles + cycles - 1 - back
  }
}
