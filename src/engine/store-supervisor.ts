/**
 * Store supervisor: owns the store that the shard writes to, and decides when writes are refused.
 *
 *   open ──── the disk refused ────► failed ──── a second later, if a test write succeeds ──────┐
 *    ▲ │                               ▲                                                      │
 *    │ └─ too little free space ─► full│ not yet                                               ▼
 *    └──────────────────────── reopened ◄──────────────────────────────────────── files verified
 *
 * After a refused write the content of the disk is unknown, and the catalogue in memory has names
 * that are stored nowhere. So the store is reopened from what can be read back, with a new
 * catalogue and a new reader, before anything else is acknowledged. Until then the old store
 * answers queries: its samples in memory are the acknowledged ones.
 */

import { ServiceError } from "../base/errors.ts"
import type { IngestReader } from "../ingest/ingest.ts"
import type { WriteStore } from "../store/store.ts"

/** The disk of the store's folder. */
export interface Disk {
  /** Bytes that may still be written. */
  freeBytes(): number
  /** Writes and syncs a test file; false if the disk refuses. */
  isWritable(): boolean
}

export interface OpenedStore {
  readonly store: WriteStore
  readonly reader: IngestReader
}

interface StoreSupervisorOptions {
  readonly opened: OpenedStore
  readonly open: () => OpenedStore
  /** Returns the problems of the files, one sentence each; called before they are reopened. */
  readonly scan: () => readonly string[]
  readonly disk: Disk
  /** Free space below which client data is refused. */
  readonly freeBytesMin: number
  /** Bytes of unflushed samples from which on samples are refused. */
  readonly unflushedBytesMax: number
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void
}

/**
 * How often the free space is read: it takes 4 µs, and the fastest writer fills 100 MB in this
 * time.
 */
const diskCheckPauseMs = 200
/** Pause between two attempts to reopen the store. */
const reopenPauseMs = 1000
/**
 * Maintenance continues below the minimum of free space, down to this share of it, because a flush
 * frees WAL segments and compaction saves space.
 */
const backgroundShare = 1 / 4

export class StoreSupervisor {
  private readonly options: StoreSupervisorOptions
  private opened: OpenedStore
  private freeBytes = Infinity
  private isFull = false
  private hasFailed = false
  private isBehind = false
  private lastCheckMs = -Infinity
  private lastAttemptMs = -Infinity

  constructor(options: StoreSupervisorOptions) {
    this.options = options
    this.opened = options.opened
  }

  get store(): WriteStore {
    return this.opened.store
  }
  get reader(): IngestReader {
    return this.opened.reader
  }

  /** Returns why writes are refused now, or null. */
  refusal(): ServiceError | null {
    this.checkDisk()
    if (this.hasFailed) return readOnly("The disk refused a write; the store is being reopened")
    if (!this.isFull) return null
    const { freeBytesMin } = this.options
    return readOnly(`The disk has ${this.freeBytes} bytes left, fewer than ${freeBytesMin}`)
  }

  /** Returns why samples are refused now, or null. */
  ingestRefusal(): ServiceError | null {
    const { unflushedBytesMax, warn } = this.options
    const openBytes = this.store.unflushedBytes
    const isBehind = openBytes >= unflushedBytesMax
    if (isBehind !== this.isBehind) {
      this.isBehind = isBehind
      const fields = { openBytes, unflushedBytesMax, failingJob: this.store.figures().failingJob }
      if (isBehind) warn(fields, "too many samples are not rolled up: no samples are taken")
      else warn(fields, "samples are rolled up again: samples are taken")
    }
    const refusal = this.refusal()
    if (refusal !== null || !isBehind) return refusal
    return readOnly(
      `${openBytes} bytes of samples are not rolled up, at most ${unflushedBytesMax} may be`,
    )
  }

  /** Bytes that may still be written to the disk, as of the last check. */
  get freeDiskBytes(): number {
    this.checkDisk()
    return this.freeBytes
  }

  /** True if background work may write. */
  allowsMaintenance(): boolean {
    this.checkDisk()
    return !this.hasFailed && this.freeBytes >= this.options.freeBytesMin * backgroundShare
  }

  /** Must be called after every write that threw. */
  noteFailure(error: unknown): void {
    if (this.hasFailed || !this.store.isBroken) return
    this.hasFailed = true
    this.lastAttemptMs = this.options.elapsedMs()
    this.options.warn({ err: error }, "the disk refused a write: nothing is stored until it works")
  }

  /** Reopens the store if it failed and the next attempt is due. */
  recover(): void {
    if (!this.hasFailed) return
    const { elapsedMs, disk, warn } = this.options
    if (elapsedMs() - this.lastAttemptMs < reopenPauseMs) return
    this.checkDisk()
    try {
      if (!this.isFull && disk.isWritable()) this.reopen()
    } catch (error) {
      warn({ err: error }, "the store could not be opened again")
    }
    this.lastAttemptMs = elapsedMs()
  }

  private reopen(): void {
    const problems = this.options.scan()
    if (problems.length > 0) {
      throw new ServiceError("storage", ["The store is damaged", ...problems])
    }
    const old = this.opened
    this.opened = this.options.open()
    this.hasFailed = false
    this.options.warn({}, "the store was verified and opened again: samples are stored again")
    void old.store.close()
  }

  private checkDisk(): void {
    const { elapsedMs, disk, freeBytesMin, warn } = this.options
    const nowMs = elapsedMs()
    if (nowMs - this.lastCheckMs < diskCheckPauseMs) return
    this.lastCheckMs = nowMs
    this.freeBytes = disk.freeBytes()
    const isFull = this.freeBytes < freeBytesMin
    if (isFull === this.isFull) return
    this.isFull = isFull
    const fields = { freeBytes: this.freeBytes, freeBytesMin }
    if (isFull)
      warn(fields, "the disk is nearly full: no samples are accepted, queries are answered")
    else warn(fields, "the disk has room again: samples are accepted")
  }
}

function readOnly(problem: string): ServiceError {
  return new ServiceError("readOnly", `${problem}; nothing was stored`)
}
