/**
 * Last seen: the newest time at which series had data. Searches from the newest day to the oldest
 * and drops each series from the search when it is found. Most series always have data, so a query
 * over a month is in most cases answered by the record of the newest cycle.
 *
 *   a day, newest cycle first    recent records, cycle by cycle
 *   its compacted part           the presence of the day decides whether to search it; then its
 *                                hours; then the presence of its cycles, for the missing series
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { largestOf } from "../../../base/iterables.ts"
import type { Catalogue } from "../../../catalogue/catalogue.ts"
import {
  cyclesPerDay,
  cycleMs,
  dayMs,
  hourMs,
  type BucketResolution,
} from "../../../model/resolution.ts"
import { runEnd } from "../../../model/sample-batch.ts"
import type { Span } from "../../../model/span.ts"
import { type CellColumns, clearPresence, isPresent } from "../../../rollup/cell.ts"
import { isObserved } from "../../../rollup/contribution.ts"
import type { UnflushedSamples } from "../../append-store.ts"
import type { LastSeenRequest } from "../../query-store.ts"
import { BlockView } from "./block-view.ts"
import type { ReaderWorkspace } from "./reader-workspace.ts"
import { cellsOfDay } from "./bucket-cells.ts"
import { cyclesPerHour, hoursPerDay } from "../tiers/coarse-cells.ts"
import { readCoarsePresence } from "../encoding/coarse-record.ts"
import { readWatermarks, type RetentionWatermarks } from "../disk/retention-watermarks.ts"
import { findRecentCells } from "../tiers/recent.ts"
import { isCompacted, readDayCells } from "../tiers/compacted-cells.ts"
import { periodKey, type SlotIndex, type BlockIndex } from "../disk/tables.ts"

type Found = (slot: SlotIndex, timeMs: number) => void

/** A range `[from, to)` of cycles since the epoch or of a day, or of other buckets. */
interface Range {
  readonly from: number
  readonly to: number
}

/** Returns the stored time of each requested series, in order; NaN if there is none. */
export function lastSeen(
  workspace: ReaderWorkspace,
  catalogue: Catalogue,
  { series, span, onlyWhether }: LastSeenRequest,
): Float64Array {
  const seenMs = new Float64Array(series.length).fill(NaN)
  const search = new LastSeenSearch(workspace, { span, onlyWhether })
  const positionOfSlot = new Int32Array(seriesPerBlock)
  for (const [block, places] of positionsByBlock(series, catalogue)) {
    const slots = places.map((index) => catalogue.indexInPartition(series[index]!))
    slots.forEach((slot, i) => (positionOfSlot[slot] = places[i]!))
    search.block(block, slots, (slot, timeMs) => {
      seenMs[positionOfSlot[slot]!] = timeMs
    })
  }
  return seenMs
}

/** Returns the indexes in `series` of the series of each block. */
function positionsByBlock(series: Int32Array, catalogue: Catalogue): Map<number, number[]> {
  const byBlock = new Map<number, number[]>()
  for (let index = 0; index < series.length; index++) {
    if (!catalogue.isKnownSeries(series[index]!)) continue
    const block = catalogue.partitionOf(series[index]!)
    const places = byBlock.get(block)
    if (places === undefined) byBlock.set(block, [index])
    else places.push(index)
  }
  return byBlock
}

/** Searches blocks for values, one after the other. */
export class LastSeenSearch {
  private readonly workspace: ReaderWorkspace
  private readonly cycles: Range
  private readonly onlyWhether: boolean
  private readonly horizons: RetentionWatermarks
  private missing: number[] = []
  private found: Found = () => {}
  private current = { block: 0, slots: 0 }

  constructor(
    workspace: ReaderWorkspace,
    question: { readonly span: Span; readonly onlyWhether: boolean },
    horizons: RetentionWatermarks = readWatermarks(workspace.tables),
  ) {
    const { startMs, endMs } = question.span
    this.workspace = workspace
    this.cycles = { from: Math.floor(startMs / cycleMs), to: Math.ceil(endMs / cycleMs) }
    this.onlyWhether = question.onlyWhether
    this.horizons = horizons
  }

