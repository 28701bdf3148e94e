/** Backups to a vault: one moment each, what changed alone, whole after any interruption. */

import assert from "node:assert/strict"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { ServiceError } from "../../../src/base/errors.ts"
import { cycleMs } from "../../../src/model/resolution.ts"
import type { VaultBackupReport } from "../../../src/store/backup-vault.ts"
import { backUpLmdbToVault } from "../../../src/store/lmdb/backup/vault-backup.ts"
import {
  formatChangeOf,
  listBackups,
  needsScan,
  openReadStore,
  restoreFromVault,
  scanStore,
  verifyStore,
} from "../../../src/store/open.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { folderOf, openWriter, writing } from "../../support/store/lmdb-folder.ts"
import { MemoryVault } from "../../support/store/memory-vault.ts"
import { append, noonMs, plain, seededNumbers } from "../../support/ingest/samples.ts"
import { beside, counting, valuesOf } from "./backup-run.ts"

/** Small, so that a small store has many. */
const chunkBytes = 16 * 1024
let clockMs = Date.UTC(2026, 0, 5)

interface Options {
  readonly store?: string
  readonly keep?: number
  readonly onPoint?: (name: string) => void
  readonly isStopping?: () => boolean
  /** Of the clock; a minute after the backup before. */
  readonly takenMs?: number
}

/** Backups of one test are a minute apart. */
function take(folder: string, vault: MemoryVault, more: Options = {}): Promise<VaultBackupReport> {
  const rest = { store: "one", keep: 3, nowMs: Date.now, isStopping: () => false }
  const takenMs = (clockMs += 60_000)
  const options = { folder, vault, takenMs, pace: <T>(work: () => T) => work(), ...rest, ...more }
  return backUpLmdbToVault(options, chunkBytes)
}

async function restored(t: TestContext, vault: MemoryVault, name: string | null = null) {
  const folder = folderOf(t)
  await restoreFromVault(vault, name, folder)
  return folder
}

const isStorage = (pattern: RegExp) => (error: unknown) =>
  error instanceof ServiceError && error.code === "storage" && pattern.test(error.message)

async function filled(t: TestContext, count = 50): Promise<string> {
  const folder = folderOf(t)
  await writing(folder, (writer) => {
    const load = counting(writer, 1, 0)
    for (let i = 0; i < count; i++) load.step()
  })
  return folder
}

for (const seed of [1, 2, 3]) {
  test(`a backup under load is one moment, at or after its start (seed ${seed})`, async (t) => {
    const folder = folderOf(t)
    const vault = new MemoryVault()
    const writer = openWriter(folder)
    const load = counting(writer, seed)
    for (let i = 0; i < 6; i++) {
      for (let step = 0; step < 150; step++) load.step()
      const before = load.stored()
      // The load runs between two chunks.
      const pause = () => new Promise<void>((resolve) => setImmediate(resolve))
      const pace = <T>(work: () => Promise<T>) => pause().then(work)
      const rest = { store: "one", keep: 9, nowMs: Date.now, isStopping: () => false, pace }
      const takenMs = (clockMs += 60_000)
      await beside(backUpLmdbToVault({ folder, vault, takenMs, ...rest }, chunkBytes), load.step)
      const after = load.stored()
      const copy = await restored(t, vault)
      assert.equal(needsScan(copy), false)
      const values = await valuesOf(copy)
      assert.ok(values.length >= before && values.length <= after, `${values.length} samples`)
      assert.deepEqual(
        values,
        Array.from(values, (_, n) => n),
      )
      assert.deepEqual((await verifyStore(copy)).problems, [])
      await writing(copy, (again) => maintainFully(again, noonMs + 30 * 86_400_000))
      assert.deepEqual(scanStore(copy), [])
      assert.deepEqual(await valuesOf(copy), values)
      assert.equal(existsSync(join(folder, "journal-hold")), false)
    }
    await writer.close()
  })
}

test("a snapshot stays what it is while the store writes over free pages", async (t) => {
  const folder = folderOf(t)
  const vault = new MemoryVault()
  const random = seededNumbers(5)
  const writer = openWriter(folder)
  let count = 0
  const fill = (): void => {
    for (let i = 0; i < 300; i++) append(writer, [plain(noonMs + count++ * 50, random())])
    maintainFully(writer, noonMs + count * 50 + 2 * cycleMs)
  }
  fill()
  const before = count
  let chunks = 0
  const pace = async <T>(work: () => Promise<T>): Promise<T> => {
    if (chunks++ % 4 === 2) fill()
    return work()
  }
  const rest = { store: "one", keep: 3, nowMs: Date.now, isStopping: () => false, pace }
  await backUpLmdbToVault({ folder, vault, takenMs: (clockMs += 60_000), ...rest }, chunkBytes)
  assert.ok(count > before, "Expected writes during the backup")
  await writer.close()
  const copy = await restored(t, vault)
  assert.equal((await valuesOf(copy)).length, before)
  assert.deepEqual((await verifyStore(copy)).problems, [])
})

