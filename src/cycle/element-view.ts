/**
 * The closing cycle of one element, for its policies: this cycle's rows and stored history.
 * Unwatched cycles are not counted: a condition that held before and holds after them has held.
 */

import { inputSparse } from "../analysis/columns.ts"
import { suddenChange, suddenChangeValues } from "../analysis/sudden-change.ts"
import type { Catalogue } from "../catalogue/catalogue.ts"
import type { Band } from "../model/band.ts"
import type { NameValue } from "../model/element.ts"
import { cyclesPerDay } from "../model/resolution.ts"
import type { ElementCycle, SuddenDeviation } from "../policy/element-cycle.ts"
import { policyTagsOf, policyUnitOf } from "../policy/subject.ts"
import { flagGapFill, hasActual } from "../rollup/cell.ts"
import { bandFieldCount, type CycleSource } from "../store/cycle-store.ts"
import type { BucketHistory } from "../store/query-store.ts"
import type { CycleCells } from "./cycle-cells.ts"
import type { Rows } from "./rows.ts"
import type { ElementRows } from "./element-states.ts"
import { WatchedCycles } from "./watched-cycles.ts"

interface ElementViewDeps {
  readonly store: Pick<CycleSource, "bucketHistory">
  readonly catalogue: Catalogue
  readonly cells: CycleCells
  readonly rows: Rows
}

/** Cycles of an earlier day that one read returns: most policies need an hour at most. */
const historyChunk = 12

export class ElementView implements ElementCycle {
  readonly metricFqns: readonly string[]
  private readonly deps: ElementViewDeps
  private readonly cycle: number
  private readonly range: ElementRows
  /** Values of computed metrics that are new in this cycle; their indexes follow the rows. */
  private readonly added: readonly number[]
  private readonly watched: WatchedCycles
  private indexByFqn: Map<string, number> | null = null
  private readonly histories = new Map<number, BucketHistory>()

  constructor(
    deps: ElementViewDeps,
    cycle: number,
    range: ElementRows,
    metrics: { readonly fqns: readonly string[]; readonly added: readonly number[] },
    watched = new WatchedCycles(cycle, []),
  ) {
    this.deps = deps
    this.cycle = cycle
    this.range = range
    this.metricFqns = metrics.fqns
    this.added = metrics.added
    this.watched = watched
  }

  indexOf(fqn: string): number {
    this.indexByFqn ??= new Map(this.metricFqns.map((name, index) => [name, index]))
    return this.indexByFqn.get(fqn) ?? -1
  }

  tagsOf(index: number): readonly NameValue[] {
    if (this.isAdded(index)) return []
    return policyTagsOf(this.deps.catalogue.seriesDefinition(this.seriesAt(index)))
  }

  unitOf(index: number): string {
    if (this.isAdded(index)) return ""
    return policyUnitOf(this.deps.catalogue.seriesDefinition(this.seriesAt(index)))
  }

  actual(index: number, watchedBack: number): number {
    const back = this.watched.distance(watchedBack)
    if (this.isAdded(index)) {
      return back === 0 ? this.added[index - this.rowCount]! : NaN
    }
    // In an unwatched cycle, a gap fill says nothing.
    if (back === 0 && this.watched.isUnwatched) return this.observed(index, this.cycle)
    if (back === 0) return this.deps.rows.inputs.actual[this.range.from + index]!
    if (this.isToday(back)) {
      const { cells, at } = this.deps.cells.locate(this.seriesAt(index), this.cycle - back)
      return hasActual(cells, at) ? cells.actual[at]! : NaN
    }
    const { history, at } = this.historyAt(index, back)
    return history.actuals[at]!
  }

  baseline(index: number, back: number): Band | null {
    const { baselineMean, baselineStddev } = this.deps.rows.bands
    return this.band(index, back, { mean: baselineMean, stddev: baselineStddev, field: 0 })
  }

  contextual(index: number, back: number): Band | null {
    const { contextualMean, contextualStddev } = this.deps.rows.bands
    return this.band(index, back, { mean: contextualMean, stddev: contextualStddev, field: 2 })
  }

  /** Gap fills count as missing: they were not observed. */
  sudden(index: number, back: number): SuddenDeviation | null {
    if (this.isAdded(index)) return null
    const cycle = this.cycle - this.watched.distance(back)
    const previous = Array.from({ length: suddenChangeValues }, (_, i) =>
      this.observed(index, cycle - suddenChangeValues + i),
    )
    const observed = this.observed(index, cycle)
    const change = suddenChange(previous, observed)
    return change === undefined ? null : { percent: 100 * change.change }
  }

  private band(
    index: number,
    watchedBack: number,
    columns: { mean: Float64Array; stddev: Float64Array; field: number },
  ): Band | null {
    if (this.isAdded(index)) return null
    const back = this.watched.distance(watchedBack)
    if (back === 0) {
      const row = this.range.from + index
      return bandOf(columns.mean[row]!, columns.stddev[row]!)
    }
    if (this.isToday(back)) {
      const { bands, offset } = this.deps.cells.locateBand(this.seriesAt(index), this.cycle - back)
      return bandOf(bands[offset + columns.field]!, bands[offset + columns.field + 1]!)
    }
    const { history, at } = this.historyAt(index, back)
    const from = at * bandFieldCount + columns.field
    return bandOf(history.bands[from]!, history.bands[from + 1]!)
  }

  /**
   * Cycles of the current day are read one by one, for all elements of a batch: 25 µs a partition,
   * while the history of 12 cycles of one element takes 9 ms. Earlier days may be compacted, and
   * then reading one cycle takes as long as reading all of them.
   */
  private isToday(back: number): boolean {
    return back <= this.cycle % cyclesPerDay
  }

  private observed(index: number, cycle: number): number {
    if (cycle === this.cycle) {
      const row = this.range.from + index
      const { actual, flags } = this.deps.rows.inputs
      return (flags[row]! & inputSparse) !== 0 ? NaN : actual[row]!
    }
    const { cells, at } = this.deps.cells.locate(this.seriesAt(index), cycle)
    const isObserved = hasActual(cells, at) && (cells.flags[at]! & flagGapFill) === 0
    return isObserved ? cells.actual[at]! : NaN
  }

  /** The chunk of history that contains a cycle, for all metrics of the element. */
  private historyAt(index: number, back: number): { history: BucketHistory; at: number } {
    const chunk = Math.floor((back - 1) / historyChunk)
    const toCycle = this.cycle - chunk * historyChunk
    let history = this.histories.get(chunk)
    if (history === undefined) {
      const { rows, store } = this.deps
      const series = rows.series.slice(this.range.from, this.range.to)
      history = store.bucketHistory(series, toCycle - historyChunk, toCycle)
      this.histories.set(chunk, history)
    }
    const offset = this.cycle - back - (toCycle - historyChunk)
    return { history, at: index * history.cycles + offset }
  }

  private get rowCount(): number {
    return this.range.to - this.range.from
  }

  private isAdded(index: number): boolean {
    return index >= this.rowCount
  }

  private seriesAt(index: number): number {
    return this.deps.rows.series[this.range.from + index]!
  }
}

function bandOf(mean: number, stddev: number): Band | null {
  return Number.isNaN(mean) ? null : { mean, stddev }
}
