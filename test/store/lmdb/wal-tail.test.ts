/**
 * Torn and garbage tails of the WAL: many kinds of damage, from every byte of the last record
 * on. The records before it are kept, nothing is invented, and the cut is counted and reported.
 */

import assert from "node:assert/strict"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { noonMs, plain, append, seededNumbers } from "../../support/ingest/samples.ts"
import { folderOf, openWriter, type Warning } from "../../support/store/lmdb-folder.ts"
import { Catalogue } from "../../../src/catalogue/catalogue.ts"
import { SampleBatchBuilder } from "../../../src/model/sample-batch.ts"
import { columnsToBatchRecord } from "../../../src/store/lmdb/encoding/batch-record.ts"
import { Wal } from "../../../src/store/lmdb/wal/wal.ts"
import { encodeSeriesRecord } from "../../../src/store/lmdb/wal/series-record.ts"
import { runSeed } from "../../support/run/seed.ts"
import { sized } from "../../support/run/sizes.ts"

const segmentBytes = 2048
const headerBytes = 24
const samples = 3
/** The long size damages the record from every byte on. */
const byteStep = sized({ quick: 8, long: 1 })

interface Tail {
  /** The segment's bytes, to be damaged in place. */
  readonly bytes: Buffer
  /** The last record: `[start, end)`. */
  readonly start: number
  readonly end: number
  /** From this byte of it on. */
  readonly at: number
  readonly random: () => number
}
type Kind = (tail: Tail) => void

/** The bytes that a torn write or a worn disk leaves behind. */
const kinds: Readonly<Record<string, Kind>> = {
  ...filled("the rest of the record", ({ end }) => end),
  ...filled("the rest of the segment", ({ bytes }) => bytes.length),
  ...filled("one byte", ({ at }) => at + 1),
  ...filled("eight bytes", ({ at }) => at + 8),
  ...filled("up to the next sector", ({ at }) => (Math.floor(at / 512) + 1) * 512),
  "lowest bit flipped": ({ bytes, at }) => void (bytes[at]! ^= 1),
  "highest bit flipped": ({ bytes, at }) => void (bytes[at]! ^= 0x80),
  "all bits flipped": ({ bytes, at }) => void (bytes[at]! ^= 0xff),
  "one bit of each later byte flipped": ({ bytes, at, end }) => {
    for (let i = at; i < end; i++) bytes[i]! ^= 1 << (i % 8)
  },
  "two bytes exchanged": ({ bytes, at }) => {
    const [first, second] = [bytes[at]!, bytes[at + 1]!]
    bytes[at] = second
    bytes[at + 1] = first
  },
  "shifted by one byte": ({ bytes, at, end }) => void bytes.copyWithin(at + 1, at, end - 1),
  "shifted back by one byte": ({ bytes, at, end }) => void bytes.copyWithin(at, at + 1, end),
  "a copy of the first record": ({ bytes, at, start }) => void bytes.copyWithin(at, 0, start / 2),
  "a copy of the record's own start": ({ bytes, at, start, end }) =>
    void bytes.copyWithin(at, start, (start + end) / 2),
  "a header of ours without a record": ({ bytes, at }) => void bytes.copyWithin(at, 0, headerBytes),
  "a length that is too great": ({ bytes, at }) => void bytes.writeUInt32LE(0x7fffffff, at),
  "text of a log": ({ bytes, at }) => void bytes.write("kernel: I/O error, dev sda, sector 7", at),
}

function filled(what: string, endOf: (tail: Tail) => number): Record<string, Kind> {
  const fills: Record<string, (random: () => number) => number> = {
    zeros: () => 0,
    ones: () => 0xff,
    "the magic number's first byte": () => 0x54,
    noise: (random) => Math.floor(random() * 256),
  }
  return Object.fromEntries(
    Object.entries(fills).map(([name, fill]) => [
      `${what}: ${name}`,
      (tail: Tail) => {
        for (let i = tail.at; i < endOf(tail); i++) tail.bytes[i] = fill(tail.random)
      },
    ]),
  )
}

function frameOf(id: number): Uint8Array {
  const columns = new SampleBatchBuilder()
  columns.startRequest()
  for (let i = 0; i < samples; i++) columns.push(i, 1_000 * i, id + i)
  return columnsToBatchRecord(columns, id).bytes
}

const noNames = Buffer.alloc(0)
/** Encoded once: a catalogue for each case took 98 % of the time of this file, 105 s. */
const namesById = new Map<number, Buffer>()

/** The names of two metrics of a new element, or none. */
function namesOf(id: number, withNames: boolean): Buffer {
  if (!withNames) return noNames
  const names = namesById.get(id) ?? Buffer.from(encodeNames(id))
  namesById.set(id, names)
  return names
}

