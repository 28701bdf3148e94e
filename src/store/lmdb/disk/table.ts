/**
 * Table: one LMDB database of the store; every value that it returns has exact bounds.
 *
 * LMDB's `getBinaryFast` returns one pooled Buffer of 16 MiB and overwrites its `length` property
 * at each read. JavaScript code that reads `length` sees the value; `byteLength`, `DataView`,
 * crc32, structured clone and iteration see 16 MiB, and `subarray(4)` without an end sees the value
 * up to Node 22 and 16 MiB from Node 24 on, so that every record fails its checksum there.
 * Therefore the Database is private to this file, and callers receive views whose `length` is their
 * `byteLength`.
 */

import type { Database, RangeOptions } from "lmdb"
import { assert } from "../../../base/assert.ts"

interface TableRange {
  readonly start?: Buffer
  readonly end?: Buffer
  readonly limit?: number
  readonly reverse?: boolean
}

interface TableEntry {
  readonly key: Buffer
  readonly value: Buffer
}

export class Table {
  /** Values read since the table was opened, ranges left out. */
  reads = 0
  readonly name: string
  private readonly database: Database<Buffer, Buffer>

  /** `name`: of the database, as in `tableNames` (tables.ts). */
  constructor(name: string, database: Database<Buffer, Buffer>) {
    this.name = name
    this.database = database
  }

  /** A copy of the value, or undefined. */
  get(key: Buffer): Buffer | undefined {
    const bytes = this.database.getBinary(key)
    return bytes === undefined ? undefined : this.counted(bytes)
  }

  /**
   * The value without a copy, or undefined. The next read of any table of this thread overwrites
   * its bytes, so the caller decodes them before it reads again.
   */
  view(key: Buffer): Buffer | undefined {
    const bytes = this.database.getBinaryFast(key)
    return bytes === undefined ? undefined : this.counted(bytes)
  }

  private counted(bytes: Uint8Array): Buffer {
    this.reads++
    return exact(bytes)
  }

  /** Length of the value, or undefined. Invalidates the last `view`. */
  size(key: Buffer): number | undefined {
    return this.database.getBinaryFast(key)?.length
  }

  /** Number of entries. */
  count(): number {
    return (this.database.getStats() as { readonly entryCount: number }).entryCount
  }

  doesExist(key: Buffer): boolean {
    return this.database.doesExist(key)
  }

  /** Copies of the entries in key order; `end` is exclusive. */
  *getRange(range: TableRange = {}): Generator<TableEntry, void> {
    for (const { key, value } of this.database.getRange(range as RangeOptions)) {
      yield { key, value: exact(value) }
    }
  }

  /** Copies of the keys in order; `end` is exclusive. */
  getKeys(range: TableRange = {}): Iterable<Buffer> {
    return this.database.getKeys(range as RangeOptions)
  }

  /** A copy of the last key, or undefined. */
  lastKey(): Buffer | undefined {
    for (const key of this.database.getKeys({ reverse: true, limit: 1 })) return Buffer.from(key)
    return undefined
  }

  /** Writes inside the caller's transaction. */
  put(key: Buffer, value: Uint8Array): void {
    void this.database.put(key, value as Buffer)
  }

  /**
   * Writes inside the caller's transaction; the key must be after all others. LMDB leaves the last
   * page full then. After `put` of one entry too many, two entries are in the next page.
   */
  append(key: Buffer, value: Uint8Array): void {
    // Its declared type is void.
    const isWritten: unknown = this.database.putSync(key, value as Buffer, { append: true })
    assert(isWritten === true, "Expected a key after all others of the table")
  }

  /** Removes inside the caller's transaction. */
  remove(key: Buffer): void {
    void this.database.remove(key)
  }

  /** Writes and commits. */
  putSync(key: Buffer, value: Uint8Array): void {
    this.database.putSync(key, value as Buffer)
  }

  /** Removes the table itself, inside the caller's transaction. */
  drop(): void {
    this.database.dropSync()
  }

  /** Removes and commits. */
  removeSync(key: Buffer): void {
    this.database.removeSync(key)
  }
}

function exact(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