test("a second backup stores what changed alone, and both are restored", async (t) => {
  const folder = await filled(t, 2000)
  const vault = new MemoryVault()
  const first = await take(folder, vault)
  assert.equal(first.newChunks, first.chunks - repeats(first, vault))
  await writing(folder, (writer) => append(writer, [plain(noonMs + 3_000_000, 7)]))
  const second = await take(folder, vault)
  assert.ok(second.newChunks * 2 < first.newChunks, JSON.stringify({ first, second }))
  assert.equal((await take(folder, vault)).newChunks, 0)
  const [one, two] = [await restored(t, vault, first.name), await restored(t, vault, second.name)]
  assert.equal((await valuesOf(one)).length + 1, (await valuesOf(two)).length)
  const all = await listBackups(vault)
  assert.deepEqual(
    all.slice(0, 2).map(({ name, problem }) => [name, problem]),
    [first, second].map(({ name }) => [name, null]),
  )
})

/** Chunks of a first backup that occur twice, such as zeros. */
function repeats({ chunks }: VaultBackupReport, { files }: MemoryVault): number {
  return chunks - [...files.keys()].filter((path) => path.startsWith("chunks/")).length
}

test("the newest backups are kept, and no chunk that none of them names", async (t) => {
  const folder = await filled(t)
  const vault = new MemoryVault()
  const names: string[] = []
  for (let i = 0; i < 5; i++) {
    await writing(folder, (writer) => append(writer, [plain(noonMs + 10_000_000 + i, i)]))
    names.push((await take(folder, vault, { keep: 2 })).name)
  }
  assert.deepEqual(
    (await listBackups(vault)).map(({ name }) => name),
    names.slice(-2),
  )
  for (const name of names.slice(-2)) await restored(t, vault, name)
  const named = names.slice(-2).flatMap((name) => {
    const [line] = vault.files.get(`backups/${name}.json`)!.toString().split("\n")
    const { files } = JSON.parse(line!) as { files: { chunks: string[] }[] }
    return files.flatMap(({ chunks }) => chunks)
  })
  const kept = [...vault.files.keys()].filter((path) => path.startsWith("chunks/"))
  assert.deepEqual(kept.map((path) => path.slice("chunks/00/".length)).sort(), [
    ...new Set(named.sort()),
  ])
})

test("the order is that of writing, although the clock was ahead for a backup", async (t) => {
  const folder = await filled(t)
  const vault = new MemoryVault()
  const ahead = await take(folder, vault, { takenMs: Date.UTC(2036, 0, 1) })
  await writing(folder, (writer) => append(writer, [plain(noonMs + 10_000_000, 1)]))
  const right = await take(folder, vault)
  const namesOf = async () => (await listBackups(vault)).map(({ name }) => name)
  assert.deepEqual(await namesOf(), [ahead.name, right.name])
  assert.deepEqual(await valuesOf(await restored(t, vault)), await valuesOf(folder))
  const last = await take(folder, vault, { keep: 1 })
  assert.deepEqual(await namesOf(), [last.name])
})

test("backups of versions without an ordinal come first, by their moments", async (t) => {
  const folder = await filled(t)
  const vault = new MemoryVault()
  const { name } = await take(folder, vault)
  const manifest = vault.files.get(`backups/${name}.json`)!
  vault.files.delete(`backups/${name}.json`)
  const earlier = ["2026-01-05T000100Z", "2036-01-01T000000Z"]
  for (const one of earlier) vault.files.set(`backups/${one}.json`, manifest)
  const next = await take(folder, vault)
  const all = (await listBackups(vault)).map((one) => one.name)
  assert.deepEqual(all, [...earlier, next.name])
})

test("a failure at any call leaves earlier backups whole, and the next succeeds", async (t) => {
  const folder = await filled(t)
  const vault = new MemoryVault()
  await take(folder, vault, { keep: 1 })
  for (let calls = 0; ; calls++) {
    await writing(folder, (writer) => append(writer, [plain(noonMs + 10_000_000 + calls, 1)]))
    vault.callsLeft = calls
    const failed = await take(folder, vault, { keep: 1 }).then(
      () => false,
      (error: unknown) => isStorage(/memory failed at/)(error),
    )
    vault.callsLeft = Infinity
    for (const { name } of await listBackups(vault)) await restored(t, vault, name)
    if (!failed) break
  }
  const { files } = vault
  await take(folder, vault, { keep: 1 })
  assert.equal([...files.keys()].filter((path) => path.startsWith("backups/")).length, 1)
  assert.equal(existsSync(join(folder, "journal-hold")), false)
})

