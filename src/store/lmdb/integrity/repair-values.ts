/**
 * Repair of samples and rollups: damaged records are moved to the quarantine and recomputed from
 * other records if possible.
 *
 *   recent raw            ─► removed, with its cells except synthetic ones
 *   recent cells          ─► recomputed from the recent raw samples
 *   compacted raw         ─► removed; cells, hours and day, which still include it, are kept
 *   bands                 ─► removed
 *   cells, hours, day     ─► recomputed from the raw samples if complete, else from what is left
 *   inaccurate digests of an earlier version   ─► likewise
 */

import { cyclesPerDay, dayMs } from "../../../model/resolution.ts"
import { CellColumns, clearCells, isSynthetic } from "../../../rollup/cell.ts"
import { cellColumnNames, type CellColumnName } from "../../../rollup/encoding/column-name.ts"
import type { Catalogue } from "../../../catalogue/catalogue.ts"
import { countPresent } from "../../../rollup/encoding/presence-codec.ts"
import { hoursPerDay, createHourCells } from "../tiers/coarse-cells.ts"
import { readCoarse } from "../encoding/coarse-record.ts"
import { ActualKinds } from "../metadata/actual-kinds.ts"
import { EarlierDigests } from "./earlier-digests.ts"
import type { Losses } from "./repair-losses.ts"
import { blockText } from "./repair-losses.ts"
import { IncompleteDays, incompleteDaysKey } from "../metadata/incomplete-days.ts"
import type { BlockIndex } from "../disk/tables.ts"
import { readWatermarks } from "../disk/retention-watermarks.ts"
import { packMarker } from "../disk/marker.ts"
import type { Quarantine } from "../disk/quarantine.ts"
import { SampleRun } from "../encoding/sample-run.ts"
import {
  createCycleCells,
  packRecentCells,
  readRecentCells,
  readRecentRaw,
} from "../tiers/recent.ts"
import { packColumns, Recomputation } from "./recompute.ts"
import { RecordCheck } from "./record-check.ts"
import { setAside } from "./set-aside.ts"
import { haveSamePayload } from "../disk/record.ts"
import { dayCellsMax, readDayCells, type DayOfBlock } from "../tiers/compacted-cells.ts"
import type { Table } from "../disk/table.ts"
import {
  columnKey,
  keyToPeriod,
  periodKey,
  periodKeyBytes,
  windowMs,
  recordTables,
  type RecordTable,
  type Tables,
} from "../disk/tables.ts"

export interface RepairDeps {
  readonly tables: Tables
  readonly quarantine: Quarantine
  /** Receives one sentence for each repair. */
  readonly report: (line: string) => void
  readonly losses: Losses
}

const windowsPerDay = dayMs / windowMs
const rollupTables: readonly string[] = ["recentCells", "cells", "hours", "days"]

/** Repairs recent records, markers and compacted days, in several commits. */
export function repairValues(deps: RepairDeps, catalogue: Catalogue): void {
  const repair = new ValueRepair(deps, catalogue)
  for (const name of recordTables) repair.quarantineDamaged(name)
  repair.recent()
  repair.markers()
  repair.compacted()
}

class ValueRepair {
  private readonly deps: RepairDeps
  private readonly catalogue: Catalogue
  private readonly actualKinds: ActualKinds
  private readonly recomputation: Recomputation
  private readonly earlier: EarlierDigests
  private readonly check = new RecordCheck()
  private readonly raw = new SampleRun()
  private readonly cells = createCycleCells()
  private readonly dayCells = new CellColumns(dayCellsMax)
  private readonly coarse = createHourCells()
  private readonly incompleteDays: IncompleteDays
  /** Days and blocks whose raw samples were quarantined. */
  private readonly incompleteRaw = new Set<string>()

