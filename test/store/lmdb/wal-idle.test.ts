import assert from "node:assert/strict"
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { dayMs } from "../../../src/model/resolution.ts"
import { retentionMsDefault } from "../../support/reference-store/memory-retention.ts"
import { openReadStore, openWriteStore } from "../../../src/store/open.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { folderOf, openWriter } from "../../support/store/lmdb-folder.ts"
import { append, noonMs, plain } from "../../support/ingest/samples.ts"

const burst = 600
/** One that is written to and one that is free. */
const resting = 2

test("segments of a burst are given back at rest only, and nothing is lost by it", async (t) => {
  const folder = folderOf(t)
  let elapsedMs = 0
  const writer = openWriteStore({
    folder,
    retentionMs: retentionMsDefault,
    cycleGraceMs: 60_000,
    elapsedMs: () => elapsedMs,
    warn: () => assert.fail("Expected nothing to warn of"),
    faults: { segmentBytes: 4096 },
  })
  const segments = () => readdirSync(folder).filter((name) => /^journal-\d/.test(name)).length
  const look = (nowMs = noonMs) => writer.maintain({ nowMs, budgetMs: 1_000, idle: false })

  for (let i = 0; i < burst; i++) append(writer, [plain(noonMs - 7_200_000 + i, i)])
  maintainFully(writer, noonMs)
  append(writer, [plain(noonMs - 3_600_000, burst)])
  maintainFully(writer, noonMs)
  const most = segments()
  assert.ok(most > resting + 1, `${most} segments`)
  elapsedMs += 89_999
  look()
  assert.equal(segments(), most, "the next burst may be on its way")
  elapsedMs += 1
  const hold = join(folder, "journal-hold")
  writeFileSync(hold, "")
  look(Date.now())
  assert.equal(segments(), most, "a backup reads them")
  rmSync(hold)
  append(writer, [plain(noonMs, burst + 1)])
  look()
  assert.equal(segments(), most - 1, "one at a time")
  for (let i = 0; i < most; i++) look()
  assert.equal(segments(), resting)
  const { wal } = writer.figures()
  assert.deepEqual([wal.segments, wal.bytes], [resting, resting * 4096])
  assert.ok(wal.truncations >= 2)
  const syncs = wal.syncs.counts.reduce((sum, each) => sum + each, 0)
  assert.equal(syncs, burst + 2, "one for each append")
  await writer.close()

  const again = openWriter(folder)
  const reader = openReadStore({ folder })
  const span = { startMs: noonMs - dayMs, endMs: noonMs + dayMs }
  const open = again.unflushedSamples(Int32Array.of(0), span)
  assert.deepEqual([...open.values], [burst + 1])
  const question = { span, resolution: "ZERO" as const, withValues: true, exact: true }
  const [told] = reader.statistics({ ...question, series: Int32Array.of(0) }, open)
  assert.equal(told?.statistics.count, burst + 2)
  assert.equal(told?.statistics.sum, ((burst + 1) * (burst + 2)) / 2)
  await reader.close()
  await again.close()
})