function encodeNames(id: number): Uint8Array {
  const catalogue = new Catalogue()
  const element = catalogue.upsertElement(0, `host-${id}`, { nowMs: noonMs })
  for (const fqn of ["cpu", "memory"]) catalogue.upsertSeries(element, fqn)
  return encodeSeriesRecord(id, catalogue, { elements: 0, names: 0, definitions: 0, series: 0 })
}

function contentBytes(withNames: boolean): number {
  return headerBytes + frameOf(11).length + namesOf(11, withNames).length
}

interface Story {
  readonly earlierUse: boolean
  readonly withNames: boolean
}

/** A WAL of three records; after them the rest of an earlier use, or nothing. */
function writeWal(folder: string, { earlierUse, withNames }: Story): string {
  const wal = new Wal(folder, segmentBytes)
  if (earlierUse)
    for (let sequence = 1; sequence <= 10; sequence++) {
      wal.append(sequence, frameOf(sequence))
      if (sequence === 10) wal.release(10)
    }
  wal.close()
  const next = new Wal(folder, segmentBytes)
  next.recover(10)
  for (const sequence of [11, 12, 13]) {
    next.append(sequence, frameOf(sequence), namesOf(sequence, withNames))
  }
  next.close()
  return join(folder, readdirSync(folder)[0]!)
}

function recover(folder: string, withNames: boolean): { kept: number[]; corruptions: number } {
  const wal = new Wal(folder, segmentBytes)
  try {
    const { records, corruptions } = wal.recover(10)
    for (const { sequence, batch, series } of records) {
      assert.deepEqual([...batch.values], [sequence, sequence + 1, sequence + 2])
      assert.deepEqual(Buffer.from(series ?? []), Buffer.from(namesOf(sequence, withNames)))
    }
    return { kept: records.map(({ sequence }) => sequence), corruptions: corruptions.length }
  } finally {
    wal.close()
  }
}

const stories = [false, true].flatMap((earlierUse) =>
  [false, true].map((withNames): Story => ({ earlierUse, withNames })),
)
for (const story of stories) {
  const what = story.withNames ? "with names " : ""
  const over = story.earlierUse ? "over an earlier use" : "in a new segment"
  test(`each kind of tail ${what}${over}, from every byte on, is cut and counted`, (t) => {
    const seed = runSeed % 1_000_000
    const { withNames } = story
    const recordBytes = Math.ceil(contentBytes(withNames) / 8) * 8
    t.diagnostic(`seed ${seed}, ${Object.keys(kinds).length} kinds, ${recordBytes} bytes`)
    const folder = folderOf(t)
    const path = writeWal(folder, story)
    const whole = readFileSync(path)
    const [start, end] = [2 * recordBytes, 2 * recordBytes + contentBytes(withNames)]
    for (const [name, damage] of Object.entries(kinds)) {
      const random = seededNumbers(seed)
      for (let at = start + (seed % byteStep); at < end; at += byteStep) {
        const bytes = Buffer.from(whole)
        damage({ bytes, start, end, at, random })
        const isHurt = !bytes.subarray(start, end).equals(whole.subarray(start, end))
        writeFileSync(path, bytes)
        const { kept, corruptions } = recover(folder, withNames)
        const about = `${name}, byte ${at - start}, seed ${seed}`
        assert.deepEqual(kept, isHurt ? [11, 12] : [11, 12, 13], about)
        // Of a record that begins with zeros nothing was written, as far as the reader can see.
        const isAbsent = bytes.readBigUInt64LE(start) === 0n
        if (isHurt && !isAbsent) assert.ok(corruptions > 0, `${about}: not counted`)
        if (isAbsent) assert.equal(corruptions, 0, about)
      }
    }
  })
}

test("a store with a torn tail opens, reports the cut, and continues", async (t) => {
  const folder = folderOf(t)
  const writer = openWriter(folder)
  append(writer, [plain(noonMs, 1)])
  for (const value of [2, 3]) append(writer, [plain(noonMs + value, value)])
  await writer.close()
  const name = readdirSync(folder).find((one) => one.startsWith("journal-"))!
  const bytes = readFileSync(join(folder, name))
  const end = bytes.subarray(0, 1024).findLastIndex((byte) => byte !== 0)
  bytes[end - 3]! ^= 0x40
  writeFileSync(join(folder, name), bytes)
  const warnings: Warning[] = []
  const again = openWriter(folder, warnings)
  assert.equal(again.unflushedSampleCount, 2)
  assert.equal(again.figures().corruptRecords, 1)
  assert.equal(warnings.length, 1)
  assert.match(warnings[0]!.message, /WAL record was left out/)
  append(again, [plain(noonMs + 3, 3)])
  await again.close()
  const last = openWriter(folder)
  assert.equal(last.unflushedSampleCount, 3)
  await last.close()
})