  constructor(deps: RepairDeps, catalogue: Catalogue) {
    this.deps = deps
    this.catalogue = catalogue
    this.actualKinds = new ActualKinds(() => catalogue)
    this.recomputation = new Recomputation(deps.tables)
    this.earlier = new EarlierDigests(this.recomputation.windows)
    this.incompleteDays = new IncompleteDays(deps.tables.meta.get(incompleteDaysKey))
  }

  /** Quarantines every damaged record of a table, and records of blocks without series. */
  quarantineDamaged(name: RecordTable): void {
    const { tables, report, losses } = this.deps
    const { ZERO } = readWatermarks(tables)
    const problemOf = (key: Buffer, value: Buffer): string | null =>
      this.check.problemOf(name, key, value) ?? this.blockProblemOf(key)
    for (const { key, problem } of setAside(this.deps, name, problemOf)) {
      if (key.length < periodKeyBytes) {
        report(`${name}, key ${key.toString("hex")}: set aside (${problem})`)
        continue
      }
      const { period, block } = keyToPeriod(key)
      if (name === "raw") this.incompleteRaw.add(`${Math.floor(period / windowsPerDay)} ${block}`)
      report(`${name} of period ${period}, block ${block}: set aside (${problem})`)
      // Newer rollups are recomputed, or reported with their raw samples.
      const isRollup = rollupTables.includes(name) && period >= ZERO
      if (!isRollup) losses.addRecord(this.catalogue, { table: name, period, block })
    }
  }

  private blockProblemOf(key: Buffer): string | null {
    const isKnown = keyToPeriod(key).block < this.catalogue.partitionCount
    return isKnown ? null : "no series is in that block"
  }

  recent(): void {
    const { tables, report } = this.deps
    for (const key of keysOf(tables.recentCells)) {
      if (!tables.recentRaw.doesExist(key)) this.cellsWithoutRaw(key)
    }
    for (const key of keysOf(tables.recentRaw)) {
      if (tables.recentCells.doesExist(key)) continue
      const { period, block } = keyToPeriod(key)
      readRecentRaw(tables, period, block, this.raw)
      readRecentCells(tables, period, block, this.cells)
      this.setKindsFromCatalogue(block, this.cells, 1)
      const where = { cycle: period, block }
      put(tables.recentCells, key, this.recomputation.recentCells(where, this.raw, this.cells))
      report(`recent cells of cycle ${period}, block ${block}: computed again`)
    }
  }

  /** Keeps synthetic cells and cells of compacted samples; removes the others. */
  private cellsWithoutRaw(key: Buffer): void {
    const { tables, report } = this.deps
    const { period: cycle, block } = keyToPeriod(key)
    readRecentCells(tables, cycle, block, this.cells)
    const slots = countPresent(this.cells, 0, this.cells.length)
    this.raw.reset()
    const left = this.recomputation.recentCells({ cycle, block }, this.raw, this.cells)
    if (haveSamePayload(key, left, packRecentCells(key, this.cells))) return
    put(tables.recentCells, key, left)
    readRecentCells(tables, cycle, block, this.cells)
    const kept = countPresent(this.cells, 0, this.cells.length)
    if (kept === 0) remove(tables.recentCells, key)
    if (kept === slots) return
    this.requeueCounters({ day: Math.floor(cycle / cyclesPerDay), block })
    report(`cycle ${cycle} of block ${block}: lost, as its recent raw samples are`)
    const table = "recentRaw"
    this.deps.losses.addRecord(this.catalogue, { table, period: cycle, block })
  }

