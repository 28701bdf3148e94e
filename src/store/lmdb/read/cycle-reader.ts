/** Reads for the closing of a cycle: one cycle of many blocks, and some hours of few series. */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { cyclesPerDay, cycleMs } from "../../../model/resolution.ts"
import {
  assertCells,
  clearCells,
  copyCell,
  counterKind,
  isPresent,
  type CellColumns,
} from "../../../rollup/cell.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import { countPresent } from "../../../rollup/encoding/presence-codec.ts"
import { bandFieldCount, historyCyclesMax, type BucketHistory } from "../../cycle-store.ts"
import { bandOfDay, readSlotDay, type BandWorkspace } from "../tiers/bands.ts"
import type { BlockView } from "./block-view.ts"
import { collectValues } from "./bucket-statistics.ts"
import type { BucketValues } from "./bucket-values.ts"
import { readRecentCells } from "../tiers/recent.ts"
import { isCompacted } from "../tiers/compacted-cells.ts"
import type { Tables, SlotIndex, BlockIndex } from "../disk/tables.ts"

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
  return cells.actualKind.includes(counterKind)
}

/** Fills the result of `ReadStore.bucketHistory`, block by block. */
export class HistoryReader {
  readonly result: BucketHistory
  private readonly tables: Tables
  private readonly workspace: BandWorkspace
  private readonly fromCycle: number
  private readonly toCycle: number
  /** Index of each series in the request. */
  private readonly positions: Map<number, number>

  constructor(
    tables: Tables,
    workspace: BandWorkspace,
    question: {
      readonly series: Int32Array
      readonly fromCycle: number
      readonly toCycle: number
    },
  ) {
    const { series, fromCycle, toCycle } = question
    const cycles = toCycle - fromCycle
    assert(cycles >= 0 && cycles <= historyCyclesMax, `Expected 0 to 72 cycles, got ${cycles}`)
    this.tables = tables
    this.workspace = workspace
    this.fromCycle = fromCycle
    this.toCycle = toCycle
    this.positions = new Map(Array.from(series, (one, i) => [one, i]))
    this.result = {
      cycles,
      actuals: new Float64Array(series.length * cycles).fill(NaN),
      bands: new Float32Array(series.length * cycles * bandFieldCount).fill(NaN),
    }
  }

  /** Reads these slots of a block, whose series are `members` by slot. */
  read(view: BlockView, slots: readonly number[], members: Int32Array, values: BucketValues): void {
    const { fromCycle, toCycle } = this
    const span = { startMs: fromCycle * cycleMs, endMs: toCycle * cycleMs }
    const wish = { slots, span, resolution: "PT5M", field: "actual", withTimes: true } as const
    collectValues(view, wish, values)
    for (const slot of slots) {
      values.materialize(slot)
      const first = this.positions.get(members[slot]!)! * this.result.cycles
      const from = slot * values.stride
      for (let at = from; at < from + values.counts[slot]!; at++) {
        const cycle = values.timesMs[at]! / cycleMs
        assert(Number.isSafeInteger(cycle), "Expected buckets on the grid")
        this.result.actuals[first + cycle - fromCycle] = values.values[at]!
      }
      this.readBands(view.block, slot, first)
    }
  }

  private readBands(block: BlockIndex, slot: SlotIndex, first: number): void {
    const { fromCycle, toCycle, workspace, result } = this
    const endDay = Math.ceil(toCycle / cyclesPerDay)
    for (let day = Math.floor(fromCycle / cyclesPerDay); day < endDay; day++) {
      const start = day * cyclesPerDay
      const from = Math.max(0, fromCycle - start)
      const to = Math.min(cyclesPerDay, toCycle - start)
      if (!readSlotDay(this.tables, { day, block, slot }, { from, to }, workspace)) continue
      for (let at = from; at < to; at++) {
        result.bands.set(
          bandOfDay(workspace, at),
          (first + start + at - fromCycle) * bandFieldCount,
        )
      }
    }
  }
}
