/**
 * Store keeper: holds the store that the shard writes to, and decides when nothing may be written.
 *
 *   open ──── the disk refused ────► failed ──── a second later, if the disk takes a trial ────┐
 *    ▲ │                               ▲                                                      │
 *    │ └─ space under the floor ─► full│ not yet                                               ▼
 *    └──────────────────── verified, opened anew ◄──────────────────────────────── looked through
 *
 * After a refused write nobody knows what the disk holds, and the catalogue in memory has names
 * that are stored nowhere. So the store is opened anew from what can be read back, with a catalogue
 * and a reader of its own, before anything else is acknowledged. Until then the old one answers
 * what is asked of it: its samples in memory are those that were acknowledged.
 */

import { ServiceError } from "../base/errors.ts"
import type { IngestReader } from "../ingest/ingest.ts"
import type { WriteStore } from "../store/store.ts"

/** The disk that the store's folder is on. */
export interface Disk {
  /** Bytes that may still be written. */
  freeBytes(): number
  /** Writes and syncs something; false where the disk refuses that. */
  isWritable(): boolean
}

export interface OpenedStore {
  readonly store: WriteStore
  readonly reader: IngestReader
}

export interface StoreSupervisorOptions {
  readonly opened: OpenedStore
  readonly open: () => OpenedStore
  /** What is wrong with the files, one sentence each; asked before they are opened anew. */
  readonly scan: () => readonly string[]
  readonly disk: Disk
  /** Free space below which nothing from outside is written. */
  readonly freeBytesMin: number
  /** Bytes of samples that are not rolled up, from which on no samples are taken. */
  readonly unflushedBytesMax: number
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void
}

/** How often the free space is asked for: 4 µs, and 100 MB at the fastest. */
const diskCheckPauseMs = 200
/** Between two attempts to open the store anew. */
const reopenPauseMs = 1000
/**
 * Background work goes on below the floor, since folding frees the journal and sealing packs: down
 * to this share of it.
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

  /** Why nothing may be written now, or null. */
  refusal(): ServiceError | null {
    this.checkDisk()
    if (this.hasFailed) return readOnly("The disk refused a write; the store is being reopened")
    if (!this.isFull) return null
    const { freeBytesMin } = this.options
    return readOnly(`The disk has ${this.freeBytes} bytes left, fewer than ${freeBytesMin}`)
  }

  /** Why no samples may be stored now, or null. */
  ingestRefusal(): ServiceError | null {
    const { unflushedBytesMax, warn } = this.options
    const openBytes = this.store.openBytes
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

  /** Bytes that may still be written to the disk, as of the last look. */
  get freeDiskBytes(): number {
    this.checkDisk()
    return this.freeBytes
  }

  /** True where background work may write. */
  allowsMaintenance(): boolean {
    this.checkDisk()
    return !this.hasFailed && this.freeBytes >= this.options.freeBytesMin * backgroundShare
  }

  /** To be called after every write that threw. */
  noteFailure(error: unknown): void {
    if (this.hasFailed || !this.store.isBroken) return
    this.hasFailed = true
    this.lastAttemptMs = this.options.elapsedMs()
    this.options.warn({ err: error }, "the disk refused a write: nothing is stored until it works")
  }

  /** Opens the store anew where it failed and it is time to try. */
  recover(): void {
    if (!this.hasFailed) return
    const { elapsedMs, disk, warn } = this.options
    if (elapsedMs() - this.lastAttemptMs < reopenPauseMs) return
    this.checkDisk()
    try {
      if (!this.isFull && disk.isWritable()) this.reopen()
    } catch (error) {
      warn({ err: error }, "the store could not be opened anew")
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
    this.options.warn({}, "the store was verified and opened anew: samples are stored again")
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
      warn(fields, "the disk is nearly full: no samples are taken, questions are answered")
    else warn(fields, "the disk has room again: samples are taken")
  }
}

function readOnly(problem: string): ServiceError {
  return new ServiceError("readOnly", `${problem}; nothing was stored`)
}