  /** Makes the markers of uncompacted days equal to the days of the recent records. */
  markers(): void {
    const { tables, report } = this.deps
    const wanted = new Map<string, Buffer>()
    const recent = [tables.recentRaw, tables.recentCells, tables.recentBands]
    for (const key of recent.flatMap(keysOf)) {
      const { period, block } = keyToPeriod(key)
      const day = periodKey(Math.floor(period / cyclesPerDay), block)
      wanted.set(day.toString("hex"), day)
    }
    for (const key of keysOf(tables.openDays)) {
      if (wanted.delete(key.toString("hex"))) continue
      // A compacted day that is queued again; see compact-counters.ts.
      if (tables.days.doesExist(key)) continue
      remove(tables.openDays, key)
      report(`marker of an uncompacted day ${key.toString("hex")}: removed`)
    }
    for (const [text, key] of wanted) {
      put(tables.openDays, key, packMarker(key))
      report(`marker of an uncompacted day ${text}: put back`)
    }
  }

  /** Repairs every day and block that has compacted records. */
  compacted(): void {
    const { tables } = this.deps
    const found = new Map<string, DayOfBlock>()
    const add = (day: number, block: BlockIndex) => found.set(`${day} ${block}`, { day, block })
    for (const table of [tables.days, tables.hours, tables.cells]) {
      for (const key of keysOf(table)) add(keyToPeriod(key).period, keyToPeriod(key).block)
    }
    for (const key of keysOf(tables.raw)) {
      const { period, block } = keyToPeriod(key)
      add(Math.floor(period / windowsPerDay), block)
    }
    for (const where of found.values()) this.day(where)
  }

  private day(where: DayOfBlock): void {
    const { tables, report } = this.deps
    const horizons = readWatermarks(tables)
    const key = periodKey(where.day, where.block)
    const name = `day ${where.day} of block ${where.block}`
    if (where.day < horizons.PT24H) return
    const isRawWhole = this.isRawWhole(where)
    if (!isRawWhole && where.day >= horizons.ZERO && !this.incompleteDays.has(where)) {
      this.incompleteDays.add(tables, where)
      report(`raw samples of ${name}: some are lost`)
      this.loseOfDay("raw samples", where)
    }
    const lacksCells = where.day >= horizons.PT5M && !this.hasCells(where)
    const lacksHours = where.day >= horizons.PT1H && !tables.hours.doesExist(key)
    const isThere = !lacksCells && !lacksHours && tables.days.doesExist(key)
    if (isThere && !(isRawWhole && this.hasFalseDigests(where))) return
    const slots = this.catalogue.partitionSeries(where.block).length
    this.readCells(where, slots)
    if (isRawWhole) {
      this.recomputation.dayCells(where, slots, this.dayCells)
      this.putCells(where, slots)
    } else if (lacksCells) {
      this.dropCells(where)
      this.incompleteDays.add(tables, where)
      this.requeueCounters({ day: where.day + 1, block: where.block })
      this.loseOfDay("five-minute buckets", where)
      return report(`five-minute buckets of ${name}: lost, as raw samples are`)
    }
    const coarse = this.recomputation.coarse(where, slots, this.dayCells)
    if (where.day >= horizons.PT1H) put(tables.hours, key, coarse.hours)
    put(tables.days, key, coarse.day)
    this.requeueCounters(where)
    report(`${name}: computed again`)
  }

  /** True where percentiles of an earlier version are off (earlier-digests.ts). */
  private hasFalseDigests(where: DayOfBlock): boolean {
    const { tables } = this.deps
    const key = periodKey(where.day, where.block)
    const isFalse = (bytes: Uint8Array | undefined, buckets: number): boolean =>
      bytes !== undefined && this.earlier.worstRankError(where, buckets, bytes) > 0
    return isFalse(tables.hours.get(key), hoursPerDay) || isFalse(tables.days.get(key), 1)
  }

  private loseOfDay(what: string, { day, block }: DayOfBlock): void {
    const date = new Date(day * dayMs).toISOString().slice(0, 10)
    this.deps.losses.add(`${what} of ${date} of ${blockText(this.catalogue, block)}`)
  }

  private hasCells(where: DayOfBlock): boolean {
    return cellColumnNames.every((name) => this.hasColumn(where, name))
  }

