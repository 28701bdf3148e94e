/** Repair of unflushed batches: in the WAL, and in LMDB as earlier formats left them. */

import assert from "node:assert/strict"
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { dayMs } from "../../../src/model/resolution.ts"
import { openEarlierTable, type Tables } from "../../../src/store/lmdb/disk/tables.ts"
import type { Table } from "../../../src/store/lmdb/disk/table.ts"
import { readWal } from "../../../src/store/lmdb/wal/segment-files.ts"
import { repairStore, scanStore } from "../../../src/store/open.ts"
import {
  folderOf,
  moveToInbox,
  openWriter,
  reading,
  tampering,
  writing,
  type Warning,
} from "../../support/store/lmdb-folder.ts"
import { append, noonMs, plain, seriesName } from "../../support/ingest/samples.ts"

const span = { startMs: noonMs - dayMs, endMs: noonMs + dayMs }

/** Five batches; number `i` has the value 10 i of host-0 and 10 i + 1 of host-1. */
async function filled(t: TestContext): Promise<string> {
  const folder = folderOf(t)
  await writing(folder, (writer) => {
    for (let i = 1; i <= 5; i++) {
      append(
        writer,
        [0, 1].map((host) => plain(noonMs + i, 10 * i + host, seriesName(`host-${host}`, "cpu"))),
      )
    }
  })
  return folder
}

/** All values of the store, ascending, and how often the start warned. */
async function valuesIn(folder: string): Promise<{ values: number[]; warnings: number }> {
  const warnings: Warning[] = []
  const writer = openWriter(folder, warnings)
  try {
    const values = await reading(folder, ({ catalogue }) =>
      Array.from({ length: catalogue.seriesCount }, (_, series) => [
        ...writer.unflushedSamples(Int32Array.of(series), span).values,
      ]),
    )
    return { values: values.flat().sort((a, b) => a - b), warnings: warnings.length }
  } finally {
    await writer.close()
  }
}

/** Flips a bit in the middle of the nth value of a table. */
function flip(folder: string, tableIn: (tables: Tables) => Table, nth: number): Promise<void> {
  return tampering(folder, (tables) => {
    const table = tableIn(tables)
    const { key, value } = [...table.getRange()][nth]!
    const bytes = Buffer.from(value)
    bytes[bytes.length >> 1]! ^= 1
    table.put(Buffer.from(key), bytes)
  })
}

/** Flips a bit of the record of this number. */
function flipRecord(folder: string, sequence: number): void {
  const { batch } = readWal(folder).records.find((record) => record.sequence === sequence)!
  const path = join(folder, "journal-0")
  const bytes = readFileSync(path)
  bytes[bytes.indexOf(batch.bytes) + batch.bytes.length - 1]! ^= 1
  writeFileSync(path, bytes)
}

function quarantined(folder: string): string[] {
  const [name] = readdirSync(folder).filter((each) => each.startsWith("quarantine-"))
  return name === undefined ? [] : readdirSync(join(folder, name)).map((each) => join(name, each))
}

test("a damaged batch of an earlier format is set aside, the others move", async (t) => {
  const folder = await filled(t)
  await moveToInbox(folder)
  await flip(folder, (tables) => openEarlierTable(tables)!, 2)
  const { done, lost, problems } = await repairStore(folder, noonMs)
  assert.match(done.join("\n"), /^batch 3: set aside: .*checksum/)
  assert.match(lost.join("\n"), /^a batch of unflushed samples/)
  assert.deepEqual(problems, [])
  assert.equal(await tampering(folder, openEarlierTable), null)
  assert.match(quarantined(folder).join(), /inbox-0+3$/)
  assert.deepEqual(
    readWal(folder).records.map(({ sequence }) => sequence),
    [1, 2, 4, 5],
  )
  const values = [10, 11, 20, 21, 40, 41, 50, 51]
  assert.deepEqual(await valuesIn(folder), { values, warnings: 0 })
})

test("intact batches of an earlier format are left to the next start", async (t) => {
  const folder = await filled(t)
  await moveToInbox(folder)
  assert.deepEqual((await repairStore(folder, noonMs)).done, [])
  assert.notEqual(await tampering(folder, openEarlierTable), null)
})

test("a lost series and a damaged record are left out of a clean log", async (t) => {
  const folder = await filled(t)
  flipRecord(folder, 2)
  await flip(folder, ({ elements }) => elements, 1)
  const { done, lost, problems } = await repairStore(folder, noonMs)
  assert.deepEqual(problems, [])
  const text = done.join("\n")
  assert.match(text, /journal-0, \d+ bytes at \d+: set aside: .*checksum/)
  for (const sequence of [1, 3, 4, 5]) {
    assert.match(text, new RegExp(`batch ${sequence}: 1 samples of lost series left out`))
  }
  assert.match(lost.join("\n"), /a batch of unflushed samples/)
  assert.match(lost.join("\n"), /1 unflushed samples, of series that are lost/)
  const wanted = { values: [10, 30, 40, 50], warnings: 0 }
  const aside = quarantined(folder).filter((name) => name.endsWith("journal-0"))
  assert.equal(aside.length, 1)

  // A crash before the old file was moved: the new one wins.
  const crashed = folderOf(t)
  cpSync(folder, crashed, { recursive: true })
  cpSync(join(folder, aside[0]!), join(crashed, "journal-0"))
  const { values } = await valuesIn(crashed)
  assert.deepEqual(values, wanted.values)
  assert.deepEqual(await valuesIn(folder), wanted)
  assert.deepEqual(scanStore(folder), [])
})
