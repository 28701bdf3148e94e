/**
 * The tables of the embedded store and their keys. store/format draws keys and values; only this
 * folder knows them. All keys are big-endian numbers, so LMDB's order is numeric order; time comes
 * first, so that writing appends and retention drops ranges.
 */

import { assert } from "../../../base/assert.ts"
import { open, type RootDatabase } from "lmdb"
import { checksum } from "../../../base/checksum.ts"
import { ServiceError } from "../../../base/errors.ts"
import { makeFolder } from "../../../base/make-folder.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { cycleMs, dayMs } from "../../../model/resolution.ts"
import { Table } from "./table.ts"

/**
 * Width of one compacted chunk of raw samples: four a day, so that the edge of a window decodes
 * little.
 */
export const windowMs = dayMs / 4
export const cyclesPerWindow = windowMs / cycleMs

/** Bytes of address space, not of disk: the file grows as it is written, up to this size. */
const mapBytesMax = 2 ** 38

/**
 * Bytes of a page of a new file; a file of an earlier version keeps its pages of 4 KiB. A recent
 * record of a full block takes one page, so that what a compaction frees are few entries of
 * LMDB's list of free pages (DECISIONS.md, "Pages of 16 KiB").
 */
const newPageBytes = 16_384

/**
 * Entries of its list of free pages that LMDB holds: beyond 4,000 it reads no more of them, beyond
 * 8,000 it reads them again after a commit. An insertion moves up to a quarter of them: with
 * 50,000, the default, a flush of 100,000 series took 2.5 times as long once a day was compacted.
 */
const freeListOptions = { maxFreeSpaceToLoad: 4_000, maxFreeSpaceToRetain: 8_000 } as const

/** The tables; missing ones are created. */
export const tableNames = [
  "meta",
  "names",
  "definitions",
  "elements",
  "elementLog",
  "recentRaw",
  "recentCells",
  "recentBands",
  "openDays",
  "raw",
  "cells",
  "bands",
  "hours",
  "days",
  "documents",
  "states",
  "closed",
] as const

/** Table of stores before format 6: unflushed batches, which the start moves to the WAL. */
export const earlierTableName = "inbox"

/** The environment without its reads, whose values have no exact bounds (table.ts). */
type Environment = Pick<
  RootDatabase<Buffer, Buffer>,
  | "transactionSync"
  | "resetReadTxn"
  | "useReadTransaction"
  | "close"
  | "backup"
  | "openDB"
  | "getStats"
>

/** The tables of records, whose keys begin with period and block. */
export const recordTables = [
  "recentRaw",
  "recentCells",
  "recentBands",
  "raw",
  "cells",
  "bands",
  "hours",
  "days",
] as const
export type RecordTable = (typeof recordTables)[number]

/** The tables of the catalogue, whose keys are numbers. */
export const catalogueTables = ["names", "definitions", "elements"] as const
export type CatalogueTable = (typeof catalogueTables)[number]

export type Tables = { readonly root: Environment; readonly pageBytes: number } & {
  readonly [name in (typeof tableNames)[number]]: Table
}

/** Opens the environment in `folder`, creating it if it is missing. Throws `storage`. */
export function openTables(folder: string): Tables {
  try {
    makeFolder(folder)
    const root = open<Buffer, Buffer>(folder, {
      encoding: "binary",
      keyEncoding: "binary",
      maxDbs: tableNames.length + 4,
      maxReaders: 512,
      mapSize: mapBytesMax,
      pageSize: newPageBytes,
      // Not in the declared type.
      ...freeListOptions,
      // Otherwise a folder whose name has a point, such as `shop.example`, counts as a file.
      noSubdir: false,
      // A commit returns after its sync; overlapping would save no CPU (160 µs a commit against
      // 200).
      overlappingSync: false,
    })
    const tables = Object.fromEntries(tableNames.map((name) => [name, createTable(root, name)]))
    const { pageSize: pageBytes } = root.getStats() as { readonly pageSize: number }
    return { root, pageBytes, ...tables } as unknown as Tables
  } catch (cause) {
    throw new ServiceError("storage", `Cannot open the store in "${folder}": ${String(cause)}`, {
      cause,
    })
  }
}

function createTable(root: Environment, name: string): Table {
  const options = { encoding: "binary", keyEncoding: "binary" } as const
  return new Table(name, root.openDB<Buffer, Buffer>(name, options))
}

/** Opens the table of earlier formats; null if the store has none. */
export function openEarlierTable({ root }: Pick<Tables, "root">): Table | null {
  const options = { encoding: "binary", keyEncoding: "binary", create: false } as const
  // The declared type lacks that it is undefined if it is missing.
  const database = root.openDB<Buffer, Buffer>(earlierTableName, options) as
    ReturnType<typeof root.openDB<Buffer, Buffer>> | undefined
  return database === undefined ? null : new Table(earlierTableName, database)
}

