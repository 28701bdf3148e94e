import assert from "node:assert/strict"
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { ServiceError } from "../../../src/base/errors.ts"
import { cycleMs, dayMs } from "../../../src/model/resolution.ts"
import { readWal } from "../../../src/store/lmdb/wal/segment-files.ts"
import { fileChecksum } from "../../../src/store/lmdb/disk/file-checksum.ts"
import { pageBytesOf } from "../../../src/store/lmdb/integrity/page-file.ts"
import {
  backupStore,
  needsScan,
  openWriteStore,
  scanStore,
  repairStore,
  restoreStore,
  verifyStore,
} from "../../../src/store/open.ts"
import { retentionMsDefault } from "../../support/reference-store/memory-retention.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { folderOf, moveToInbox, openWriter, writing } from "../../support/store/lmdb-folder.ts"
import { append, noonMs, plain, seededNumbers } from "../../support/ingest/samples.ts"
import { backupRun, counting, valuesOf } from "./backup-run.ts"

const nowMs = (): number => Date.now()

for (const seed of [1, 2, 3]) {
  test(`a backup under load is one moment, at or after its start (seed ${seed})`, async (t) => {
    t.diagnostic(JSON.stringify(await backupRun(seed)))
  })
}

test("a backup keeps values of many pages, after a restore and a crash", async (t) => {
  const folder = folderOf(t)
  const backup = join(folderOf(t), "backup")
  const restored = folderOf(t)
  const random = seededNumbers(11)
  const sent = Array.from({ length: 4000 }, () => random())
  const isSent = (values: number[]): void => {
    assert.deepEqual(
      values,
      [...sent].sort((left, right) => left - right),
    )
  }
  await writing(folder, (writer) => {
    sent.forEach((value, i) => append(writer, [plain(noonMs + i * 50, value)]))
    // The day is not over: flushed samples stay in recent records, of up to 48 kB here.
    maintainFully(writer, noonMs + 2 * cycleMs)
  })

  await backupStore(folder, backup, nowMs)
  restoreStore(backup, restored)

  isSent(await valuesOf(restored))
  assert.deepEqual((await verifyStore(restored)).problems, [])
  const writer = openWriter(restored)
  append(writer, [plain(noonMs + cycleMs, 2)])
  sent.push(2)
  maintainFully(writer, noonMs + 3 * cycleMs)
  const crashed = folderOf(t)
  cpSync(restored, crashed, { recursive: true })
  // The process in the lock is this one, which is alive.
  rmSync(join(crashed, "run.json"))
  await writer.close()
  assert.equal(needsScan(crashed), true)
  assert.deepEqual(scanStore(crashed), [])
  assert.deepEqual((await repairStore(crashed, noonMs)).done, [])
  isSent(await valuesOf(crashed))
})

async function backedUp(t: Parameters<typeof folderOf>[0]): Promise<string> {
  const folder = folderOf(t)
  const backup = join(folderOf(t), "backup")
  await writing(folder, (writer) => {
    const load = counting(writer, 1, 0)
    for (let i = 0; i < 50; i++) load.step()
  })
  await backupStore(folder, backup, nowMs)
  return backup
}

const isStorage = (pattern: RegExp) => (error: unknown) =>
  error instanceof ServiceError && error.code === "storage" && pattern.test(error.message)

test("a damaged, truncated or unfinished backup is refused", async (t) => {
  const backup = await backedUp(t)
  const restored = join(folderOf(t), "store")
  const random = seededNumbers(7)
  for (const name of ["data.mdb", "journal-0"]) {
    const path = join(backup, name)
    const whole = readFileSync(path)
    for (let round = 0; round < 50; round++) {
      const bytes = Buffer.from(whole)
      bytes[Math.floor(random() * bytes.length)]! ^= 1 << (round % 8)
      writeFileSync(path, bytes)
      assert.throws(() => restoreStore(backup, restored), isStorage(/damaged: its checksum/))
      assert.equal(existsSync(restored), false)
    }
    writeFileSync(path, whole)
    truncateSync(path, whole.length - 8)
    assert.throws(() => restoreStore(backup, restored), isStorage(/has \d+ of \d+ bytes/))
    rmSync(path)
    assert.throws(() => restoreStore(backup, restored), isStorage(/missing/))
    assert.equal(existsSync(restored), false)
    writeFileSync(path, whole)
  }
  const manifest = readFileSync(join(backup, "backup.json"), "utf8")
  const { wal: _, ...without } = JSON.parse(manifest) as { wal: unknown }
  writeFileSync(join(backup, "backup.json"), JSON.stringify(without))
  assert.throws(() => restoreStore(backup, restored), isStorage(/does not name "journal-0"/))
  writeFileSync(join(backup, "backup.json"), manifest)
  restoreStore(backup, restored)
  assert.throws(() => restoreStore(backup, restored), isStorage(/has a store already/))
  rmSync(join(backup, "backup.json"))
  assert.throws(() => restoreStore(backup, folderOf(t)), isStorage(/not finished/))
})

