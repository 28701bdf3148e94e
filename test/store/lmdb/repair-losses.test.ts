import assert from "node:assert/strict"
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { runRepair } from "../../../src/command/store/repair.ts"
import { dayMs, hourMs } from "../../../src/model/resolution.ts"
import { PageFile } from "../../../src/store/lmdb/integrity/page-file.ts"
import { dataFile } from "../../../src/store/lmdb/disk/store-files.ts"
import { packDocument } from "../../../src/store/lmdb/disk/record.ts"
import { textKey } from "../../../src/store/lmdb/disk/tables.ts"
import { scanStore, repairStore } from "../../../src/store/open.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { makeFolder, removeFolder } from "../../support/machine/folder.ts"
import { folderOf, reading, tampering, writing } from "../../support/store/lmdb-folder.ts"
import { append, noonMs, seriesName, steadyRequests } from "../../support/ingest/samples.ts"

const span = { startMs: noonMs - 6 * dayMs, endMs: noonMs + dayMs }
const hosts = Array.from({ length: 40 }, (_, i) => `host-${i}`)

async function filled(folder: string): Promise<void> {
  await writing(folder, (writer) => {
    const of = hosts.flatMap((host) => ["cpu", "disk"].map((metric) => seriesName(host, metric)))
    for (let day = 5; day > 0; day--) {
      const fromMs = noonMs - day * dayMs
      append(writer, ...steadyRequests({ of, fromMs, toMs: fromMs + hourMs, stepMs: 300_000 }))
      maintainFully(writer, noonMs)
    }
  })
}

async function samplesIn(folder: string): Promise<number> {
  return reading(folder, (reader) => {
    let samples = 0
    for (let series = 0; series < reader.catalogue.seriesCount; series++) {
      samples += reader.samples(Int32Array.of(series), { span, resolution: "ZERO" }, null)[0]!
        .length
    }
    return samples
  })
}

/** Runs the command; returns its output and status. */
async function repaired(folder: string): Promise<{ status: number; text: string }> {
  const lines: string[] = []
  const repair = (of: string) => repairStore(of, noonMs)
  const print = (line: string): void => void lines.push(line)
  const status = await runRepair(folder, { repairStore: repair, print })
  return { status, text: lines.join("\n") }
}

test("the losses of a truncated file are counted, and the status is 1 (E9)", async (t) => {
  const whole = folderOf(t)
  await filled(whole)
  const all = await samplesIn(whole)
  const { size } = statSync(join(whole, dataFile))
  let opened = 0
  for (let part = 1; part < 12; part++) {
    const folder = makeFolder()
    cpSync(whole, folder, { recursive: true })
    truncateSync(join(folder, dataFile), Math.floor((size * part) / 12))
    if (scanStore(folder).length === 0) continue
    const outcome = await repaired(folder).catch((error: Error) => error)
    if (outcome instanceof Error) {
      assert.match(outcome.message, /Nothing can be read.* pages of \d+ bytes are left of the file/)
    } else {
      opened++
      const left = await samplesIn(folder)
      assert.match(outcome.text, /^lost: data\.mdb is \d+ bytes shorter than it was left$/m)
      if (left < all) assert.match(outcome.text, /entries (are lost|is not known)|raw samples/)
      assert.equal(outcome.status, 1, outcome.text)
    }
    removeFolder(folder)
  }
  assert.ok(opened > 0)
})

function newestHead(path: string) {
  const file = new PageFile(path)
  try {
    return { ...file.meta(), pageBytes: file.pageBytes }
  } finally {
    file.close()
  }
}

test("a cut that leaves only the older of the two heads is reported", async (t) => {
  const folder = folderOf(t)
  await filled(folder)
  const path = join(folder, dataFile)
  let [older, newer] = [newestHead(path), newestHead(path)]
  const isOlderBefore = () =>
    newer.transaction === older.transaction + 1 && newer.main.root > older.main.root
  // LMDB takes free pages anywhere in the file.
  for (let commits = 0; commits < 20 && !isOlderBefore(); commits++) {
    await tampering(folder, ({ documents }) => {
      const key = textKey(`test\0${commits}`)
      documents.putSync(key, packDocument(key, {}))
    })
    ;[older, newer] = [newer, newestHead(path)]
  }
  assert.ok(isOlderBefore())
  rmSync(join(folder, "run.json"), { force: true })
  truncateSync(path, newer.main.root * newer.pageBytes)
  const outcome = await repaired(folder)
  assert.match(outcome.text, /^lost: the last transaction, as far as the WAL does not have it /m)
  assert.equal(outcome.status, 1, outcome.text)
})

test("a file whose first page is gone is read from its second head", async (t) => {
  const folder = folderOf(t)
  await filled(folder)
  const all = await samplesIn(folder)
  const path = join(folder, dataFile)
  const { transaction, pageBytes } = newestHead(path)
  // Each commit writes the other head, and the first page must have the older one.
  if (transaction % 2 === 0) {
    await tampering(folder, ({ documents }) => {
      const key = textKey("test\0one")
      documents.put(key, packDocument(key, {}))
    })
  }
  rmSync(join(folder, "run.json"), { force: true })
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0, 0, pageBytes))
  const { text, status } = await repaired(folder)
  assert.equal(await samplesIn(folder), all, text)
  assert.equal(status, 1, text)
})

test("damaged samples are reported with time, metric and elements", async (t) => {
  const folder = folderOf(t)
  await filled(folder)
  await tampering(folder, (tables) => {
    const [first] = [...tables.raw.getRange({ limit: 1 })]
    const value = Buffer.from(first!.value)
    value[value.length - 1]! ^= 1
    tables.raw.putSync(Buffer.from(first!.key), value)
  })
  const { status, text } = await repaired(folder)
  assert.equal(status, 1)
  assert.match(
    text,
    /^lost: raw samples of compacted days from 2026-11-13T12:00Z to 2026-11-13T18:00Z of metric "cpu" of host-0, host-1, host-2, host-3, host-4 and 35 more$/m,
  )
  assert.match(text, /things mended, \d+ lost, 0 left/)
})

test("recomputed rollups are no loss, and the status is 0", async (t) => {
  const folder = folderOf(t)
  await filled(folder)
  await tampering(folder, (tables) => {
    const keys = [...tables.hours.getKeys({})].map((key) => Buffer.from(key))
    for (const key of keys) tables.hours.putSync(key, packDocument(key, "damaged").subarray(1))
  })
  const { status, text } = await repaired(folder)
  assert.equal(status, 0, text)
  assert.match(text, /, 0 lost, 0 left$/m)
})
