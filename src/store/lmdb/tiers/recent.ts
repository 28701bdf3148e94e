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
  assert(cells.length === seriesPerBlock, "Expected space for the cells of one cycle")
  const key = periodKey(cycle, block)
  const bytes = tables.recentCells.view(key)
  if (bytes === undefined) return false
  clearCells(cells, 0, cells.length)
  decodePlainCells(openRecord(key, bytes), cells)
  return true
}

/** Encodes the record of `cells`, one a slot, without the absent ones. */
export function packRecentCells(key: Buffer, cells: CellColumns): Uint8Array {
  assert(cells.length === seriesPerBlock, "Expected the cells of one cycle")
  return encodeRecord(key, (writer) => encodePlainCells(writer, cells))
}

/** The cycles of a day with recent records, by content; numbers since the epoch, ascending. */
export interface RecentDay {
  readonly raw: readonly number[]
  readonly cells: readonly number[]
  readonly bands: readonly number[]
}

const nothingRecent: RecentDay = { raw: [], cells: [], bands: [] }

/**
 * Finds which cycles of a block's day have recent records. A day with any has a marker in
 * `openDays`.
 */
export function recentDay(tables: Tables, day: number, block: BlockIndex): RecentDay {
  if (!tables.openDays.doesExist(periodKey(day, block))) return nothingRecent
  const first = day * cyclesPerDay
  const cycles = Array.from({ length: cyclesPerDay }, (_, cycle) => first + cycle)
  const keys = cycles.map((cycle) => periodKey(cycle, block))
  const cyclesIn = (table: Table) => cycles.filter((_, i) => table.doesExist(keys[i]!))
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