/** A store of a format before 6 with unflushed batches in LMDB and in the WAL, and its values. */
async function earlierStore(t: Parameters<typeof folderOf>[0]) {
  const folder = folderOf(t)
  await writing(folder, (writer) => {
    for (let value = 0; value < 30; value++) append(writer, [plain(noonMs + value, value)])
  })
  await moveToInbox(folder)
  return { folder, values: Array.from({ length: 30 }, (_, value) => value) }
}

test("a backup of an earlier version is restored", async (t) => {
  const { folder: backup, values } = await earlierStore(t)
  for (const name of readdirSync(backup)) if (name !== "data.mdb") rmSync(join(backup, name))
  const path = join(backup, "data.mdb")
  const sum = { bytes: statSync(path).size, checksum: fileChecksum(path) }
  writeFileSync(join(backup, "backup.json"), JSON.stringify({ formatVersion: 5, ...sum }))
  const restored = folderOf(t)
  assert.equal(restoreStore(backup, restored).bytes, sum.bytes)
  assert.deepEqual(await valuesOf(restored), values)
})

test("a backup of a store of an earlier format has its batches", async (t) => {
  const { folder, values } = await earlierStore(t)
  const [backup, restored] = [join(folderOf(t), "backup"), folderOf(t)]
  await backupStore(folder, backup, nowMs)
  restoreStore(backup, restored)
  assert.deepEqual(await valuesOf(restored), values)
  assert.deepEqual((await verifyStore(restored)).problems, [])
})

test("a backup fails if the log is rewritten meanwhile, and the next one succeeds", async (t) => {
  const folder = folderOf(t)
  await writing(folder, (writer) => {
    for (const value of [1, 2]) append(writer, [plain(noonMs + value, value)])
  })
  const [, last] = readWal(folder).records
  const path = join(folder, "journal-0")
  const bytes = readFileSync(path)
  bytes[bytes.indexOf(last!.batch.bytes) + 40]! ^= 1
  writeFileSync(path, bytes)

  const backup = join(folderOf(t), "backup")
  const running = backupStore(folder, backup, nowMs)
  await writing(folder, (writer) => assert.equal(writer.unflushedSampleCount, 1))
  await assert.rejects(running, isStorage(/recovered meanwhile: take the backup again/))
  assert.equal(existsSync(backup), false)
  await backupStore(folder, backup, nowMs)
  const restored = folderOf(t)
  restoreStore(backup, restored)
  assert.deepEqual(await valuesOf(restored), [1])
})

test("a backup needs an intact store and a new folder", async (t) => {
  const backup = await backedUp(t)
  const folder = folderOf(t)
  await assert.rejects(backupStore(folder, join(folder, "b"), nowMs), isStorage(/no store/))
  await assert.rejects(backupStore(backup, backup, nowMs), isStorage(/exists already/))
  restoreStore(backup, folder)
  const path = join(folder, "data.mdb")
  const bytes = readFileSync(path)
  const pageBytes = pageBytesOf(bytes)
  bytes.fill(0, 2 * pageBytes, 2 * pageBytes + 100)
  bytes.fill(0, bytes.length - pageBytes)
  writeFileSync(path, bytes)
  const other = join(folderOf(t), "other")
  await assert.rejects(backupStore(folder, other, nowMs), isStorage(/repair/))
  assert.equal(existsSync(other), false)
})

test("no segment is reused while a backup reads them, unless the backup died", async (t) => {
  const folder = folderOf(t)
  const writer = openWriteStore({
    folder,
    retentionMs: retentionMsDefault,
    cycleGraceMs: 60_000,
    elapsedMs: () => 0,
    warn: () => {},
    faults: { segmentBytes: 4096 },
  })
  let next = 0
  const fillAndFlush = (): number => {
    for (let i = 0; i < 600; i++) append(writer, [plain(noonMs + next++, 1)])
    maintainFully(writer, Date.now())
    return readdirSync(folder).filter((name) => /^journal-\d/.test(name)).length
  }
  fillAndFlush()
  const usual = fillAndFlush()
  const hold = join(folder, "journal-hold")
  writeFileSync(hold, "")
  fillAndFlush()
  const held = fillAndFlush()
  assert.ok(held > usual, `${held} segments, ${usual} before`)
  const longAgo = new Date(Date.now() - dayMs)
  utimesSync(hold, longAgo, longAgo)
  fillAndFlush()
  assert.ok(fillAndFlush() <= held)
  await writer.close()
})
