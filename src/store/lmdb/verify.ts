/**
 * Verify: every rollup is computed anew from what it is a function of, packed, and compared with
 * what is stored, byte by byte (decisions §4).
 *
 *   recent   cells of a cycle   ← its raw samples
 *   sealed   cells of a day     ← its raw windows        while retention has left them
 *            hours, day         ← the cells, and for digests the raw samples
 */

import { Catalogue } from "../../catalogue/catalogue.ts"
import { CorruptError } from "../../codec/corrupt.ts"
import { dayMs, hourMs } from "../../model/resolution.ts"
import { CellColumns, clearCells, copyCell } from "../../rollup/cell.ts"
import { cellColumnNames } from "../../rollup/column-name.ts"
import type { VerifyReport } from "../store.ts"
import { loadCatalogue } from "./catalogue-table.ts"
import { cellOfRaw } from "./cell-of-raw.ts"
import { hoursPerDay, mergeDay, mergeHours } from "./coarse-cells.ts"
import { packCoarse, readCoarse } from "./coarse-record.ts"
import { DayDigests } from "./day-digests.ts"
import { readHorizons } from "./horizons.ts"
import { RawColumns } from "./raw-columns.ts"
import { packRecentCells, readRecentCells, readRecentRaw, slotCells } from "./recent.ts"
import {
  dayCellsMax,
  packColumn,
  presentRange,
  readDayCells,
  type DayOfBlock,
} from "./sealed-cells.ts"
import { rangeOfCycle, SealedWindows } from "./sealed-windows.ts"
import {
  columnKey,
  cyclesPerDay,
  cyclesPerWindow,
  keyToPeriod,
  openTables,
  periodKey,
  windowMs,
  type Tables,
} from "./tables.ts"

/** Differences that are told one by one; the rest is counted. */
const problemsMax = 100

/** Checks a whole store that no other process has open for writing. */
export async function verifyLmdb(folder: string): Promise<VerifyReport> {
  const tables = openTables(folder)
  try {
    return new Verification(tables).run()
  } finally {
    await tables.root.close()
  }
}

class Verification {
  private readonly tables: Tables
  private readonly problems: string[] = []
  private compared = 0
  private readonly raw = new RawColumns()
  private readonly cells = slotCells()
  private readonly stored = slotCells()
  private readonly dayCells = new CellColumns(dayCellsMax)
  private readonly coarse = new CellColumns(dayCellsMax)
  private readonly windows: SealedWindows

  constructor(tables: Tables) {
    this.tables = tables
    this.windows = new SealedWindows(tables)
  }

  run(): VerifyReport {
    this.attempt("the catalogue", () => loadCatalogue(this.tables, new Catalogue()))
    for (const key of this.tables.recentRaw.getKeys({})) {
      const { period, block } = keyToPeriod(key)
      this.attempt(`recent cycle ${period} of block ${block}`, () => this.recent(period, block))
    }
    for (const key of this.tables.days.getKeys({})) {
      const { period, block } = keyToPeriod(key)
      this.attempt(`day ${period} of block ${block}`, () => this.day({ day: period, block }))
    }
    return { compared: this.compared, problems: this.problems }
  }

  /** Damage is told like a difference, and what follows is checked all the same. */
  private attempt(what: string, check: () => void): void {
    try {
      check()
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error
      this.tell(`${what}: ${error.message}`)
    }
  }

  private recent(cycle: number, block: number): void {
    readRecentRaw(this.tables, cycle, block, this.raw)
    readRecentCells(this.tables, cycle, block, this.stored)
    clearCells(this.cells, 0, this.cells.length)
    for (let slot = 0; slot < this.raw.slotCount; slot++) {
      const range = { from: this.raw.slotFrom(slot), to: this.raw.slotTo(slot) }
      if (range.from === range.to) continue
      this.cells.definition[slot] = this.stored.definition[slot]!
      cellOfRaw(this.raw, range, this.cells, slot)
    }
    const bytes = this.tables.recentCells.get(periodKey(cycle, block))
    this.compare(
      `recent cells of cycle ${cycle}, block ${block}`,
      bytes,
      packRecentCells(this.cells),
    )
  }

