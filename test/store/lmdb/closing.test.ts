import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { cycleMs, dayMs } from "../../../src/model/resolution.ts"
import {
  dayBandsLength,
  openDayBands,
  packDayBands,
  packDayRun,
  unpackDayRun,
} from "../../../src/store/lmdb/encoding/bands-record.ts"
import { periodKey, textKey } from "../../../src/store/lmdb/disk/tables.ts"
import { MemoryStore } from "../../support/reference-store/memory-store.ts"
import {
  openReadStore,
  openWriteStore,
  scanStore,
  repairStore,
  verifyStore,
} from "../../../src/store/open.ts"
import type { CycleBatch } from "../../../src/store/cycle-store.ts"
import { emptyCycleBatch } from "../../support/store/empty-cycle-batch.ts"
import type { WriteStore } from "../../../src/store/store.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { folderOf, openWriter, tampering } from "../../support/store/lmdb-folder.ts"
import { append, cpu, noonMs, seriesName, steadyRequests } from "../../support/ingest/samples.ts"

const of = [cpu, seriesName("host-2", "cpu.total")]
const laterMs = noonMs + 3 * dayMs
const span = { startMs: noonMs - dayMs, endMs: noonMs + dayMs }

/** The closing of the cycle at noon: a gap fill, bands and a state. */
const part: CycleBatch = {
  ...emptyCycleBatch,
  cycle: noonMs / cycleMs,
  name: "0:0",
  gapFills: { series: Int32Array.of(0), actuals: Float64Array.of(7) },
  bands: { series: Int32Array.of(0, 1), values: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
  states: [{ kind: "k", key: [1], bytes: Uint8Array.of(1) }],
}

function fill(store: WriteStore): void {
  const plan = { fromMs: noonMs - 20 * cycleMs, toMs: noonMs, stepMs: 60_000 }
  append(store, ...steadyRequests({ of, ...plan }))
}

function recordsOf(store: Pick<MemoryStore, "samples">): unknown {
  return ["PT5M", "PT1H", "PT24H"].map((resolution) =>
    [0, 1].map(
      (series) =>
        store.samples(Int32Array.of(series), { span, resolution: resolution as "PT5M" }, null)[0]!,
    ),
  )
}

test("a batch closed between any two steps of a flush or compaction is not lost", async (t) => {
  const model = new MemoryStore()
  fill(model)
  model.commitCycle(part)
  const wanted = recordsOf(model)
  for (let steps = 0, isDone = false; !isDone; steps += 3) {
    const folder = folderOf(t)
    let elapsedMs = 0
    const writer = openWriteStore({
      folder,
      retentionMs: { ZERO: 15 * dayMs, PT5M: 90 * dayMs, PT1H: 395 * dayMs, PT24H: 1825 * dayMs },
      cycleGraceMs: 60_000,
      elapsedMs: () => (elapsedMs += 3_600_000),
      warn: (_, message) => assert.fail(message),
    })
    fill(writer)
    const moment = { nowMs: laterMs, budgetMs: 0, idle: true }
    isDone = true
    for (let i = 0; i < steps; i++) isDone = !writer.maintain(moment).moreDue
    isDone &&= steps > 0
    writer.commitCycle(part)
    maintainFully(writer, laterMs)
    const reader = openReadStore({ folder })
    assert.deepEqual(recordsOf(reader), wanted, `after ${steps} steps`)
    await reader.close()
    await writer.close()
    assert.deepEqual((await verifyStore(folder)).problems, [])
  }
})

test("days with unclosed cycles are not compacted", async (t) => {
  const folder = folderOf(t)
  const writer = openWriter(folder)
  fill(writer)
  const moment = { nowMs: laterMs, budgetMs: 1e9, idle: true }
  let compacted = 0
  for (let i = 0; i < 100; i++)
    compacted += writer.maintain({ ...moment, closedUpToMs: noonMs }).compacted
  assert.equal(compacted, 0)
  for (let i = 0; i < 100; i++)
    compacted += writer.maintain({ ...moment, closedUpToMs: laterMs }).compacted
  assert.equal(compacted, 1)
  await writer.close()
})

test("repair keeps synthetic cells and bands, and quarantines a damaged state", async (t) => {
  const folder = folderOf(t)
  const writer = openWriter(folder)
  fill(writer)
  maintainFully(writer, noonMs + cycleMs)
  writer.commitCycle(part)
  await writer.close()
  const before = openReadStore({ folder })
  const wanted = recordsOf(before)
  await before.close()
  await tampering(folder, ({ states }) => {
    states.put(Buffer.concat([textKey("k"), Buffer.of(0, 1)]), Buffer.from("no record"))
  })
  assert.deepEqual(scanStore(folder), [])
  assert.match((await verifyStore(folder)).problems.join(), /state/)
  const { done, problems } = await repairStore(folder, noonMs)
  assert.deepEqual([done, problems], [["a state of kind k: set aside"], []])
  const after = openReadStore({ folder })
  assert.deepEqual(recordsOf(after), wanted)
  assert.equal(after.state("k", Uint8Array.of(1)), undefined)
  await after.close()
})

const key = periodKey(20_000, 1)

test("bands of a day round-trip, with any of them missing", () => {
  const number = fc.oneof(
    { weight: 3, arbitrary: fc.float({ noNaN: true, noDefaultInfinity: true }) },
    { weight: 1, arbitrary: fc.constant(NaN) },
  )
  fc.assert(
    fc.property(fc.array(number, { maxLength: 40 }), fc.nat({ max: 9 }), (numbers, gap) => {
      const day = new Float32Array(dayBandsLength).fill(NaN)
      numbers.forEach((value, i) => (day[(i * 29 * (gap + 1)) % dayBandsLength] = value + 0))
      const record = packDayBands(key, [packDayRun(day, 0), packDayRun(new Float32Array(1152), 0)])
      const got = new Float32Array(dayBandsLength)
      const runs = openDayBands(key, record)
      assert.equal(runs.length, 2)
      unpackDayRun(runs[0]!, got, 0)
      assert.deepEqual(got, day)
    }),
  )
})

test("bands that are rounded to a 64th of the deviation take less than 1.5 bytes a number", () => {
  const day = new Float32Array(dayBandsLength)
  for (let cycle = 0; cycle < 288; cycle++) {
    const phase = (cycle / 288) * 2 * Math.PI
    const means = [40 + 25 * Math.sin(phase), 38 + 24 * Math.sin(phase + Math.sin(cycle * 7))]
    const deviations = [2 + Math.sin(phase), 1.5 + 0.2 * Math.sin(cycle * 13)]
    ;[means[0]!, deviations[0]!, means[1]!, deviations[1]!].forEach((value, column) => {
      day[column * 288 + cycle] = Math.round(value * 32) / 32
    })
  }
  const { length } = packDayRun(day, 0)
  assert.ok(length < dayBandsLength * 1.5, `${length} bytes of ${dayBandsLength} numbers`)
})
