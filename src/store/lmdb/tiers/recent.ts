/**
 * Recent records: the flushed cycles that are not yet compacted.
 *
 * For each cycle and block, one record holds the raw samples and one the cells of the slots that
 * have any. If the day was compacted before, recent records hold the complete cycle for the slots
 * that late samples changed: in both records a recent slot replaces the compacted one.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { cyclesPerDay, cycleMs } from "../../../model/resolution.ts"
import { CellColumns, clearCells } from "../../../rollup/cell.ts"
import { decodePlainCells, encodePlainCells } from "../encoding/plain-cells.ts"
import { decodeRecentRaw, encodeRecentRaw } from "../encoding/raw-codec.ts"
import type { SampleRun } from "../encoding/sample-run.ts"
import { encodeRecord, openRecord } from "../disk/record.ts"
import type { Table } from "../disk/table.ts"
import { periodKey, type Tables, type BlockIndex } from "../disk/tables.ts"

/**
 * Reads the raw samples of a cycle into `raw`. Returns false, with no slots, if there are none.
 */
export function readRecentRaw(
  tables: Tables,
  cycle: number,
  block: BlockIndex,
  raw: SampleRun,
): boolean {
  const key = periodKey(cycle, block)
  const bytes = tables.recentRaw.view(key)
  if (bytes === undefined) {
    raw.reset()
    return false
  }
  decodeRecentRaw(openRecord(key, bytes), raw, cycle * cycleMs)
  assert(isWithin(raw, cycle), "Expected samples of the cycle")
  return true
}

/** Encodes the record, for `key`, of the raw samples of `cycle`. */
export function packRecentRaw(key: Buffer, raw: SampleRun, cycle: number): Uint8Array {
  assert(isWithin(raw, cycle), "Expected samples of the cycle")
  return encodeRecord(key, (writer) => encodeRecentRaw(writer, raw, cycle * cycleMs))
}

/**
 * Reads the cells of a cycle, one a slot, into `cells`. Returns false, with all cells empty, if
 * there are none.
 */
export function readRecentCells(
  tables: Tables,
  cycle: number,
  block: BlockIndex,
  cells: CellColumns,
): boolean {
  if (findRecentCells(tables, cycle, block, cells)) return true
  clearCells(cells, 0, cells.length)
  return false
}

/** The same, but leaves the cells as they are if there are none. */
export function findRecentCells(
  tables: Tables,
  cycle: number,
  block: BlockIndex,
  cells: CellColumns,
): boolean {
  const slots = readRecentSlots(tables, cycle, block, cells)
  if (slots < 0) return false
  clearCells(cells, slots, cells.length)
  return true
}

/**
 * Reads the cells of a cycle into the first cells of `cells`, and leaves the others as they are.
 * Returns the number of slots read; -1 if there is no record.
 */
export function readRecentSlots(
  tables: Tables,
  cycle: number,
  block: BlockIndex,
  cells: CellColumns,
): number {
  assert(cells.length === seriesPerBlock, "Expected space for the cells of one cycle")
  const key = periodKey(cycle, block)
  const bytes = tables.recentCells.view(key)
  return bytes === undefined ? -1 : decodePlainCells(openRecord(key, bytes), cells)
}

/**
 * Encodes the record of `cells`, one a slot, without the absent ones; all are absent from `end` on.
 */
export function packRecentCells(key: Buffer, cells: CellColumns, end = seriesPerBlock): Uint8Array {
  assert(cells.length === seriesPerBlock, "Expected the cells of one cycle")
  return encodeRecord(key, (writer) => encodePlainCells(writer, cells, end))
}

/** Bytes of a record by the cycle, a number since the epoch, ascending. */
export type RecentCycles = ReadonlyMap<number, number>

/** The recent records of a day, by content. */
export interface RecentDay {
  readonly raw: RecentCycles
  readonly cells: RecentCycles
  readonly bands: RecentCycles
}

/** Finds the recent records of a block's day. A day with any has a marker in `openDays`. */
export function recentDay(tables: Tables, day: number, block: BlockIndex): RecentDay {
  const hasAny = tables.openDays.doesExist(periodKey(day, block))
  const first = day * cyclesPerDay
  const cyclesIn = (table: Table): RecentCycles => {
    const cycles = new Map<number, number>()
    if (!hasAny) return cycles
    for (let cycle = first; cycle < first + cyclesPerDay; cycle++) {
      const bytes = table.size(periodKey(cycle, block))
      if (bytes !== undefined) cycles.set(cycle, bytes)
    }
    return cycles
  }
  return {
    raw: cyclesIn(tables.recentRaw),
    cells: cyclesIn(tables.recentCells),
    bands: cyclesIn(tables.recentBands),
  }
}

/** Creates the cells of one cycle by slot. */
export function createCycleCells(): CellColumns {
  return new CellColumns(seriesPerBlock)
}

/** True if the first and the last sample are of the cycle. */
function isWithin({ timesMs, count }: SampleRun, cycle: number): boolean {
  if (count === 0) return true
  return timesMs[0]! >= cycle * cycleMs && timesMs[count - 1]! < (cycle + 1) * cycleMs
}
