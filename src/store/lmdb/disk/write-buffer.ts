/** Writes of background jobs, collected over several steps and committed in one transaction. */

import { assert } from "../../../base/assert.ts"
import type { Table } from "./table.ts"
import type { Tables } from "./tables.ts"

/** `Table.put` or `Table.remove` in the next commit. */
export interface Write {
  readonly table: Table
  readonly key: Buffer
  /** Null removes the key. */
  readonly value: Uint8Array | null
  /** Bytes of the value that it replaces, 0 if there is none; undefined if that is not known. */
  readonly before: number | undefined
}

/** Observes what is committed and may add to it. */
export interface WriteObserver {
  /** A transaction begins; observations of a failed one are void. */
  begin(): void
  /** Called before each write, within the transaction. */
  beforeWrite(write: Write): void
  /** Called after the last write, within the transaction, to which it may add. */
  beforeCommit(): void
  /** Called when all of it is on disk. */
  afterCommit(): void
}

/**
 * Bytes that are collected over steps before a commit. LMDB writes page by page: 12 kB take 0.7 ms
 * with their syncs, 100 kB 2.1 and 400 kB 4.6, during which ingest waits; in addition a commit
 * costs 0.2 ms of CPU.
 */
const bytesMaxDefault = 256 * 1024
/** The same while no samples arrive: then few commits matter most. */
const idleBytesMaxDefault = 1024 * 1024
const noKey = Buffer.alloc(0)
/** Bytes that a removal counts for, since it takes 1 to 2 µs of a commit. */
const removedBytes = 64

/** The greatest key of each table that a commit has put to, or that was there before. */
type LastKeys = Map<Table, Buffer>

export class WriteBuffer {
  private writes: Write[] = []
  private callbacks: (() => void)[] = []
  private bytes = 0
  private isCommitRequested = false
  private bytesMax: number
  private readonly bytesMaxOption: number | undefined
  private readonly observer: WriteObserver | undefined

  /** `bytesMax` overrides how much is collected before a commit. */
  constructor(bytesMax?: number, watch?: WriteObserver) {
    this.bytesMaxOption = bytesMax
    this.observer = watch
    this.bytesMax = bytesMax ?? bytesMaxDefault
  }

  /** Sets how much is collected: less while samples arrive. */
  setIngestActive(areExpected: boolean): void {
    this.bytesMax = this.bytesMaxOption ?? (areExpected ? bytesMaxDefault : idleBytesMaxDefault)
  }

  get isEmpty(): boolean {
    return this.writes.length === 0 && this.callbacks.length === 0
  }

  get isFull(): boolean {
    return this.isCommitRequested || this.bytes >= this.bytesMax
  }

  /** Requests a commit after this step, because the next step reads what it wrote. */
  requestCommit(): void {
    this.isCommitRequested = true
  }

  /**
   * `before` are the bytes of the value that is replaced, 0 if there is none. If it is absent, the
   * commit looks it up, in 2 µs.
   */
  put(table: Table, key: Buffer, value: Uint8Array, before?: number): void {
    assert(key.length > 0 && value.length > 0, "Expected a key and a value")
    this.writes.push({ table, key, value, before })
    this.bytes += value.length
  }

  /** `before` as for `put`. */
  remove(table: Table, key: Buffer, before?: number): void {
    this.writes.push({ table, key, value: null, before })
    this.bytes += removedBytes
  }

  /** Calls back once all earlier writes are on disk. */
  afterCommit(callback: () => void): void {
    this.callbacks.push(callback)
  }

  /**
   * Writes everything, and what `also` writes, in one transaction, synced. Throws the store's
   * error; then nothing was written.
   */
  commit(tables: Tables, also: () => void = () => {}): void {
    const { writes, callbacks, observer } = this
    this.clear()
    if (writes.length > 0) {
      observer?.begin()
      tables.root.transactionSync(() => {
        const lastKeys: LastKeys = new Map()
        for (const write of writes) {
          observer?.beforeWrite(write)
          apply(write, lastKeys)
        }
        observer?.beforeCommit()
        also()
      })
      observer?.afterCommit()
    }
    for (const callback of callbacks) callback()
  }

  /** Discards everything that was not committed. */
  clear(): void {
    this.writes = []
    this.callbacks = []
    this.bytes = 0
    this.isCommitRequested = false
  }
}

/** Writes inside the transaction of a commit, whose only writes until then are in `lastKeys`. */
function apply({ table, key, value }: Write, lastKeys: LastKeys): void {
  if (value === null) return table.remove(key)
  const last = lastKeys.get(table) ?? table.lastKey() ?? noKey
  const isAfter = Buffer.compare(key, last) > 0
  if (isAfter) table.append(key, value)
  else table.put(key, value)
  lastKeys.set(table, isAfter ? key : last)
}
