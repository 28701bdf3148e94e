import assert from "node:assert/strict"
import {
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { ServiceError } from "../../../src/base/errors.ts"
import { cycleMs, dayMs } from "../../../src/model/resolution.ts"
import {
  backupStore,
  mustBeProbed,
  openWriteStore,
  restoreStore,
  verifyStore,
} from "../../../src/store/open.ts"
import { retentionMsDefault } from "../../../src/store/memory-retention.ts"
import type { WriteStore } from "../../../src/store/store.ts"
import { settleWriter } from "../../contract/store-harness.ts"
import { folderOf, openWriter, reading, writing } from "../../support/lmdb-folder.ts"
import {
  append,
  noonMs,
  plain,
  seededNumbers,
  seriesName,
  steadyRequests,
} from "../../support/samples.ts"

const span = { startMs: noonMs - dayMs, endMs: noonMs + 10 * dayMs }
const nowMs = (): number => Date.now()

/** Every value of a store, what is not folded included, ascending. */
async function valuesOf(folder: string): Promise<number[]> {
  const writer = openWriter(folder)
  try {
    return await reading(folder, (reader) => {
      const all = Array.from({ length: reader.catalogue.seriesCount }, (_, series) => {
        const open = writer.openSamples(Int32Array.of(series), span)
        const records = reader.samples(series, { span, resolution: "ZERO" }, open)
        return records.map(({ fields }) => fields.val!)
      })
      return all.flat().sort((left, right) => left - right)
    })
  } finally {
    await writer.close()
  }
}

function numbersTo(end: number): number[] {
  return Array.from({ length: end }, (_, i) => i)
}

/** A writer that stores the numbers from 0 on, a frame each; now and then with a new name. */
function counting(writer: WriteStore, seed: number) {
  const random = seededNumbers(seed)
  let next = 0
  return {
    stored: () => next,
    step(): void {
      const element = random() < 0.1 ? `host-${next}` : "host"
      append(writer, [plain(noonMs + next * 100, next, seriesName(element, "m"))])
      next++
      if (random() < 0.05)
        writer.catalogue.upsertElement(0, "host", { location: `${next}`, nowMs: 0 })
      // Folds begin, go on for a while, and end, beside whatever the backup does.
      const budgetMs = 0
      const clockMs = noonMs + next * 100 + cycleMs
      if (random() < 0.5) writer.maintain({ nowMs: clockMs + 60_000, budgetMs, idle: true })
    },
  }
}

const backups = 6

for (const seed of [1, 2, 3]) {
  test(`a backup under load is one moment, at or after its start (seed ${seed})`, async (t) => {
    const folder = folderOf(t)
    const kept = folderOf(t)
    const writer = openWriter(folder)
    const load = counting(writer, seed)
    const moments: { before: number; after: number }[] = []
    for (let i = 0; i < backups; i++) {
      for (let step = 0; step < 150; step++) load.step()
      const before = load.stored()
      let isDone = false
      const copying = backupStore(folder, join(kept, `${i}`), nowMs).finally(() => (isDone = true))
      while (!isDone) {
        load.step()
        await new Promise(setImmediate)
      }
      await copying
      moments.push({ before, after: load.stored() })
    }
    await writer.close()
    t.diagnostic(JSON.stringify(moments))

    for (const [i, { before, after }] of moments.entries()) {
      const restored = join(kept, `restored-${i}`)
      restoreStore(join(kept, `${i}`), restored)
      assert.equal(mustBeProbed(restored), false)
      const values = await valuesOf(restored)
      assert.ok(values.length >= before && values.length <= after, `${values.length} samples`)
      assert.deepEqual(values, numbersTo(values.length), "Expected all samples up to one moment")
      assert.deepEqual((await verifyStore(restored)).problems, [])
      await writing(restored, (again) => settleWriter(again, noonMs + 3 * dayMs))
      assert.deepEqual(await valuesOf(restored), values)
      assert.deepEqual((await verifyStore(restored)).problems, [])
    }
    assert.equal(existsSync(join(folder, "journal-hold")), false)
  })
}

async function backedUp(t: Parameters<typeof folderOf>[0]): Promise<string> {
  const folder = folderOf(t)
  const backup = join(folderOf(t), "backup")
  await writing(folder, (writer) => {
    const load = counting(writer, 1)
    for (let i = 0; i < 50; i++) load.step()
  })
  await backupStore(folder, backup, nowMs)
  return backup
}

const isStorage = (pattern: RegExp) => (error: unknown) =>
  error instanceof ServiceError && error.code === "storage" && pattern.test(error.message)

test("a store with values longer than a page is backed up", async (t) => {
  const folder = folderOf(t)
  const to = folderOf(t)
  await writing(folder, (writer) => {
    const plan = { fromMs: noonMs, toMs: noonMs + cycleMs, stepMs: 100 }
    append(writer, ...steadyRequests({ of: [seriesName("host", "m")], ...plan }))
    settleWriter(writer, noonMs + 2 * cycleMs)
  })
  await backupStore(folder, join(to, "backup"), nowMs)
  restoreStore(join(to, "backup"), join(to, "store"))
  assert.deepEqual(await valuesOf(join(to, "store")), await valuesOf(folder))
  assert.deepEqual((await verifyStore(join(to, "store"))).problems, [])
})

test("a backup that was damaged anywhere, cut, or not finished is refused", async (t) => {
  const backup = await backedUp(t)
  const restored = join(folderOf(t), "store")
  const path = join(backup, "data.mdb")
  const whole = readFileSync(path)
  const random = seededNumbers(7)
  for (let round = 0; round < 50; round++) {
    const bytes = Buffer.from(whole)
    bytes[Math.floor(random() * bytes.length)]! ^= 1 << (round % 8)
    writeFileSync(path, bytes)
    assert.throws(() => restoreStore(backup, restored), isStorage(/damaged: its checksum/))
    assert.equal(existsSync(join(restored, "data.mdb")), false)
  }
  writeFileSync(path, whole)
  truncateSync(path, whole.length - 4096)
  assert.throws(() => restoreStore(backup, restored), isStorage(/has \d+ of \d+ bytes/))
  writeFileSync(path, whole)
  restoreStore(backup, restored)
  assert.throws(() => restoreStore(backup, restored), isStorage(/has a store already/))
  rmSync(join(backup, "backup.json"))
  assert.throws(() => restoreStore(backup, folderOf(t)), isStorage(/not finished/))
})

test("a backup needs a store that is whole, and a folder that is new", async (t) => {
  const backup = await backedUp(t)
  const folder = folderOf(t)
  await assert.rejects(backupStore(folder, join(folder, "b"), nowMs), isStorage(/no store/))
  await assert.rejects(backupStore(backup, backup, nowMs), isStorage(/exists already/))
  restoreStore(backup, folder)
  const path = join(folder, "data.mdb")
  const bytes = readFileSync(path)
  bytes.fill(0, 8192, 8300)
  bytes.fill(0, bytes.length - 4096)
  writeFileSync(path, bytes)
  const other = join(folderOf(t), "other")
  await assert.rejects(backupStore(folder, other, nowMs), isStorage(/repair/))
  assert.equal(existsSync(other), false)
})

test("no segment is used again while a backup reads them, but for one that died", async (t) => {
  const folder = folderOf(t)
  const writer = openWriteStore({
    folder,
    retentionMs: retentionMsDefault,
    cycleGraceMs: 60_000,
    elapsedMs: () => 0,
    warn: () => {},
    trial: { segmentBytes: 4096 },
  })
  let next = 0
  const fillAndFold = (): number => {
    for (let i = 0; i < 600; i++) append(writer, [plain(noonMs + next++, 1)])
    settleWriter(writer, Date.now())
    return readdirSync(folder).filter((name) => /^journal-\d/.test(name)).length
  }
  fillAndFold()
  const usual = fillAndFold()
  const hold = join(folder, "journal-hold")
  writeFileSync(hold, "")
  fillAndFold()
  const held = fillAndFold()
  assert.ok(held > usual, `${held} segments, ${usual} before`)
  const longAgo = new Date(Date.now() - dayMs)
  utimesSync(hold, longAgo, longAgo)
  fillAndFold()
  assert.ok(fillAndFold() <= held)
  await writer.close()
})
