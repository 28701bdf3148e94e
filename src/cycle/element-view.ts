/** One element in the cycle that closes, as policies see it: this cycle's rows, and the past. */

import { inputSparse } from "../analysis/columns.ts"
import { suddenChange, suddenChangeValues } from "../analysis/sudden-change.ts"
import type { Catalogue } from "../catalogue/catalogue.ts"
import type { Band } from "../model/band.ts"
import type { NameValue } from "../model/element.ts"
import { cyclesPerDay } from "../model/resolution.ts"
import type { ElementCycle, SuddenDeviation } from "../policy/element-cycle.ts"
import { flagGapFill, hasActual } from "../rollup/cell.ts"
import { bandFieldCount, type BucketHistory, type ReadStore } from "../store/store.ts"
import type { CycleCells } from "./cycle-cells.ts"
import type { Rows } from "./rows.ts"
import type { ElementRows } from "./element-states.ts"

export interface ElementViewDeps {
  readonly store: Pick<ReadStore, "bucketHistory">
  readonly catalogue: Catalogue
  readonly cells: CycleCells
  readonly rows: Rows
}

/** Cycles of an earlier day that one question reads: most policies look back an hour at most. */
const historyChunk = 12

export class ElementView implements ElementCycle {
  readonly metricFqns: readonly string[]
  private readonly deps: ElementViewDeps
  private readonly cycle: number
  private readonly range: ElementRows
  /** Values of computed metrics that are new in this cycle, behind the rows. */
  private readonly added: readonly number[]
  private indexByFqn: Map<string, number> | null = null
  private readonly histories = new Map<number, BucketHistory>()

  constructor(
    world: ElementViewDeps,
    cycle: number,
    where: ElementRows,
    metrics: { readonly fqns: readonly string[]; readonly added: readonly number[] },
  ) {
    this.deps = world
    this.cycle = cycle
    this.range = where
    this.metricFqns = metrics.fqns
    this.added = metrics.added
  }

  indexOf(fqn: string): number {
    this.indexByFqn ??= new Map(this.metricFqns.map((name, place) => [name, place]))
    return this.indexByFqn.get(fqn) ?? -1
  }

  tagsOf(place: number): readonly NameValue[] {
    if (this.isAdded(place)) return []
    const definition = this.deps.catalogue.seriesDefinition(this.seriesAt(place))
    const { tags, serviceTags = [], settings } = definition
    const given = Object.entries(settings?.tags ?? {}).map(([name, value]) => ({ name, value }))
    const winning = new Set([...serviceTags, ...given].map(({ name }) => name))
    return [...serviceTags, ...given, ...tags.filter(({ name }) => !winning.has(name))]
  }

  actual(place: number, back: number): number {
    if (this.isAdded(place)) {
      return back === 0 ? this.added[place - this.rowCount]! : NaN
    }
    if (back === 0) return this.deps.rows.inputs.actual[this.range.from + place]!
    if (this.isToday(back)) {
      const { cells, slot } = this.deps.cells.locate(this.seriesAt(place), this.cycle - back)
      return hasActual(cells, slot) ? cells.actual[slot]! : NaN
    }
    const { history, at } = this.historyAt(place, back)
    return history.actuals[at]!
  }

  baseline(place: number, back: number): Band | null {
    const { baselineMean, baselineStddev } = this.deps.rows.bands
    return this.band(place, back, { mean: baselineMean, stddev: baselineStddev, field: 0 })
  }

  contextual(place: number, back: number): Band | null {
    const { contextualMean, contextualStddev } = this.deps.rows.bands
    return this.band(place, back, { mean: contextualMean, stddev: contextualStddev, field: 2 })
  }

  /** Sparse values count as missing: they were not observed. */
  sudden(place: number, back: number): SuddenDeviation | null {
    if (this.isAdded(place)) return null
    const cycle = this.cycle - back
    const previous = Array.from({ length: suddenChangeValues }, (_, i) =>
      this.observed(place, cycle - suddenChangeValues + i),
    )
    const observed = this.observed(place, cycle)
    const change = suddenChange(previous, observed)
    return change === undefined ? null : { percent: 100 * change.change }
  }

  private band(
    place: number,
    back: number,
    columns: { mean: Float64Array; stddev: Float64Array; field: number },
  ): Band | null {
    if (this.isAdded(place)) return null
    if (back === 0) {
      const row = this.range.from + place
      return bandOf(columns.mean[row]!, columns.stddev[row]!)
    }
    if (this.isToday(back)) {
      const { bands, offset } = this.deps.cells.locateBand(this.seriesAt(place), this.cycle - back)
      return bandOf(bands[offset + columns.field]!, bands[offset + columns.field + 1]!)
    }
    const { history, at } = this.historyAt(place, back)
    const from = at * bandFieldCount + columns.field
    return bandOf(history.bands[from]!, history.bands[from + 1]!)
  }

  /**
   * Of the day of the cycle that closes, cycles are read one by one, for all elements of a part:
   * 25 µs a block, where a question for 12 cycles of one element takes 9 ms. Earlier days may be
   * sealed, and then a single cycle takes as long as all of them.
   */
  private isToday(back: number): boolean {
    return back <= this.cycle % cyclesPerDay
  }

  private observed(place: number, cycle: number): number {
    if (cycle === this.cycle) {
      const row = this.range.from + place
      const { actual, flags } = this.deps.rows.inputs
      return (flags[row]! & inputSparse) !== 0 ? NaN : actual[row]!
    }
    const { cells, slot } = this.deps.cells.locate(this.seriesAt(place), cycle)
    const isObserved = hasActual(cells, slot) && (cells.flags[slot]! & flagGapFill) === 0
    return isObserved ? cells.actual[slot]! : NaN
  }

  /** The chunk of the past that holds a cycle, for all metrics of the element at once. */
  private historyAt(place: number, back: number): { history: BucketHistory; at: number } {
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
    return { history, at: place * history.cycles + offset }
  }

  private get rowCount(): number {
    return this.range.to - this.range.from
  }

  private isAdded(place: number): boolean {
    return place >= this.rowCount
  }

  private seriesAt(place: number): number {
    return this.deps.rows.series[this.range.from + place]!
  }
}

function bandOf(mean: number, stddev: number): Band | null {
  return Number.isNaN(mean) ? null : { mean, stddev }
}
