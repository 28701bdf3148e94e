/**
 * Counters of a store before format 8, whose cells have no drops: they keep their increases until
 * late data come, and count from their first to their last value then.
 */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { cycleMs, dayMs } from "../../../src/model/resolution.ts"
import { CellColumns, changeActualKind, counterKind, lastKind } from "../../../src/rollup/cell.ts"
import { cellColumnNames } from "../../../src/rollup/encoding/column-name.ts"
import { earlierCountersKey } from "../../../src/store/lmdb/disk/earlier-counters.ts"
import { versionKey } from "../../../src/store/lmdb/disk/format-version.ts"
import { keyToPeriod, periodKey, type Tables } from "../../../src/store/lmdb/disk/tables.ts"
import { packColumns, Recomputation } from "../../../src/store/lmdb/integrity/recompute.ts"
import { readDayCells } from "../../../src/store/lmdb/tiers/compacted-cells.ts"
import {
  createCycleCells,
  packRecentCells,
  readRecentCells,
} from "../../../src/store/lmdb/tiers/recent.ts"
import { repairStore, verifyStore } from "../../../src/store/open.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import {
  append,
  cpu,
  findSeries,
  noonMs,
  plain,
  startOfDayMs,
  upsertSeries,
} from "../../support/ingest/samples.ts"
import { folderOf, reading, tampering, writing } from "../../support/store/lmdb-folder.ts"

const pastMs = startOfDayMs - 2 * dayMs
const span = { startMs: pastMs, endMs: noonMs + dayMs }

/** A compacted day and today, each with a cycle in which the counter drops. */
async function earlierStore(t: TestContext): Promise<string> {
  const folder = folderOf(t)
  await writing(folder, (writer) => {
    upsertSeries(writer.catalogue, cpu, { type: "COUNTER" })
    for (const fromMs of [pastMs, noonMs]) {
      const dropping = [110, 0, 10].map((value, i) => plain(fromMs + cycleMs + i * 60_000, value))
      append(writer, [plain(fromMs, 100), ...dropping])
    }
    maintainFully(writer, noonMs + 3 * cycleMs)
  })
  await tampering(folder, (tables) => {
    removeDropsOfToday(tables)
    removeDropsOfPast(tables)
    tables.meta.put(versionKey, Buffer.from("7"))
  })
  return folder
}

function removeDropsOfToday(tables: Tables): void {
  const cells = createCycleCells()
  const keys = Array.from(tables.recentCells.getKeys())
  for (const key of keys) {
    const { period, block } = keyToPeriod(key)
    readRecentCells(tables, period, block, cells)
    removeDrops(cells)
    tables.recentCells.put(key, packRecentCells(key, cells))
  }
}

function removeDropsOfPast(tables: Tables): void {
  const where = { day: pastMs / dayMs, block: 0 }
  const cells = new CellColumns(cyclesOfDay)
  readDayCells(tables, where, cells, { columns: cellColumnNames, slots: 1 })
  removeDrops(cells)
  // From 100 to 10: a restart, after which the last value counted.
  cells.actual[1] = 10
  cells.actuals[1] = 1
  for (const { key, value } of packColumns(where, cells, 1)) tables.cells.put(key, value)
  const { hours, day } = new Recomputation(tables).coarse(where, 1, cells)
  tables.hours.put(periodKey(where.day, where.block), hours)
  tables.days.put(periodKey(where.day, where.block), day)
}

const cyclesOfDay = dayMs / cycleMs

function removeDrops(cells: CellColumns): void {
  for (let at = 0; at < cells.length; at++) {
    if (cells.actualKind[at] !== counterKind) continue
    changeActualKind(cells, at, lastKind)
    changeActualKind(cells, at, counterKind)
  }
}

function actualsIn(folder: string): Promise<(number | undefined)[]> {
  return reading(folder, (reader) => {
    const series = Int32Array.of(findSeries(reader.catalogue, cpu))
    const [records] = reader.samples(series, { span, resolution: "PT5M" }, null)
    return records!.map(({ fields }) => fields.actual)
  })
}

async function problemsOf(folder: string): Promise<readonly string[]> {
  return (await verifyStore(folder)).problems
}

test("stored increases stay, and verify accepts them before and after the migration", async (t) => {
  const folder = await earlierStore(t)
  assert.deepEqual(await problemsOf(folder), [])
  await writing(folder, () => {})
  assert.deepEqual(await problemsOf(folder), [])
  assert.deepEqual(await actualsIn(folder), [undefined, 10, 90, 20])
  assert.deepEqual((await repairStore(folder, noonMs)).done, [])
})

test("a day of this program with cells that lack their drops is reported", async (t) => {
  const folder = await earlierStore(t)
  await writing(folder, () => {})
  await tampering(folder, ({ meta }) => meta.remove(earlierCountersKey))
  const problems = await problemsOf(folder)
  assert.ok(
    problems.some((problem) => problem.startsWith("recent cells of cycle")),
    `${problems}`,
  )
  assert.ok(
    problems.some((problem) => problem.startsWith("column actual")),
    `${problems}`,
  )
})

test("late samples of earlier days and samples of later ones count step by step", async (t) => {
  const folder = await earlierStore(t)
  await writing(folder, (writer) => {
    append(
      writer,
      [50, 2, 30].map((value, i) => plain(pastMs + 3 * cycleMs + i, value)),
    )
    append(
      writer,
      [8, 3, 4].map((value, i) => plain(noonMs + dayMs - cycleMs + i, value)),
    )
    maintainFully(writer, noonMs + dayMs)
  })
  assert.deepEqual(await problemsOf(folder), [])
  assert.deepEqual(await actualsIn(folder), [undefined, 20, 40 + 2 + 28, 70, 20, 8 + 3 + 1])
})
