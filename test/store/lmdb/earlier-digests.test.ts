/**
 * Digests of the earlier rule: a store of an earlier version. One metric has values on two scales,
 * and its digests are inaccurate; the other has whole numbers, and its digests are accurate.
 */

import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { gunzipSync } from "node:zlib"
import { dayMs } from "../../../src/model/resolution.ts"
import { readCoarse } from "../../../src/store/lmdb/encoding/coarse-record.ts"
import { createHourCells } from "../../../src/store/lmdb/tiers/coarse-cells.ts"
import type { Tables } from "../../../src/store/lmdb/disk/tables.ts"
import { repairStore, verifyStore } from "../../../src/store/open.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { assertRank } from "../../contract/store-oracle.ts"
import { folderOf, reading, tampering, writing } from "../../support/store/lmdb-folder.ts"
import {
  append,
  findSeries,
  noonMs,
  plain,
  seriesName,
  startOfDayMs,
} from "../../support/ingest/samples.ts"

const golden = new URL("../../../data/golden/digests-1/data.mdb.gz", import.meta.url)
const gauge = seriesName("host-1", "gauge")
const startMs = startOfDayMs - 2 * dayMs
const span = { startMs, endMs: startMs + dayMs }

function unpack(folder: string): void {
  writeFileSync(join(folder, "data.mdb"), gunzipSync(readFileSync(golden)))
}

/** Counts the digests in the store, and those of the earlier rule. */
function digestsOf(tables: Tables): { readonly all: number; readonly earlier: number } {
  const cells = createHourCells()
  let all = 0
  let earlier = 0
  for (const [table, buckets] of [
    [tables.hours, 24],
    [tables.days, 1],
  ] as const) {
    for (const { key, value } of table.getRange({})) {
      const { digests } = readCoarse(key, value, buckets, cells)
      all += digests.cellIndexes().length
      earlier += digests.cellIndexes().filter((place) => digests.isOfEarlierRule(place)).length
    }
  }
  return { all, earlier }
}

test("verify reports inaccurate digests of an earlier version, and no others", async (t) => {
  const folder = folderOf(t)
  unpack(folder)
  assert.deepEqual(await tampering(folder, digestsOf), { all: 4, earlier: 4 })
  const { problems } = await verifyStore(folder)
  assert.equal(problems.length, 2)
  const blocks = problems.map((problem) => {
    assert.match(problem, /^(hours|day) of day 20773, block \d: .*off by up to 24\.\d % of n/)
    return /block \d/.exec(problem)![0]
  })
  assert.equal(new Set(blocks).size, 1)
})

test("repair recomputes them from the raw samples; then percentiles are accurate", async (t) => {
  const folder = folderOf(t)
  unpack(folder)
  const { done, problems } = await repairStore(folder, noonMs)
  assert.equal(done.filter((line) => line.includes("computed again")).length, 1)
  assert.deepEqual(problems, [])
  assert.deepEqual((await verifyStore(folder)).problems, [])
  assert.deepEqual(await tampering(folder, digestsOf), { all: 4, earlier: 2 })
})

test("digests of the earlier and the current rule are merged in one query", async (t) => {
  const folder = folderOf(t)
  unpack(folder)
  const more = Array.from({ length: 5000 }, (_, i) =>
    plain(span.endMs + i * 17_000, (i * 37) % 101, gauge),
  )
  await writing(folder, (writer) => {
    append(writer, more)
    for (let round = 0; round < 2; round++) maintainFully(writer, noonMs + dayMs)
  })
  const { earlier } = await tampering(folder, digestsOf)
  assert.equal(earlier, 4)
  await reading(folder, (reader) => {
    const series = Int32Array.of(findSeries(reader.catalogue, gauge))
    const asked = {
      series,
      span: { startMs, endMs: span.endMs + dayMs },
      resolution: "ZERO",
    } as const
    const from = (withValues: boolean) =>
      reader.statistics({ ...asked, withValues, exact: false }, null)[0]!
    const sorted = from(true).values!.slice().sort()
    assert.equal(sorted.length, 5700)
    const { statistics } = from(false)
    for (const [p, value] of [
      [0.05, statistics.percentile5],
      [0.5, statistics.median],
      [0.95, statistics.percentile95],
    ] as const) {
      assertRank(value, { sorted, p, about: `p ${p}` })
    }
  })
})