  private day(where: DayOfBlock): void {
    const key = periodKey(where.day, where.block)
    const hourBytes = this.tables.hours.get(key)
    const dayBytes = this.tables.days.get(key)
    const name = `of day ${where.day}, block ${where.block}`
    if (dayBytes === undefined) return
    const horizons = readHorizons(this.tables)
    if (hourBytes === undefined && where.day >= horizons.PT1H) this.tell(`hours ${name}: missing`)
    const { samples } = readCoarse(dayBytes, 1, this.coarse)
    const slots = samples.length
    const columns = cellColumnNames
    if (!readDayCells(this.tables, where, this.dayCells, { columns, slots })) {
      if (where.day >= horizons.PT5M) this.tell(`cells ${name}: missing`)
      return
    }
    // Without its raw samples there is nothing to compute the day from.
    if (where.day < horizons.ZERO) return
    this.cellsFromRaw(where, slots)
    const hours = mergeHours(this.dayCells, slots)
    const days = mergeDay(hours, slots)
    const digests = this.digestsFromRaw(where, new DayDigests(slots, hours, days))
    const hourShape = { slots, buckets: hoursPerDay, samples: digests.samples }
    const dayShape = { slots, buckets: 1, samples: digests.samples }
    this.compare(`hours ${name}`, hourBytes, packCoarse(hours, hourShape, digests.hours))
    this.compare(`day ${name}`, dayBytes, packCoarse(days, dayShape, digests.days()))
  }

  /** Recomputes `dayCells` from the sealed windows and compares every column. */
  private cellsFromRaw(where: DayOfBlock, slots: number): void {
    // Window by window, so that each is decoded once.
    for (let first = 0; first < cyclesPerDay; first += cyclesPerWindow) {
      for (let slot = 0; slot < slots; slot++) {
        for (let cycle = first; cycle < first + cyclesPerWindow; cycle++) {
          this.cellFromRaw(where, slot, cycle)
        }
      }
    }
    const range = presentRange(this.dayCells, slots)
    for (const [index, column] of cellColumnNames.entries()) {
      const bytes = this.tables.cells.get(columnKey(where.day, where.block, index))
      const name = `column ${column} of day ${where.day}, block ${where.block}`
      this.compare(name, bytes, packColumn(column, this.dayCells, { slots, range }))
    }
  }

  private cellFromRaw(where: DayOfBlock, slot: number, cycle: number): void {
    const number = where.day * cyclesPerDay + cycle
    const window = Math.floor(number / cyclesPerWindow)
    const raw = this.windows.read(window, where.block)
    const range = raw === null ? null : rangeOfCycle(raw, slot, number)
    const at = slot * cyclesPerDay + cycle
    const definition = this.dayCells.definition[at]!
    clearCells(this.cells, 0, 1)
    this.cells.definition[0] = definition
    if (range !== null) cellOfRaw(range.columns, range, this.cells, 0)
    // A filling is a fact of the closing of its cycle: there is nothing to recompute it from.
    if (range !== null || !(this.dayCells.flags[at]! & 1))
      copyCell(this.cells, 0, this.dayCells, at)
  }

  private digestsFromRaw(where: DayOfBlock, digests: DayDigests): DayDigests {
    for (let hour = 0; hour < hoursPerDay; hour++) {
      const window = Math.floor((where.day * dayMs + hour * hourMs) / windowMs)
      const raw = this.windows.read(window, where.block)
      if (raw !== null) digests.addHour(raw, hour, where.day)
    }
    return digests
  }

  private compare(name: string, stored: Uint8Array | undefined, computed: Uint8Array): void {
    this.compared++
    if (stored === undefined) return this.tell(`${name}: missing`)
    if (Buffer.compare(stored, computed) === 0) return
    this.tell(`${name}: stored ${stored.length} bytes differ from ${computed.length} computed`)
  }

  private tell(problem: string): void {
    if (this.problems.length < problemsMax) this.problems.push(problem)
  }
}