  private hasColumn({ day, block }: DayOfBlock, name: CellColumnName): boolean {
    const column = cellColumnNames.indexOf(name)
    return this.deps.tables.cells.doesExist(columnKey(day, block, column))
  }

  /**
   * Reads the cells as far as possible: all columns; or those that cannot be recomputed, the actual
   * kinds and the actuals of synthetic cells; or none. Synthetic cells without actual are lost.
   */
  private readCells(where: DayOfBlock, slots: number): void {
    const { tables } = this.deps
    const hasActual = this.hasColumn(where, "actual")
    const left = hasActual ? (["count", "actual"] as const) : (["count"] as const)
    const columns = this.hasCells(where) ? cellColumnNames : left
    clearCells(this.dayCells, 0, slots * cyclesPerDay)
    const isRead = readDayCells(tables, where, this.dayCells, { columns, slots })
    if (!isRead) this.setKindsFromCatalogue(where.block, this.dayCells, cyclesPerDay)
    if (hasActual) return
    for (let at = 0; at < slots * cyclesPerDay; at++) {
      if (isSynthetic(this.dayCells, at)) clearCells(this.dayCells, at, at + 1)
    }
  }

  /** Sets the actual kinds of lost cells to the current ones of the catalogue. */
  private setKindsFromCatalogue(block: BlockIndex, cells: CellColumns, perSlot: number): void {
    if (block >= this.catalogue.partitionCount) return
    for (const [slot, series] of this.catalogue.partitionSeries(block).entries()) {
      cells.actualKind.fill(this.actualKinds.ofSeries(series), slot * perSlot, (slot + 1) * perSlot)
    }
  }

  /**
   * Queues a block's days from this one on for compaction if the block has counters: each day may
   * depend on values that the repair has changed. Days with incomplete raw samples are not queued.
   */
  private requeueCounters({ day, block }: DayOfBlock): void {
    const { tables } = this.deps
    if (block >= this.catalogue.partitionCount) return
    if (!this.catalogue.partitionSeries(block).some((one) => this.actualKinds.isCounter(one)))
      return
    const first = Math.max(day, readWatermarks(tables).ZERO)
    for (const key of keysOf(tables.days)) {
      const found = keyToPeriod(key)
      if (found.block !== block || found.period < first) continue
      if (this.incompleteDays.has({ day: found.period, block })) continue
      put(tables.openDays, key, packMarker(key))
    }
  }

  /** True if the raw samples are complete: as many as the record of hours or day says. */
  private isRawWhole(where: DayOfBlock): boolean {
    const { tables } = this.deps
    if (where.day < readWatermarks(tables).ZERO) return false
    if (this.incompleteRaw.has(`${where.day} ${where.block}`)) return false
    const key = periodKey(where.day, where.block)
    const [table, buckets] = tables.days.doesExist(key) ? [tables.days, 1] : [tables.hours, 24]
    const bytes = table.get(key)
    if (bytes === undefined) return true
    const { samples } = readCoarse(key, bytes, buckets, this.coarse)
    return samples.reduce((sum, each) => sum + each, 0) === this.recomputation.rawCount(where)
  }

  private putCells(where: DayOfBlock, slots: number): void {
    const { cells } = this.deps.tables
    for (const { key, value } of packColumns(where, this.dayCells, slots)) put(cells, key, value)
  }

  private dropCells({ day, block }: DayOfBlock): void {
    const { cells } = this.deps.tables
    for (const [column] of cellColumnNames.entries()) remove(cells, columnKey(day, block, column))
  }
}

/** Returns a copy of the keys, so that the table may change during the iteration. */
function keysOf(table: Table): Buffer[] {
  return Array.from(table.getKeys({}), (key) => Buffer.from(key))
}

function put(table: Table, key: Buffer, value: Uint8Array): void {
  table.putSync(key, value as Buffer)
}
function remove(table: Table, key: Buffer): void {
  table.removeSync(key)
}