  /** Calls `found` once for each requested slot that has data. */
  block(block: BlockIndex, slots: readonly SlotIndex[], found: Found): void {
    this.missing = [...slots]
    this.found = found
    this.current = { block, slots: Math.max(0, largestOf(slots)) + 1 }
    assert(this.current.slots <= seriesPerBlock, "Expected slots of a block")
    if (this.cycles.from >= this.cycles.to) return
    const { PT5M, PT1H, PT24H } = this.horizons
    const firstDay = Math.max(
      Math.floor(this.cycles.from / cyclesPerDay),
      Math.min(PT5M, PT1H, PT24H),
    )
    for (let day = Math.floor((this.cycles.to - 1) / cyclesPerDay); day >= firstDay; day--) {
      if (this.missing.length === 0) return
      this.searchDay(day)
    }
  }

  private searchDay(day: number): void {
    this.workspace.budget.check()
    const { PT5M, PT1H, PT24H } = this.horizons
    if (day < PT5M) {
      if (day >= PT1H) this.searchCoarse(day, "PT1H")
      else if (day >= PT24H) this.searchCoarse(day, "PT24H")
      return
    }
    // Recent cells are newer than compacted ones, except for late samples, whose cycle may not be
    // the newest of the day: both tiers of such a day are searched together.
    const { tables } = this.workspace
    const { block } = this.current
    const isDayCompacted = isCompacted(tables, day, block)
    const hasRecent = tables.openDays.doesExist(periodKey(day, block))
    if (isDayCompacted && hasRecent && !this.onlyWhether) return this.searchBoth(day)
    if (hasRecent) this.searchRecent(day)
    if (isDayCompacted) this.searchCompacted(day)
  }

  /** Returns the requested cycles of a day, counted from its start. */
  private cyclesOf(day: number): Range {
    const start = day * cyclesPerDay
    return {
      from: Math.max(0, this.cycles.from - start),
      to: Math.min(cyclesPerDay, this.cycles.to - start),
    }
  }

  private searchRecent(day: number): void {
    const { tables, recentCells } = this.workspace
    const { from, to } = this.cyclesOf(day)
    for (let cycle = to - 1; cycle >= from && this.missing.length > 0; cycle--) {
      const absolute = day * cyclesPerDay + cycle
      if (!findRecentCells(tables, absolute, this.current.block, recentCells)) continue
      this.resolve((slot) => (isPresent(recentCells, slot) ? absolute * cycleMs : NaN))
    }
  }

  private searchCompacted(day: number): void {
    const { from, to } = this.cyclesOf(day)
    if (!this.isAnyPresent(day, { whole: from === 0 && to === cyclesPerDay })) return
    if (this.onlyWhether) this.searchHours(day, { from, to })
    if (this.missing.length > 0) this.searchCells(day, { from, to })
  }

  /** Returns false if the cycles need no search: no missing series, or a whole day is resolved. */
  private isAnyPresent(day: number, { whole }: { whole: boolean }): boolean {
    if (!this.readCoarse(day, "days")) return true
    const { coarseCells } = this.workspace
    if (this.onlyWhether && whole) {
      this.resolve((slot) => (isPresent(coarseCells, slot) ? day * dayMs : NaN))
      return false
    }
    return this.missing.some((slot) => isPresent(coarseCells, slot))
  }

  /** Searches the whole hours of a range; sufficient for `onlyWhether`. */
  private searchHours(day: number, { from, to }: Range): void {
    const first = Math.ceil(from / cyclesPerHour)
    const end = Math.floor(to / cyclesPerHour)
    if (first >= end || !this.readCoarse(day, "hours")) return
    const { coarseCells } = this.workspace
    this.resolve((slot) => {
      const hour = lastPresent(coarseCells, { from: first, to: end }, slot * hoursPerDay)
      return hour < 0 ? NaN : day * dayMs + hour * hourMs
    })
  }

  private searchCells(day: number, range: Range): void {
    const { tables, dayCells } = this.workspace
    const { block, slots } = this.current
    const only = this.missing.length === 1 ? { onlySlot: this.missing[0]! } : {}
    const columns = [] as const
    if (!readDayCells(tables, { day, block }, dayCells, { columns, slots, ...only })) return
    this.resolveCycles(day, range, dayCells)
  }

