/** Reads for the closing of a cycle: one cycle of many blocks, and some hours of few series. */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { cyclesPerDay, cycleMs } from "../../../model/resolution.ts"
import {
  assertCells,
  clearCells,
  copyCell,
  isCounterKind,
  isPresent,
  type CellColumns,
} from "../../../rollup/cell.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import { countPresent } from "../../../rollup/encoding/presence-codec.ts"
import { bandFieldCount } from "../../cycle-store.ts"
import { historyValuesMax, type BucketHistory, type HistoryContents } from "../../query-store.ts"
import { readDayBands, type BandWorkspace } from "../tiers/bands.ts"
import type { BlockView } from "./block-view.ts"
import type { BucketReader } from "./bucket-values.ts"
import { readRecentCells } from "../tiers/recent.ts"
import { isCompacted } from "../tiers/compacted-cells.ts"
import type { BlockIndex, SlotIndex, Tables } from "../disk/tables.ts"

/** Clears the cells of a cycle; returns false, the result for a block without cells. */
export function clearCycleCells(out: CellColumns): false {
  clearCells(out, 0, seriesPerBlock)
  return false
}

/** Reads the cells of one cycle by slot; returns false, and clears `out`, if there are none. */
export function readCycleCells(view: BlockView, cycle: number, out: CellColumns): boolean {
  assert(out.length >= seriesPerBlock, "Expected space for a block")
  const { tables } = view.workspace
  const day = Math.floor(cycle / cyclesPerDay)
  // Recent cells are complete, except counters, whose actual depends on earlier cells.
  if (!isCompacted(tables, day, view.block)) {
    readRecentCells(tables, cycle, view.block, out)
    // A record may hold no cell, if its samples have no observations.
    if (!hasCounters(out)) return countPresent(out, 0, seriesPerBlock) > 0
  }
  const span = { startMs: cycle * cycleMs, endMs: (cycle + 1) * cycleMs }
  const cells = view.cyclesOf(day, span, { columns: cellColumnNames })
  clearCells(out, 0, seriesPerBlock)
  let found = false
  for (let slot = 0; slot < view.slots; slot++) {
    const at = slot * cyclesPerDay + cycle - day * cyclesPerDay
    if (!isPresent(cells, at)) continue
    copyCell(cells, at, out, slot)
    found = true
  }
  assertCells(out, 0, seriesPerBlock)
  return found
}

function hasCounters(cells: CellColumns): boolean {
  return cells.actualKind.some(isCounterKind)
}

interface HistoryRequest extends HistoryContents {
  readonly series: Int32Array
  readonly fromCycle: number
  readonly toCycle: number
}

/** Some cycles `[from, to)` of one day, in numbers of all cycles. */
interface DayCycles {
  readonly day: number
  readonly from: number
  readonly to: number
}

/** Fills the result of `ReadStore.bucketHistory`, block by block and day by day. */
export class HistoryReader {
  readonly result: BucketHistory
  private readonly tables: Tables
  private readonly workspace: BandWorkspace
  private readonly request: HistoryRequest
  /** Index of each series in the request. */
  private readonly positions: Map<number, number>

  constructor(tables: Tables, workspace: BandWorkspace, request: HistoryRequest) {
    const { series, fromCycle, toCycle, withBands } = request
    const cycles = toCycle - fromCycle
    const length = series.length * cycles
    assert(cycles >= 0, `Expected an end after the start, got ${cycles} cycles`)
    assert(length <= historyValuesMax, `Expected a history of fewer than ${length} values`)
    this.tables = tables
    this.workspace = workspace
    this.request = request
    this.positions = new Map(Array.from(series, (one, i) => [one, i]))
    this.result = {
      cycles,
      actuals: new Float64Array(length).fill(NaN),
      bands: new Float32Array(withBands ? length * bandFieldCount : 0).fill(NaN),
    }
  }

  /** Reads these slots of a block, whose series are `members` by slot. */
  read(
    view: BlockView,
    slots: readonly number[],
    members: Int32Array,
    buckets: BucketReader,
  ): void {
    const { fromCycle, toCycle, withBands } = this.request
    const firstOf = (slot: SlotIndex) => this.positions.get(members[slot]!)! * this.result.cycles
    const firsts = slots.map(firstOf)
    const endDay = Math.ceil(toCycle / cyclesPerDay)
    // A day at a time: the columns of a day of a block take 1.2 MB, whatever the history's length.
    for (let day = Math.floor(fromCycle / cyclesPerDay); day < endDay; day++) {
      const from = Math.max(fromCycle, day * cyclesPerDay)
      const to = Math.min(toCycle, (day + 1) * cyclesPerDay)
      this.readActuals(view, { slots, firstOf, buckets }, { day, from, to })
      if (withBands) this.readBands(view.block, { slots, firsts }, { day, from, to })
    }
  }

  private readActuals(
    view: BlockView,
    {
      slots,
      firstOf,
      buckets,
    }: {
      readonly slots: readonly number[]
      /** Returns the index of the first value of a slot in the result. */
      readonly firstOf: (slot: SlotIndex) => number
      readonly buckets: BucketReader
    },
    { from, to }: DayCycles,
  ): void {
    const { fromCycle, withGapFills } = this.request
    const { actuals } = this.result
    const span = { startMs: from * cycleMs, endMs: to * cycleMs }
    const field = withGapFills ? "actual" : "observed"
    const wanted = { slots, span, resolution: "PT5M", field, withTimes: true } as const
    buckets.read(view, wanted, (slot, found) => {
      found.materialize()
      const first = firstOf(slot) - fromCycle
      for (let at = 0; at < found.count; at++) {
        const cycle = found.timesMs[at]! / cycleMs
        assert(Number.isSafeInteger(cycle), "Expected buckets on the grid")
        actuals[first + cycle] = found.values[at]!
      }
    })
  }

  private readBands(
    block: BlockIndex,
    { slots, firsts }: { readonly slots: readonly number[]; readonly firsts: readonly number[] },
    { day, from, to }: DayCycles,
  ): void {
    const { fromCycle } = this.request
    const { bands } = this.result
    const start = day * cyclesPerDay
    const cycles = { from: from - start, to: to - start }
    readDayBands(this.tables, { day, block, slots }, cycles, this.workspace, (i, cycle, band) => {
      const first = (firsts[i]! + start + cycle - fromCycle) * bandFieldCount
      for (let field = 0; field < bandFieldCount; field++) {
        bands[first + field] = band.values[band.at + field * band.step]!
      }
    })
  }
}
