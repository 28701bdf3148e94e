/**
 * Byte count: the bytes that the records of each tenant's samples take in the tables.
 *
 *   commit ─► each written key: new size − old size ─► count of the tenant ─┐ the same
 *                                                      `states` tenantBytes ┘ transaction
 *
 * A block holds series of one name, and a name belongs to one tenant, so each record belongs to
 * exactly one tenant. Counts are stored in the transaction that changes them, so they are correct
 * after a crash. A store without valid counts (written by an earlier version, or repaired) is
 * counted in the background, a few records per step.
 *
 * Not counted: names and other text (`tidegauge_text_bytes`), documents, states, markers, unflushed
 * samples, and the unused part of pages: counts are 99 % of the pages of full blocks, 74 to 99 % of
 * those of blocks of 1 to 100 series.
 */

import { assert } from "../../../base/assert.ts"
import type { Catalogue } from "../../../catalogue/catalogue.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { encodeRecord } from "../disk/record.ts"
import { getState, listStates, stateKey } from "../metadata/states.ts"
import type { Table } from "../disk/table.ts"
import {
  indexKey,
  keyToIndex,
  readFlushedSequence,
  sequenceKey,
  recordTables,
  type Tables,
} from "../disk/tables.ts"
import type { Write, WriteObserver } from "../disk/write-buffer.ts"
import type { TenantIndex } from "../../../model/ids.ts"

/** Kinds of `states`: a count per tenant, and the newest flushed batch when they were stored. */
const bytesKind = "tenantBytes"
export const bytesAtKind = "tenantBytesAt"
const noKey = new Uint8Array(0)

/** Records that one step of a recount reads, in 1 to 2 ms. */
const recordsPerStep = 512

const pageHeaderBytes = 24
/** Node header, and its entry in the pointer array of the page. */
const nodeBytes = 10
const pageNumberBytes = 8

/** Returns the bytes that LMDB uses for a record in a file of pages of `pageBytes`. */
export function recordBytes(keyLength: number, valueLength: number, pageBytes: number): number {
  assert(keyLength > 0 && valueLength >= 0, "Expected the lengths of a record")
  // A larger node has its value in overflow pages: each page has space for two nodes (mdb.c).
  const nodeBytesMax = (pageBytes - pageHeaderBytes) / 2
  const bytes = nodeBytes + keyLength + valueLength
  if (bytes <= nodeBytesMax) return bytes
  const pages = Math.ceil((pageHeaderBytes + valueLength) / pageBytes)
  return nodeBytes + keyLength + pageNumberBytes + pages * pageBytes
}

/** Progress of a recount: the tables before `table` and its keys before `next` are counted. */
interface Recount {
  table: number
  next: Buffer
}

export class ByteCount implements WriteObserver {
  private readonly tables: Tables
  private readonly catalogue: Catalogue
  private readonly tableIndexes: ReadonlyMap<Table, number>
  /** Bytes by tenant; during a recount, those of the records counted so far. */
  private totals: number[] = []
  private recount: Recount | null = null
  /** Changes of the current transaction, by tenant. */
  private readonly changes = new Map<number, number>()
  /** Tenants whose stored count differs from `totals`. */
  private readonly unsaved = new Set<number>()

  /** The catalogue must hold all names of `tables`. */
  constructor(tables: Tables, catalogue: Catalogue) {
    this.tables = tables
    this.catalogue = catalogue
    this.tableIndexes = new Map(recordTables.map((name, tableIndex) => [tables[name], tableIndex]))
    if (this.load()) return
    this.totals = []
    this.recount = { table: 0, next: Buffer.alloc(1) }
    this.step()
  }

  /** False during a recount. */
  get isKnown(): boolean {
    return this.recount === null
  }

  /** Returns the bytes of a tenant; 0 during a recount. */
  bytesOf(tenant: TenantIndex): number {
    return this.recount === null ? Math.max(0, this.totals[tenant] ?? 0) : 0
  }

  /** Returns the bytes by tenant; empty during a recount. */
  perTenant(): number[] {
    if (this.recount !== null) return []
    return Array.from(this.totals, (_, tenant) => this.bytesOf(tenant))
  }

  begin(): void {
    this.changes.clear()
  }

  beforeWrite({ table, key, value, before: known }: Write): void {
    const tableIndex = this.tableIndexes.get(table)
    if (tableIndex === undefined || !this.hasPassed(tableIndex, key)) return
    const before = known ?? table.size(key) ?? 0
    let change = value === null ? 0 : this.bytesIn(key, value.length)
    if (before > 0) change -= this.bytesIn(key, before)
    const tenant = this.tenantOf(key)
    if (tenant >= 0) this.changes.set(tenant, (this.changes.get(tenant) ?? 0) + change)
  }

