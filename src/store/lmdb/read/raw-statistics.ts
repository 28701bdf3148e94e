/**
 * Statistics of the raw samples of one block's slots (spec/statistics §2). Count, sum, min, max,
 * average and standard deviation are exact. Percentiles are exact up to `exactSamplesMax` samples,
 * else they come from the digests of compacted days and the samples of the rest.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { exactSamplesMax } from "../../../base/limits/queries.ts"
import type { Span } from "../../../model/span.ts"
import type { Statistics } from "../../../model/statistics.ts"
import { assertCells, CellColumns, copyCell } from "../../../rollup/cell.ts"
import { mergeCells } from "../../../rollup/merge.ts"
import {
  statisticsFromQuantiles,
  statisticsOfObservations,
  type Observations,
} from "../../../rollup/weighted-values.ts"
import { percentiles, type Totals } from "../../../rollup/statistics.ts"
import type { BlockView } from "./block-view.ts"
import { rawToCell } from "../tiers/raw-to-cell.ts"
import { averages } from "../tiers/compacted-day.ts"
import { readCoarse, type CoarseRecord } from "../encoding/coarse-record.ts"
import type { RawStatisticsWorkspace } from "./raw-statistics-workspace.ts"
import { periodKey, type SlotIndex } from "../disk/tables.ts"
import { piecesOf, rawPiecesOfDay, type Piece } from "./raw-pieces.ts"

export interface RawQuery {
  readonly slots: readonly number[]
  readonly span: Span
  /** True if percentiles must be exact for any number of samples. */
  readonly exact: boolean
  readonly withValues: boolean
  readonly withObservations: boolean
}

export interface RawAnswer {
  readonly slot: SlotIndex
  readonly statistics: Statistics
  readonly values?: Float64Array
  readonly timesMs?: Float64Array
  readonly observations?: Observations
}

/** Returns the statistics of the slots that have an observation in the span. */
export function rawStatistics(view: BlockView, query: RawQuery): RawAnswer[] {
  return new RawStatisticsReader(view, query).answers()
}

/** Reads one query of one block, piece by piece. */
class RawStatisticsReader {
  private readonly view: BlockView
  private readonly workspace: RawStatisticsWorkspace
  private readonly query: RawQuery
  private readonly pieces: readonly Piece[]
  /** Cells of the pieces at slot · pieces + piece. */
  private readonly cells: CellColumns
  private readonly days = new Map<number, CoarseRecord>()
  /** Number of raw samples of a slot in the span. */
  private readonly samples = new Int32Array(seriesPerBlock)

  constructor(view: BlockView, question: RawQuery) {
    this.view = view
    this.workspace = view.workspace.rawStatistics
    this.query = question
    const { exact, withValues, withObservations } = question
    this.pieces = piecesOf(view, question.span, exact || withValues || withObservations)
    this.cells = new CellColumns(view.slots * this.pieces.length)
  }

  answers(): RawAnswer[] {
    for (const slot of this.query.slots) this.workspace.populations[slot]!.reset()
    for (const [index, piece] of this.pieces.entries()) {
      if (piece.kind === "day") this.readDay(piece.day, index)
      else this.readRaw(piece, index, this.query.slots)
    }
    this.readRawOfSmallDays()
    return this.query.slots.flatMap((slot) => this.answer(slot) ?? [])
  }

  private readDay(day: number, index: number): void {
    const key = periodKey(day, this.view.block)
    const bytes = this.view.workspace.tables.days.get(key)
    if (bytes === undefined) return
    const dayCells = new CellColumns(seriesPerBlock)
    const record = readCoarse(key, bytes, 1, dayCells)
    assertCells(dayCells, 0, seriesPerBlock)
    assert(record.samples.length <= seriesPerBlock, "Expected at most one count per slot")
    this.days.set(day, record)
    for (const slot of this.query.slots) {
      copyCell(dayCells, slot, this.cells, slot * this.pieces.length + index)
      this.samples[slot]! += record.samples[slot] ?? 0
    }
  }