  /** Searches a compacted day with late samples: both tiers merged. */
  private searchBoth(day: number): void {
    const { block, slots } = this.current
    const span = { startMs: day * dayMs, endMs: (day + 1) * dayMs }
    const view = new BlockView(this.workspace, { block, slots }, null)
    this.resolveCycles(day, this.cyclesOf(day), view.cyclesOf(day, span, { columns: [] }))
  }

  private resolveCycles(day: number, range: Range, cells: CellColumns): void {
    this.resolve((slot) => {
      const cycle = lastPresent(cells, range, slot * cyclesPerDay)
      return cycle < 0 ? NaN : day * dayMs + cycle * cycleMs
    })
  }

  /** Searches a day whose PT5M values are dropped: the buckets that the span touches. */
  private searchCoarse(day: number, resolution: Exclude<BucketResolution, "PT5M">): void {
    const { block, slots } = this.current
    const view = new BlockView(this.workspace, { block, slots }, null)
    const span = { startMs: day * dayMs, endMs: (day + 1) * dayMs }
    const question = { slots: this.missing, span, resolution, columns: [] }
    const cells = cellsOfDay(view, day, question)
    if (cells === null) return
    const { from, to } = this.cyclesOf(day)
    const perDay = resolution === "PT1H" ? hoursPerDay : 1
    const cyclesEach = cyclesPerDay / perDay
    const range = { from: Math.floor(from / cyclesEach), to: Math.ceil(to / cyclesEach) }
    this.resolve((slot) => {
      const bucket = lastPresent(cells, range, slot * perDay)
      return bucket < 0 ? NaN : day * dayMs + bucket * (dayMs / perDay)
    })
  }

  private readCoarse(day: number, table: "hours" | "days"): boolean {
    const { tables, coarseCells } = this.workspace
    const key = periodKey(day, this.current.block)
    const bytes = tables[table].view(key)
    if (bytes === undefined) return false
    const buckets = table === "hours" ? hoursPerDay : 1
    clearPresence(coarseCells, 0, seriesPerBlock * buckets)
    readCoarsePresence(key, bytes, buckets, coarseCells)
    return true
  }

  /** Reports the missing slots for which `timeOf` returns a time, and removes them. */
  private resolve(timeOf: (slot: SlotIndex) => number): void {
    this.missing = this.missing.filter((slot) => {
      const timeMs = timeOf(slot)
      if (Number.isNaN(timeMs)) return true
      this.found(slot, timeMs)
      return false
    })
  }
}

/** Returns the last present cell of a range that begins at `start`, or -1. */
function lastPresent(cells: CellColumns, { from, to }: Range, start: number): number {
  for (let at = to - 1; at >= from; at--) if (isPresent(cells, start + at)) return at
  return -1
}

/** Adds unflushed samples to the stored times. */
export function withUnflushed(
  seenMs: Float64Array,
  { series, span }: LastSeenRequest,
  open: UnflushedSamples | null,
): Float64Array {
  const openMs = newestUnflushed(open, span)
  if (openMs.size === 0) return seenMs
  for (let i = 0; i < series.length; i++) {
    const ms = openMs.get(series[i]!)
    // Also if the stored time is NaN, with which every comparison is false.
    if (ms !== undefined && !(seenMs[i]! >= ms)) seenMs[i] = ms
  }
  return seenMs
}

/** Returns the start of the newest cycle with unflushed samples, by series. */
function newestUnflushed(
  open: UnflushedSamples | null,
  { startMs, endMs }: Span,
): Map<number, number> {
  const cycles = { from: Math.floor(startMs / cycleMs), to: Math.ceil(endMs / cycleMs) }
  const newest = new Map<number, number>()
  if (open === null) return newest
  for (let run = 0; run < open.runCount; run++) {
    const cycle = Math.floor(open.runTimesMs[run]! / cycleMs)
    if (cycle < cycles.from || cycle >= cycles.to) continue
    for (let at = open.runStarts[run]!; at < runEnd(open, run); at++) {
      const series = open.series[at]!
      if (!isObserved(open, at)) continue
      newest.set(series, Math.max(newest.get(series) ?? -Infinity, cycle * cycleMs))
    }
  }
  return newest
}
