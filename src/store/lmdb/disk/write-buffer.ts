/** What background jobs want written: collected over steps, committed in one transaction. */

import type { Table } from "./table.ts"
import type { Tables } from "./tables.ts"

interface Write {
  readonly table: Table
  readonly key: Buffer
  /** Null removes the key. */
  readonly value: Uint8Array | null
}

/** Looks at what is committed, and adds to it. */
export interface WriteObserver {
  /** A transaction begins; what was noted of one that failed is void. */
  begin(): void
  /** Called before each write, within the transaction. */
  beforeWrite(table: Table, key: Buffer, value: Uint8Array | null): void
  /** Called after the last write, within the transaction, which it may add to. */
  beforeCommit(): void
  /** All of it is on disk. */
  afterCommit(): void
}

/**
 * So much is collected over steps before it is committed. LMDB writes page by page: 12 kB take 0.7
 * ms with their syncs, 100 kB 2.1 and 400 kB 4.6, which posts wait for; a commit has 0.2 ms of CPU
 * beside that.
 */
const bytesMaxDefault = 256 * 1024
/** The same where nobody posts: then few commits are what matters. */
const idleBytesMaxDefault = 1024 * 1024

export class WriteBuffer {
  private writes: Write[] = []
  private callbacks: (() => void)[] = []
  private bytes = 0
  private isCommitRequested = false
  private bytesMax: number
  private readonly bytesMaxOption: number | undefined
  private readonly observer: WriteObserver | undefined

  /** `bytesMax`: where it is not left to us how much is collected. */
  constructor(bytesMax?: number, watch?: WriteObserver) {
    this.bytesMaxOption = bytesMax
    this.observer = watch
    this.bytesMax = bytesMax ?? bytesMaxDefault
  }

  /** From now on collects as much as is right where nobody posts, or where somebody does. */
  setIngestActive(areExpected: boolean): void {
    this.bytesMax = this.bytesMaxOption ?? (areExpected ? bytesMaxDefault : idleBytesMaxDefault)
  }

  get isEmpty(): boolean {
    return this.writes.length === 0 && this.callbacks.length === 0
  }

  get isFull(): boolean {
    return this.isCommitRequested || this.bytes >= this.bytesMax
  }

  /** Has it committed after this step, since the next one reads it. */
  requestCommit(): void {
    this.isCommitRequested = true
  }

  put(table: Table, key: Buffer, value: Uint8Array): void {
    this.writes.push({ table, key, value })
    this.bytes += value.length
  }

  remove(table: Table, key: Buffer): void {
    this.writes.push({ table, key, value: null })
    this.bytes += key.length
  }

  /** Calls back once everything that was put before is on disk. */
  afterCommit(callback: () => void): void {
    this.callbacks.push(callback)
  }

  /**
   * Writes everything, and what `also` writes, in one transaction, synced. Throws what the store
   * threw; then nothing of it was written.
   */
  commit(tables: Tables, also: () => void = () => {}): void {
    const { writes, callbacks, observer } = this
    this.clear()
    if (writes.length > 0) {
      observer?.begin()
      tables.root.transactionSync(() => {
        for (const { table, key, value } of writes) {
          observer?.beforeWrite(table, key, value)
          if (value === null) table.remove(key)
          else table.put(key, value as Buffer)
        }
        observer?.beforeCommit()
        also()
      })
      observer?.afterCommit()
    }
    for (const callback of callbacks) callback()
  }

  /** Forgets everything that was not committed. */
  clear(): void {
    this.writes = []
    this.callbacks = []
    this.bytes = 0
    this.isCommitRequested = false
  }
}
