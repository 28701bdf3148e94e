/**
 * Recent records: the cycles that were folded and not yet sealed.
 *
 * For a cycle and a block, one record holds the raw samples and one the cells of the slots that
 * have any. Where the day was sealed before, recent records hold the whole of the cycle for the
 * slots that late samples touched: a recent slot stands in place of the sealed one, in both
 * records.
 */

import { seriesPerBlock } from "../../../base/limits.ts"
import { cyclesPerDay, cycleMs } from "../../../model/resolution.ts"
import { CellColumns, clearCells } from "../../../rollup/cell.ts"
import { decodePlainCells, encodePlainCells } from "../encoding/plain-cells.ts"
import { decodeRecentRaw, encodeRecentRaw } from "../encoding/raw-codec.ts"
import type { RawColumns } from "../encoding/raw-columns.ts"
import { encodeRecord, openRecord } from "../disk/record.ts"
import type { Table } from "../disk/table.ts"
import { periodKey, type Tables } from "../disk/tables.ts"

/** Reads the raw samples of a cycle into `raw`; false, and no slots, where there are none. */
export function readRecentRaw(
  tables: Tables,
  cycle: number,
  block: number,
  raw: RawColumns,
): boolean {
  const key = periodKey(cycle, block)
  const bytes = tables.recentRaw.view(key)
  if (bytes === undefined) {
    raw.reset()
    return false
  }
  decodeRecentRaw(openRecord(key, bytes), raw, cycle * cycleMs)
  return true
}

/** The record of the raw samples of `cycle`, to stand under `key`. */
export function packRecentRaw(key: Buffer, raw: RawColumns, cycle: number): Uint8Array {
  return encodeRecord(key, (writer) => encodeRecentRaw(writer, raw, cycle * cycleMs))
}

/**
 * Reads the cells of a cycle, one a slot, into `cells`; false, and all empty, where there are none.
 */
export function readRecentCells(
  tables: Tables,
  cycle: number,
  block: number,
  cells: CellColumns,
): boolean {
  if (findRecentCells(tables, cycle, block, cells)) return true
  clearCells(cells, 0, cells.length)
  return false
}

/** The same, but where there are none the cells are left as they are. */
export function findRecentCells(
  tables: Tables,
  cycle: number,
  block: number,
  cells: CellColumns,
): boolean {
  const key = periodKey(cycle, block)
  const bytes = tables.recentCells.view(key)
  if (bytes === undefined) return false
  clearCells(cells, 0, cells.length)
  decodePlainCells(openRecord(key, bytes), cells)
  return true
}

/** The record of `cells`, one a slot, of which those that are not present count as missing. */
export function packRecentCells(key: Buffer, cells: CellColumns): Uint8Array {
  return encodeRecord(key, (writer) => encodePlainCells(writer, cells))
}

/** The cycles of a day that have recent records, by what they hold; absolute numbers, ascending. */
export interface RecentDay {
  readonly raw: readonly number[]
  readonly cells: readonly number[]
  readonly bands: readonly number[]
}

const nothingRecent: RecentDay = { raw: [], cells: [], bands: [] }

/** Which cycles of a block's day have recent records. A day that has any is marked as open. */
export function recentDay(tables: Tables, day: number, block: number): RecentDay {
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

/** Cells of one cycle by slot. */
export function createCycleCells(): CellColumns {
  return new CellColumns(seriesPerBlock)
}
