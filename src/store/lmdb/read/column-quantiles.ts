/**
 * Percentiles of columns of which retention has dropped raw samples. A column is the union of the
 * largest whole buckets in it:
 *
 *   column   ├────┼─────────────────────┼──┼──┤
 *   parts     hour         day           PT5M
 *
 * A day or an hour of more than `exactBucketSamplesMax` observations has a digest. Of fewer, their
 * PT5M cells know each observation if a cell has at most two, its least and its greatest, or if all
 * are equal. A column with other observations has no percentiles, as their error is unknown.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { MergedQuantiles } from "../../../digest/merged-quantiles.ts"
import { cycleMs, cyclesPerDay, dayMs, hourMs } from "../../../model/resolution.ts"
import { spanIntersection, type Span } from "../../../model/span.ts"
import { CellColumns } from "../../../rollup/cell.ts"
import { quantilesOfWeighted } from "../../../rollup/weighted-values.ts"
import { Contributions } from "../../../rollup/contribution.ts"
import type { ColumnQuantilesRequest } from "../../query-store.ts"
import type { RetentionWatermarks } from "../disk/retention-watermarks.ts"
import { periodKey, type SlotIndex } from "../disk/tables.ts"
import { readCoarse, type CoarseDigests } from "../encoding/coarse-record.ts"
import { hoursPerDay } from "../tiers/coarse-cells.ts"
import type { BlockView } from "./block-view.ts"
import { rawPiecesOfDay } from "./raw-pieces.ts"
import { SlotPopulation } from "./slot-population.ts"

interface BlockColumns extends Omit<ColumnQuantilesRequest, "series"> {
  /** Requested slots of the block, ascending. */
  readonly slots: readonly number[]
  readonly watermarks: RetentionWatermarks
}

type SlotConsumer = (slot: SlotIndex, column: number, quantiles: Float64Array) => void

/** Calls `consume` for each slot and column of which raw samples are dropped and others are kept. */
export function columnQuantiles(view: BlockView, query: BlockColumns, consume: SlotConsumer): void {
  const { startMs, stepMs, count, watermarks } = query
  const reader = new ColumnReader(view, query)
  for (let column = 0; column < count; column++) {
    const span = { startMs: startMs + column * stepMs, endMs: startMs + (column + 1) * stepMs }
    if (span.startMs >= watermarks.ZERO * dayMs) return
    reader.read(span)
    reader.consume((slot, quantiles) => consume(slot, column, quantiles))
  }
}

/** The observations of one slot in one column. */
class Observed {
  readonly union = new MergedQuantiles()
  readonly values: SlotPopulation
  /** False if it has observations whose values are unknown. */
  isKnown = true

  constructor(contributions: Contributions) {
    this.values = new SlotPopulation(contributions)
  }

  reset(): void {
    this.union.reset()
    this.values.reset()
    this.isKnown = true
  }
}

/** Cells and digests of a day, at slot · buckets + bucket. */
interface CoarseBuckets {
  readonly cells: CellColumns
  readonly digests: CoarseDigests
}

/** The records of one day of a block, each read when it is needed first. */
class StoredDay {
  readonly day: number
  private readonly view: BlockView
  private readonly ownHours = new CellColumns(seriesPerBlock * hoursPerDay)
  private foundHours: CoarseBuckets | null | undefined
  private foundCycles: CellColumns | undefined

  constructor(view: BlockView, day: number) {
    this.view = view
    this.day = day
  }

  /** The whole day; null if it has no record. */
  whole(): CoarseBuckets | null {
    const key = periodKey(this.day, this.view.block)
    const bytes = this.view.workspace.tables.days.get(key)
    if (bytes === undefined) return null
    const cells = new CellColumns(seriesPerBlock)
    return { cells, digests: readCoarse(key, bytes, 1, cells).digests }
  }

  hours(): CoarseBuckets | null {
    if (this.foundHours !== undefined) return this.foundHours
    const key = periodKey(this.day, this.view.block)
    const bytes = this.view.workspace.tables.hours.get(key)
    const cells = this.ownHours
    this.foundHours =
      bytes === undefined
        ? null
        : { cells, digests: readCoarse(key, bytes, hoursPerDay, cells).digests }
    return this.foundHours
  }

  /** PT5M cells, in memory that the next day overwrites. */
  cycles(): CellColumns {
    const startMs = this.day * dayMs
    const span = { startMs, endMs: startMs + dayMs }
    this.foundCycles ??= this.view.cyclesOf(this.day, span, { columns: ["min", "max"] })
    return this.foundCycles
  }
}

class ColumnReader {
  private readonly view: BlockView
  private readonly query: BlockColumns
  private readonly observed = new Map<SlotIndex, Observed>()
  private readonly quantiles: Float64Array
  private stored: StoredDay | null = null