/** As it is in a store of an earlier format that is repaired. */
export function createEarlierTable({ root }: Pick<Tables, "root">): Table {
  return createTable(root, earlierTableName)
}

/** In `meta`: sequence of the newest batch that is flushed together with all before it. */
export const flushedKey = textKey("folded")
/** In `meta`: sequence of the newest batch whose series are in the catalogue tables, likewise. */
export const indexFlushedKey = textKey("published")

/**
 * The value of both keys: the sequence and its checksum, since a greater one would hide batches.
 */
export function packSequence(sequence: number): Buffer {
  assert(sequence >= 0 && Number.isSafeInteger(sequence), "Expected a sequence number")
  const bytes = Buffer.alloc(12)
  sequenceKey(sequence).copy(bytes)
  bytes.writeUInt32LE(checksum(bytes.subarray(0, 8)), 8)
  return bytes
}
/** 0 if nothing was ever flushed. Throws CorruptError. */
export function readFlushedSequence({ meta }: Pick<Tables, "meta">): number {
  return readSequence(flushedKey, meta.get(flushedKey))
}
/** 0 if no series were ever flushed. Throws CorruptError. */
export function readIndexFlushedSequence({ meta }: Pick<Tables, "meta">): number {
  return readSequence(indexFlushedKey, meta.get(indexFlushedKey))
}
/** Decodes the sequence found under one of the two keys. Throws CorruptError. */
export function readSequence(key: Buffer, bytes: Buffer | undefined): number {
  if (bytes === undefined) return 0
  // Older stores have the sequence without a checksum.
  const isWhole = bytes.length === 12 && bytes.readUInt32LE(8) === checksum(bytes.subarray(0, 8))
  if (bytes.length !== 8 && !isWhole) {
    throw new CorruptError(`sequence number in meta/${key.toString("utf8")}`)
  }
  return keyToSequence(bytes)
}

/** A key of one number below 2⁵³. */
export function sequenceKey(sequence: number): Buffer {
  const key = Buffer.allocUnsafe(8)
  key.writeUInt32BE(Math.floor(sequence / 2 ** 32), 0)
  key.writeUInt32BE(sequence % 2 ** 32, 4)
  return key
}
export function keyToSequence(key: Buffer): number {
  return key.readUInt32BE(0) * 2 ** 32 + key.readUInt32BE(4)
}

export const indexKeyBytes = 4
export function indexKey(index: number): Buffer {
  const key = Buffer.allocUnsafe(indexKeyBytes)
  key.writeUInt32BE(index, 0)
  return key
}
export function keyToIndex(key: Buffer): number {
  return key.readUInt32BE(0)
}

declare const kind: unique symbol
/** Series that are stored together; the number of their partition (as model/ids.ts). */
export type BlockIndex = number & { readonly [kind]?: "block" }
/** A series of a block, below `seriesPerBlock`. */
export type SlotIndex = number & { readonly [kind]?: "slot" }

export const periodKeyBytes = 8
/** Period (cycle, window or day number since the epoch), then block. */
export function periodKey(period: number, block: BlockIndex): Buffer {
  const key = Buffer.allocUnsafe(periodKeyBytes)
  key.writeUInt32BE(period, 0)
  key.writeUInt32BE(block, 4)
  return key
}
export function keyToPeriod(key: Buffer): { period: number; block: BlockIndex } {
  return { period: key.readUInt32BE(0), block: key.readUInt32BE(4) }
}

/** Oldest day of a table whose keys begin with a day; Infinity if it is empty. */
export function oldestDay(table: Table): number {
  for (const key of table.getKeys({ limit: 1 })) return keyToPeriod(key).period
  return Infinity
}

/** Newest day of a table whose keys begin with a day; -Infinity if it is empty. */
export function newestDay(table: Table): number {
  const key = table.lastKey()
  return key === undefined ? -Infinity : keyToPeriod(key).period
}

const columnKeyBytes = 9
/** Day, then block, then column of the PT5M cells. */
export function columnKey(day: number, block: BlockIndex, column: number): Buffer {
  const key = Buffer.allocUnsafe(columnKeyBytes)
  key.writeUInt32BE(day, 0)
  key.writeUInt32BE(block, 4)
  key.writeUInt8(column, 8)
  return key
}
export function keyToColumn(key: Buffer): number {
  return key.readUInt8(8)
}

/** The length of the keys of a table. */
export function keyBytesOf(table: CatalogueTable | RecordTable | "openDays"): number {
  if (catalogueTables.some((name) => name === table)) return indexKeyBytes
  return table === "cells" ? columnKeyBytes : periodKeyBytes
}

export function textKey(text: string): Buffer {
  return Buffer.from(text, "utf8")
}