  beforeCommit(): void {
    if (this.recount !== null) return
    for (const tenant of new Set([...this.unsaved, ...this.changes.keys()])) {
      const total = (this.totals[tenant] ?? 0) + (this.changes.get(tenant) ?? 0)
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleLE(total)
      this.put(bytesKind, indexKey(tenant), bytes)
    }
    this.put(bytesAtKind, noKey, sequenceKey(readFlushedSequence(this.tables)))
  }

  afterCommit(): void {
    for (const [tenant, change] of this.changes) {
      this.totals[tenant] = (this.totals[tenant] ?? 0) + change
    }
    this.changes.clear()
    if (this.recount === null) this.unsaved.clear()
  }

  /** Continues a recount by a few records; does nothing if none is running. */
  step(): void {
    for (let left = recordsPerStep; left > 0 && this.recount !== null;) {
      left -= this.countSome(this.recount, left)
    }
  }

  /** Counts up to `limit` records of one table, and moves to the next table at its end. */
  private countSome(walk: Recount, limit: number): number {
    const table = this.tables[recordTables[walk.table]!]
    const keys = Array.from(table.getKeys({ start: walk.next, limit }), (key) => Buffer.from(key))
    for (const key of keys) {
      const tenant = this.tenantOf(key)
      if (tenant < 0) continue
      const bytes = this.bytesIn(key, table.size(key) ?? 0)
      this.totals[tenant] = (this.totals[tenant] ?? 0) + bytes
    }
    if (keys.length === limit) {
      walk.next = Buffer.concat([keys.at(-1)!, Buffer.alloc(1)])
    } else if (walk.table + 1 < recordTables.length) {
      this.recount = { table: walk.table + 1, next: Buffer.alloc(1) }
    } else this.finish()
    return keys.length
  }

  private bytesIn(key: Buffer, valueLength: number): number {
    return recordBytes(key.length, valueLength, this.tables.pageBytes)
  }

  /** Ends the recount: the next commit replaces all stored counts. */
  private finish(): void {
    this.recount = null
    const keys = this.tables.states.getKeys(kindRange(bytesKind))
    for (const key of keys) this.unsaved.add(keyToIndex(Buffer.from(key.subarray(-4))))
    for (const tenant of this.totals.keys()) this.unsaved.add(tenant)
  }

  private hasPassed(tableIndex: number, key: Buffer): boolean {
    const { recount } = this
    if (recount === null || tableIndex < recount.table) return true
    return tableIndex === recount.table && Buffer.compare(key, recount.next) < 0
  }

  /** Returns the tenant of a record, or -1 if the catalogue does not know its block. */
  private tenantOf(key: Buffer): number {
    const { catalogue } = this
    const block = key.readUInt32BE(4)
    if (block >= catalogue.partitionCount) return -1
    const series = catalogue.partitionSeries(block).find((one) => one >= 0)
    return series === undefined ? -1 : catalogue.name(catalogue.seriesName(series)).tenant
  }

  /** Loads the stored counts; returns false if they are not those of the tables. */
  private load(): boolean {
    const { tables } = this
    try {
      const at = getState(tables, bytesAtKind, noKey)
      if (at === undefined || !sequenceKey(readFlushedSequence(tables)).equals(at)) return false
      for (const { key, bytes } of listStates(tables, bytesKind)) {
        this.totals[keyToIndex(Buffer.from(key))] = Buffer.from(bytes).readDoubleLE()
      }
      return true
    } catch (error) {
      // Damaged counts cost a recount, nothing more.
      if (error instanceof CorruptError || error instanceof RangeError) return false
      throw error
    }
  }

  private put(kind: string, key: Uint8Array, bytes: Uint8Array): void {
    const at = stateKey(kind, key)
    const value = encodeRecord(at, (writer) => writer.append(bytes))
    this.tables.states.put(at, value)
  }
}

/** Makes the next start recount all records: they were changed without their counts. */
export function invalidateByteCount(tables: Tables): void {
  tables.states.removeSync(stateKey(bytesAtKind, noKey))
}

function kindRange(kind: string): { start: Buffer; end: Buffer } {
  const start = stateKey(kind, noKey)
  return { start, end: Buffer.concat([start, Buffer.alloc(5, 255)]) }
}