  constructor(view: BlockView, query: BlockColumns) {
    this.view = view
    this.query = query
    this.quantiles = new Float64Array(query.fractions.length)
    const contributions = new Contributions()
    for (const slot of query.slots) this.observed.set(slot, new Observed(contributions))
  }

  /** Collects the observations of one column. */
  read(span: Span): void {
    const { ZERO } = this.query.watermarks
    for (const observed of this.observed.values()) observed.reset()
    const endDay = Math.ceil(span.endMs / dayMs)
    for (let day = Math.floor(span.startMs / dayMs); day < endDay; day++) {
      if (this.view.isEmpty(day)) continue
      const part = spanIntersection(span, { startMs: day * dayMs, endMs: (day + 1) * dayMs })
      if (day >= ZERO) this.readRaw(day, part)
      else this.readDropped(day, part)
    }
  }

  consume(take: (slot: SlotIndex, quantiles: Float64Array) => void): void {
    const { fractions } = this.query
    for (const [slot, { union, values, isKnown }] of this.observed) {
      if (!isKnown || union.count + values.count === 0) continue
      if (union.count === 0) {
        const all = values.observations(0)
        this.quantiles.set(quantilesOfWeighted(all, Array.from(fractions)))
      } else {
        values.addTo(union)
        union.quantiles(fractions, this.quantiles)
      }
      take(slot, this.quantiles)
    }
  }

  private readRaw(day: number, span: Span): void {
    for (const piece of rawPiecesOfDay(day, span)) {
      if (piece.kind !== "raw") continue
      const raw = this.view.rawOf(piece.window)
      if (raw === null) continue
      for (const [slot, { values }] of this.observed) {
        const end = raw.slotTo(slot)
        const from = raw.lowerBound(piece.span.startMs, raw.slotFrom(slot), end)
        values.add(raw, from, raw.lowerBound(piece.span.endMs, from, end), false)
      }
    }
  }

  private readDropped(day: number, span: Span): void {
    if (this.stored?.day !== day) this.stored = new StoredDay(this.view, day)
    const { stored } = this
    const isWhole = span.endMs - span.startMs === dayMs
    const found = isWhole ? stored.whole() : null
    for (const [slot, observed] of this.observed) {
      if (found?.digests.has(slot)) found.digests.readInto(observed.union, slot)
      else if (found === null || found.cells.count[slot]! > 0) {
        readHours(stored, slot, span, this.finestOf(day), observed)
      }
    }
  }

  private finestOf(day: number): "PT5M" | "PT1H" {
    return day >= this.query.watermarks.PT5M ? "PT5M" : "PT1H"
  }
}

/** Adds the hours and parts of hours of a span within a day. */
function readHours(
  stored: StoredDay,
  slot: SlotIndex,
  { startMs, endMs }: Span,
  finest: "PT5M" | "PT1H",
  observed: Observed,
): void {
  const dayStartMs = stored.day * dayMs
  const hours = stored.hours()
  for (let fromMs = startMs; fromMs < endMs;) {
    const hour = Math.floor((fromMs - dayStartMs) / hourMs)
    const hourEndMs = dayStartMs + (hour + 1) * hourMs
    const part = { startMs: fromMs, endMs: Math.min(endMs, hourEndMs) }
    const isWhole = part.endMs - part.startMs === hourMs
    const at = slot * hoursPerDay + hour
    fromMs = part.endMs
    if (isWhole && hours !== null && hours.digests.has(at)) {
      hours.digests.readInto(observed.union, at)
    } else if (finest === "PT5M") readCycles(stored, slot, part, observed)
    else if (hours !== null && hours.cells.count[at]! > 0) {
      addCell(hours.cells, at, { isWhole }, observed)
    }
  }
}

function readCycles(stored: StoredDay, slot: SlotIndex, span: Span, observed: Observed): void {
  const dayStartMs = stored.day * dayMs
  const cells = stored.cycles()
  const from = Math.floor((span.startMs - dayStartMs) / cycleMs)
  const to = Math.ceil((span.endMs - dayStartMs) / cycleMs)
  assert(from >= 0 && to <= cyclesPerDay, "Expected cycles of the day")
  for (let cycle = from; cycle < to; cycle++) {
    const at = slot * cyclesPerDay + cycle
    const startMs = dayStartMs + cycle * cycleMs
    const isWhole = span.startMs <= startMs && startMs + cycleMs <= span.endMs
    if (cells.count[at]! > 0) addCell(cells, at, { isWhole }, observed)
  }
}

/** Adds the observations of a cell if its least and its greatest are all of them. */
function addCell(
  cells: CellColumns,
  at: number,
  { isWhole }: { readonly isWhole: boolean },
  observed: Observed,
): void {
  const [count, min, max] = [cells.count[at]!, cells.min[at]!, cells.max[at]!]
  if (!isWhole || (min !== max && count !== 2)) observed.isKnown = false
  else if (min === max) observed.values.addValue(min, count)
  else {
    observed.values.addValue(min, 1)
    observed.values.addValue(max, 1)
  }
}
