/**
 * Verify: recomputes every rollup from the data that it is a function of, encodes it and compares
 * it with the stored record byte by byte (spec/samples §2).
 *
 *   recent      cells of a cycle   ← its raw samples
 *               synthetic cells, actual kinds, bands and states cannot be recomputed
 *   compacted   cells of a day     ← its raw windows        if retention has not dropped them
 *               hours, day         ← the cells, and for digests the raw samples
 *               digests of an earlier rule are checked for accuracy (earlier-digests.ts)
 */

import { Catalogue } from "../../../catalogue/catalogue.ts"
import { ignoreProgress, type OnProgress } from "../../../base/work-progress.ts"
import { corruptionOf } from "../../../codec/corrupt-error.ts"
import { CellColumns } from "../../../rollup/cell.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import type { VerifyReport } from "../../store.ts"
import { loadCatalogue } from "../metadata/catalogue-table.ts"
import { createDayCells } from "../tiers/coarse-cells.ts"
import { readCoarse } from "../encoding/coarse-record.ts"
import { hasStaleCounters } from "../tiers/previous-counter-value.ts"
import { EarlierDigests } from "./earlier-digests.ts"
import { readWatermarks } from "../disk/retention-watermarks.ts"
import { IncompleteDays, incompleteDaysKey } from "../metadata/incomplete-days.ts"
import { scanLmdb } from "./page-scan.ts"
import { SampleRun } from "../encoding/sample-run.ts"
import {
  createCycleCells,
  packRecentCells,
  readRecentCells,
  readRecentRaw,
} from "../tiers/recent.ts"
import { packColumns, Recomputation } from "./recompute.ts"
import { damageOf, RecordCheck } from "./record-check.ts"
import { haveSamePayload, openRecord } from "../disk/record.ts"
import { refuseOtherWriter } from "../disk/writer-lock.ts"
import { dayCellsMax, readDayCells, type DayOfBlock } from "../tiers/compacted-cells.ts"
import {
  catalogueTables,
  keyToPeriod,
  openTables,
  periodKey,
  recordTables,
  type tableNames,
  type Tables,
  type BlockIndex,
} from "../disk/tables.ts"

/** Maximum number of reported differences. */
const problemsMax = 100

/** Checks a whole store. Throws `storage` if another process has it open for writing. */
export async function verifyLmdb(
  folder: string,
  onStep: OnProgress = ignoreProgress,
): Promise<VerifyReport> {
  refuseOtherWriter(folder)
  // LMDB does not detect damaged pages.
  const damage = scanLmdb(folder, onStep)
  if (damage.length > 0) return { compared: 0, problems: damage }
  const tables = openTables(folder)
  try {
    return new Verification(tables, onStep).run()
  } finally {
    await tables.root.close()
  }
}

/** The tables whose records are checked one by one. */
const checkedTables = ["recentCells", "recentBands", "bands", "states", "days"] as const

function entriesOf(tables: Tables, names: readonly (typeof tableNames)[number][]): number {
  return names.reduce((sum, name) => sum + tables[name].count(), 0)
}

class Verification {
  private readonly tables: Tables
  private readonly onStep: OnProgress
  private checked = 0
  private total = 0
  private readonly problems: string[] = []
  private readonly incompleteDays: IncompleteDays
  private compared = 0
  private readonly raw = new SampleRun()
  private readonly stored = createCycleCells()
  private ownDayCells: CellColumns | null = null
  private readonly coarse = createDayCells()
  private readonly recomputation: Recomputation
  private readonly earlier: EarlierDigests

  constructor(tables: Tables, onStep: OnProgress) {
    this.tables = tables
    this.onStep = onStep
    this.incompleteDays = new IncompleteDays(tables.meta.get(incompleteDaysKey))
    this.recomputation = new Recomputation(tables)
    this.earlier = new EarlierDigests(this.recomputation.windows)
  }

  /** Allocated for the first compacted day. */
  private get dayCells(): CellColumns {
    return (this.ownDayCells ??= new CellColumns(dayCellsMax))
  }

  /** Series in the WAL are not checked: no compared record refers to them. */
  run(): VerifyReport {
    if (this.hasStrays()) return { compared: this.compared, problems: this.problems }
    // About: the catalogue is one more, and some cycles have raw samples alone.
    this.total = 1 + entriesOf(this.tables, checkedTables)
    this.check("the catalogue", () => loadCatalogue(this.tables, new Catalogue()))
    for (const { period, block } of this.recentKeys()) {
      this.check(`recent cycle ${period} of block ${block}`, () => this.checkRecent(period, block))
    }
    this.checkSynthetic()
    for (const key of this.tables.days.getKeys({})) {
      const { period, block } = keyToPeriod(key)
      this.check(`day ${period} of block ${block}`, () => this.day({ day: period, block }))
    }
    return { compared: this.compared, problems: this.problems }
  }

  /** Reports records that are none of their table; nothing else can be read then. */
  private hasStrays(): boolean {
    const strays = new RecordCheck()
    const names = [...catalogueTables, ...recordTables]
    const total = entriesOf(this.tables, names)
    let done = 0
    for (const name of names) {
      for (const { key, value } of this.tables[name].getRange({})) {
        this.onStep({ what: "reading records", done: done++, total, unit: "records" })
        if (damageOf(key, value) !== null) continue
        const problem = strays.mismatchOf(name, key, value)
        if (problem !== null) this.report(`${name} ${key.toString("hex")}: ${problem}`)
      }
    }
    return this.problems.length > 0
  }