test("a damaged or missing chunk or manifest is named, and no store is left", async (t) => {
  const folder = await filled(t)
  const vault = new MemoryVault()
  const { name } = await take(folder, vault)
  const target = join(folderOf(t), "store")
  const restore = () => restoreFromVault(vault, null, target)
  const random = seededNumbers(3)
  const paths = [...vault.files.keys()].filter((path) => path.startsWith("chunks/"))
  for (const path of paths) {
    const whole = vault.files.get(path)!
    const bytes = Buffer.from(whole)
    bytes[Math.floor(random() * bytes.length)]! ^= 1
    vault.files.set(path, bytes)
    await assert.rejects(restore(), isStorage(new RegExp(`"${path}".* is damaged.*bytes \\d+ to`)))
    assert.deepEqual(readdirSync(target), [])
    vault.files.delete(path)
    await assert.rejects(restore(), isStorage(new RegExp(`"${path}".* is missing: bytes \\d+ to`)))
    vault.files.set(path, whole)
  }
  const manifest = `backups/${name}.json`
  const text = vault.files.get(manifest)!
  vault.files.set(manifest, Buffer.from(text.toString().replace('"bytes":', '"bytes":1')))
  await assert.rejects(restore(), isStorage(new RegExp(`"${manifest}".* is damaged`)))
  assert.match((await listBackups(vault))[0]!.problem!, /is damaged/)
  vault.files.set(manifest, text)
  await restore()
  await assert.rejects(restore(), isStorage(/has a store already/))
})

test("nothing is removed while a manifest that is kept cannot be read", async (t) => {
  const folder = await filled(t)
  const vault = new MemoryVault()
  for (let i = 0; i < 3; i++) await take(folder, vault, { keep: 3 })
  const [first, second] = await listBackups(vault)
  vault.files.set(`backups/${second!.name}.json`, Buffer.from("{}\n0\n"))
  const report = await take(folder, vault, { keep: 3 })
  assert.match(report.collectProblem!, new RegExp(`Nothing was removed: .*${second!.name}`))
  await restored(t, vault, first!.name)
})

test("a vault of another installation is refused, and so are later formats", async (t) => {
  const folder = await filled(t)
  const vault = new MemoryVault()
  const { name } = await take(folder, vault)
  await assert.rejects(take(folder, vault, { store: "two" }), isStorage(/another installation/))
  const path = `backups/${name}.json`
  const [line] = vault.files.get(path)!.toString().split("\n")
  const { encodeManifest } = await import("../../../src/store/lmdb/backup/vault-manifest.ts")
  const later = { ...JSON.parse(line!), formatVersion: 99 } as Parameters<typeof encodeManifest>[0]
  vault.files.set(path, encodeManifest(later))
  const told =
    /format 99, this version of Tidegauge knows formats up to \d+: restore it with the new/
  await assert.rejects(restored(t, vault), isStorage(told))
})

test("a backup ends between two chunks when the server stops", async (t) => {
  const folder = await filled(t)
  const vault = new MemoryVault()
  let chunks = 0
  const stopping = take(folder, vault, { isStopping: () => ++chunks > 2 })
  await assert.rejects(stopping, (error: unknown) => (error as ServiceError).code === "stopping")
  assert.deepEqual(await listBackups(vault), [])
  // The pinned snapshot is released: a reader opens, and the next backup takes the chunks over.
  await openReadStore({ folder }).close()
  const { newChunks, chunks: all } = await take(folder, vault)
  assert.ok(newChunks < all)
})

test("a folder with an unfinished restore is no store until it is repeated", async (t) => {
  const folder = await filled(t)
  const vault = new MemoryVault()
  await take(folder, vault)
  const target = folderOf(t)
  mkdirSync(join(target, "restore-new"))
  // As after a crash between the two renames.
  writeFileSync(join(target, "journal-0"), "")
  assert.throws(() => openWriter(target), isStorage(/was not finished: run it again/))
  assert.throws(() => formatChangeOf(target), isStorage(/was not finished/))
  assert.deepEqual(readdirSync(target).sort(), ["journal-0", "restore-new"])
  await restoreFromVault(vault, null, target)
  assert.deepEqual(await valuesOf(target), await valuesOf(folder))
})