  /** Reads the samples of the slots, and their cells if `index` is not negative. */
  private readRaw(piece: Piece & { kind: "raw" }, index: number, slots: readonly number[]): void {
    const { contributions } = this.workspace
    const raw = this.view.rawOf(piece.window)
    if (raw === null) return
    for (const slot of slots) {
      const end = raw.slotTo(slot)
      const from = raw.lowerBound(piece.span.startMs, raw.slotFrom(slot), end)
      const to = raw.lowerBound(piece.span.endMs, from, end)
      assert(from <= to && to <= end, "Expected samples in order of time")
      if (from === to) continue
      this.workspace.populations[slot]!.add(raw, from, to, this.query.withValues)
      if (index < 0) continue
      this.samples[slot]! += to - from
      rawToCell(raw, { from, to }, this.cells, slot * this.pieces.length + index, contributions)
    }
  }

  /** Reads the samples of compacted days without a usable digest: few in the span or in the day. */
  private readRawOfSmallDays(): void {
    for (const [day, record] of this.days) {
      const wanted = this.query.slots.filter(
        (slot) =>
          (record.samples[slot] ?? 0) > 0 && (this.isExact(slot) || !record.digests.has(slot)),
      )
      const slots = this.readSamplesOfCells(day, wanted)
      if (slots.length === 0) continue
      for (const piece of rawPiecesOfDay(day, this.query.span)) {
        if (piece.kind === "raw") this.readRaw(piece, -1, slots)
      }
    }
  }

  /**
   * Reads the samples of slots that have one in each cycle: their PT5M cells hold the same values,
   * without times. Returns the other slots.
   */
  private readSamplesOfCells(day: number, slots: readonly number[]): readonly number[] {
    const { tables, compactedDay } = this.view.workspace
    this.view.checkBudget()
    const where = { day, block: this.view.block }
    if (slots.length === 0 || !compactedDay.open(tables, where, [])) return slots
    if (!slots.some((slot) => compactedDay.uniformCount(slot) === 1)) return slots
    compactedDay.openMore(tables, where, ["actual", "min", "max"])
    return slots.filter((slot) => {
      if (!compactedDay.readSamples(slot)) return true
      this.workspace.populations[slot]!.addRationals(averages)
      return false
    })
  }

  private isExact(slot: SlotIndex): boolean {
    return this.days.size === 0 || this.samples[slot]! <= exactSamplesMax
  }

  private answer(slot: SlotIndex): RawAnswer | null {
    this.view.checkBudget()
    const { merged, merge, statistics: workspace } = this.workspace
    const from = slot * this.pieces.length
    mergeCells(this.cells, from, from + this.pieces.length, merged, 0, merge)
    if (!(merged.count[0]! > 0)) return null
    const population = this.workspace.populations[slot]!
    const totals = totalsOf(merged)
    const statistics = this.isExact(slot)
      ? statisticsOfObservations(population, population.count, totals, workspace)
      : this.fromDigests(slot, totals)
    const { withValues, withObservations } = this.query
    return {
      slot,
      statistics,
      ...(withValues && population.shownValues()),
      ...(withObservations && { observations: population.observations(totals.m2) }),
    }
  }

  private fromDigests(slot: SlotIndex, totals: Totals): Statistics {
    const { union, quantiles } = this.workspace
    union.reset()
    this.workspace.populations[slot]!.addTo(union)
    for (const record of this.days.values()) record.digests.readInto(union, slot)
    union.quantiles(percentiles, quantiles)
    return statisticsFromQuantiles(quantiles, totals)
  }
}

function totalsOf(cell: CellColumns): Totals {
  return {
    count: cell.count[0]!,
    sum: cell.sum[0]!,
    m2: cell.m2[0]!,
    min: cell.min[0]!,
    max: cell.max[0]!,
  }
}