  /** Yields cycles with raw samples, and cycles that only a closing has written. */
  private *recentKeys(): Generator<{ period: number; block: BlockIndex }> {
    const { recentRaw, recentCells } = this.tables
    for (const key of recentRaw.getKeys({})) yield keyToPeriod(key)
    for (const key of recentCells.getKeys({})) {
      if (!recentRaw.doesExist(key)) yield keyToPeriod(key)
    }
  }

  /** Checks that bands and states are intact; they cannot be recomputed. */
  private checkSynthetic(): void {
    for (const name of ["recentBands", "bands", "states"] as const) {
      for (const { key, value } of this.tables[name].getRange({})) {
        this.compared++
        this.check(`${name} ${key.toString("hex")}`, () => openRecord(key, value))
      }
    }
  }

  /** Runs a check; reports corruption like a difference and continues. */
  private check(what: string, check: () => void): void {
    const { total } = this
    this.onStep({ what: "recomputing rollups", done: this.checked++, total, unit: "records" })
    const problem = corruptionOf(check)
    if (problem !== null) this.report(`${what}: ${problem}`)
  }

  private checkRecent(cycle: number, block: BlockIndex): void {
    readRecentRaw(this.tables, cycle, block, this.raw)
    const isStored = readRecentCells(this.tables, cycle, block, this.stored)
    const key = periodKey(cycle, block)
    const computed = this.recomputation.recentCells({ cycle, block }, this.raw, this.stored)
    // Not its bytes, which are others in earlier formats.
    const bytes = isStored ? packRecentCells(key, this.stored) : undefined
    const name = `recent cells of cycle ${cycle}, block ${block}`
    this.compare(name, bytes, { key, value: computed })
  }

  private day(where: DayOfBlock): void {
    const key = periodKey(where.day, where.block)
    const hourBytes = this.tables.hours.get(key)
    const dayBytes = this.tables.days.get(key)
    const name = `of day ${where.day}, block ${where.block}`
    if (dayBytes === undefined || this.incompleteDays.has(where)) return
    const horizons = readWatermarks(this.tables)
    if (hourBytes === undefined && where.day >= horizons.PT1H) this.report(`hours ${name}: missing`)
    const { samples } = readCoarse(key, dayBytes, 1, this.coarse)
    const slots = samples.length
    const columns = cellColumnNames
    if (!readDayCells(this.tables, where, this.dayCells, { columns, slots })) {
      if (where.day >= horizons.PT5M) this.report(`cells ${name}: missing`)
      return
    }
    // Without its raw samples the day cannot be recomputed.
    if (where.day < horizons.ZERO) return
    const wanted = samples.reduce((sum, each) => sum + each, 0)
    const found = this.recomputation.rawCount(where)
    if (found !== wanted) return this.report(`raw samples ${name}: ${found} of ${wanted} are there`)
    // Counters that wait for the compaction of an earlier day are known to be stale.
    const keepsCounters =
      hasStaleCounters(this.tables, where.block, where.day + 1) ||
      this.recomputation.hasEarlierCounters(where.day)
    this.recomputation.dayCells(where, slots, this.dayCells, { keepsCounters })
    for (const [index, computed] of packColumns(where, this.dayCells, slots).entries()) {
      const bytes = this.tables.cells.get(computed.key)
      this.compare(`column ${cellColumnNames[index]} ${name}`, bytes, computed)
    }
    const { hours, day } = this.recomputation.coarse(where, slots, this.dayCells)
    this.compareCoarse(where, `hours ${name}`, { stored: hourBytes, computed: hours, buckets: 24 })
    this.compareCoarse(where, `day ${name}`, { stored: dayBytes, computed: day, buckets: 1 })
  }

  /** Compares a coarse record; digests of the earlier rule have other bytes and are checked. */
  private compareCoarse(
    where: DayOfBlock,
    name: string,
    of: {
      readonly stored: Uint8Array | undefined
      readonly computed: Uint8Array
      readonly buckets: number
    },
  ): void {
    const { stored, computed, buckets } = of
    const key = periodKey(where.day, where.block)
    const isBeside =
      stored !== undefined &&
      !haveSamePayload(key, stored, computed) &&
      this.earlier.areEqualExceptEarlier(where, buckets, { stored, computed })
    if (!isBeside) return this.compare(name, stored, { key, value: computed })
    this.compared++
    const worst = this.earlier.worstRankError(where, buckets, stored)
    if (worst === 0) return
    const percent = (100 * worst).toFixed(1)
    this.report(
      `${name}: percentiles of an earlier version are off by up to ${percent} % of n; ` +
        "repair computes them from the raw samples",
    )
  }

  private compare(
    name: string,
    stored: Uint8Array | undefined,
    { key, value }: { readonly key: Buffer; readonly value: Uint8Array },
  ): void {
    this.compared++
    if (stored === undefined) return this.report(`${name}: missing`)
    if (haveSamePayload(key, stored, value)) return
    this.report(`${name}: stored ${stored.length} bytes differ from ${value.length} computed`)
  }

  private report(problem: string): void {
    if (this.problems.length < problemsMax) this.problems.push(problem)
  }
}
