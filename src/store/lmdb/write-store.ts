/** The writing half of the embedded store: inbox, catalogue, documents, and the background jobs. */

import { statSync } from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../base/errors.ts"
import { Catalogue } from "../../catalogue/catalogue.ts"
import { CorruptError } from "../../codec/corrupt.ts"
import type { DocumentChange, IdRange, StoredDocument } from "../../model/document.ts"
import { cycleMs } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type {
  AppendBatch,
  Maintenance,
  MaintenanceMoment,
  OpenSamples,
  StoreFigures,
  StoreOptions,
  WriteStore,
} from "../store.ts"
import { loadCatalogue, putCatalogueChanges } from "./catalogue-table.ts"
import { CycleMerger } from "./cycle-merge.ts"
import { damageToService, whileOpening } from "./damage.ts"
import { getDocument, listDocuments, putDocuments } from "./documents.ts"
import { foldJob } from "./fold.ts"
import { settleFormat } from "./format-version.ts"
import { bytesToFrame, columnsToFrame } from "./frame.ts"
import type { Job, JobContext } from "./job.ts"
import { Memtable } from "./memtable.ts"
import { OpenDays } from "./open-days.ts"
import { retentionJob } from "./retention.ts"
import { isSealed, sealJob } from "./seal.ts"
import { SealedWindows } from "./sealed-windows.ts"
import { keyToSequence, openTables, sequenceKey, type Tables } from "./tables.ts"
import { WindowMerger } from "./window-merge.ts"
import { WriteBuffer } from "./write-buffer.ts"

/**
 * Open samples that start a fold whatever the time: 26 MB of frames, and twice that to group them.
 */
const foldSamplesMax = 2_000_000
/**
 * Closed cycles wait this long for company while ingest goes on, so that blocks are written once.
 */
const foldPauseMs = 10_000
/** How often to look for what is too old. */
const retentionPauseMs = 3_600_000

export class LmdbWriteStore implements WriteStore {
  readonly catalogue = new Catalogue()
  private readonly options: StoreOptions
  private readonly tables: Tables
  private readonly memtable = new Memtable()
  private readonly openDays = new OpenDays()
  private readonly writes = new WriteBuffer()
  private readonly counters = { folded: 0, sealed: 0, dropped: 0 }
  private readonly context: JobContext
  private nextSequence = 1
  private job: Job | null = null
  private lastFoldMs = -Infinity
  private lastRetentionMs = -Infinity
  private closed = false

  constructor(options: StoreOptions) {
    this.options = options
    this.tables = openTables(options.folder)
    whileOpening(this.tables, () => {
      settleFormat(this.tables)
      loadCatalogue(this.tables, this.catalogue)
      this.openDays.load(this.tables)
      this.replayInbox()
    })
    const { tables, catalogue, memtable, openDays, writes, counters } = this
    const { retentionMs, elapsedMs } = options
    const sealed = new SealedWindows(tables)
    const merger = new CycleMerger(tables, sealed)
    const windows = new WindowMerger(tables, sealed)
    this.context = {
      sealed,
      merger,
      windows,
      tables,
      catalogue,
      memtable,
      openDays,
      writes,
      counters,
      retentionMs,
      elapsedMs,
    }
    this.releaseSnapshot()
  }

  get openSampleCount(): number {
    return this.memtable.sampleCount
  }

  append(batch: AppendBatch): void {
    const frame = batch.columns.count > 0 ? columnsToFrame(batch.columns) : null
    const sequence = this.nextSequence
    const hasChanges = this.catalogue.hasChanges()
    this.guarded(() =>
      this.tables.root.transactionSync(() => {
        if (hasChanges) putCatalogueChanges(this.tables, this.catalogue)
        if (frame !== null) this.tables.inbox.put(sequenceKey(sequence), frame.bytes as Buffer)
      }),
    )
    if (hasChanges) this.catalogue.keepChanges()
    if (frame === null) return
    this.memtable.add(sequence, frame)
    this.nextSequence++
  }

  maintain(moment: MaintenanceMoment): Maintenance {
    const deadlineMs = this.options.elapsedMs() + moment.budgetMs
    Object.assign(this.counters, { folded: 0, sealed: 0, dropped: 0 })
    this.guarded(() => {
      do {
        this.job ??= this.nextJob(moment)
        if (this.job === null) break
        const isDone = this.job.next().done === true
        if (isDone) this.job = null
        // A job reads what the one before it wrote, so nothing stays in the buffer between two.
        if (isDone || this.writes.isFull) this.writes.commit(this.tables)
      } while (this.options.elapsedMs() < deadlineMs)
      this.writes.commit(this.tables)
    })
    const moreDue = this.job !== null || this.isFoldDue(moment) || this.isSealDue(moment)
    this.releaseSnapshot()
    return { moreDue, openSamples: this.openSampleCount, ...this.counters }
  }

  openSamples(series: Int32Array, span: Span, onlyFirst = false): OpenSamples {
    return this.memtable.select(series, span, this.catalogue.seriesCount, onlyFirst)
  }

  putDocuments(changes: readonly DocumentChange[]): void {
    this.guarded(() => putDocuments(this.tables, changes))
  }
  getDocument(kind: string, id: string): unknown {
    const document = getDocument(this.tables, kind, id)
    this.releaseSnapshot()
    return document
  }
  listDocuments(kind: string, range: IdRange = {}): StoredDocument[] {
    const documents = listDocuments(this.tables, kind, range)
    this.releaseSnapshot()
    return documents
  }

  figures(): StoreFigures {
    return {
      seriesCount: this.catalogue.seriesCount,
      elementCount: this.catalogue.elementCount,
      openSamples: this.openSampleCount,
      inboxBytes: this.memtable.bytes,
      // Blocks that the file occupies, since it is sparse; 512 bytes each (stat(2)).
      storeBytes: statSync(join(this.options.folder, "data.mdb")).blocks * 512,
    }
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    await this.tables.root.close()
  }

  /** Lets the pages be used again that were freed since the last read; see read-store.ts. */
  private releaseSnapshot(): void {
    this.tables.root.resetReadTxn()
  }

  private nextJob(moment: MaintenanceMoment): Job | null {
    const elapsedMs = this.options.elapsedMs()
    if (this.isFoldDue(moment)) {
      this.lastFoldMs = elapsedMs
      return foldJob(this.context, moment.nowMs)
    }
    const seal = this.nextToSeal(moment)
    if (seal !== null) return sealJob(this.context, seal)
    if (elapsedMs - this.lastRetentionMs >= retentionPauseMs) {
      this.lastRetentionMs = elapsedMs
      return retentionJob(this.context, moment.nowMs)
    }
    return null
  }

  private isFoldDue(moment: MaintenanceMoment): boolean {
    const { activeSamples, activeOldestMs } = this.memtable
    if (activeSamples >= foldSamplesMax) return true
    const cycleEndMs = Math.floor(activeOldestMs / cycleMs) * cycleMs + cycleMs
    if (cycleEndMs + this.options.cycleGraceMs > moment.nowMs) return false
    return moment.idle || this.options.elapsedMs() - this.lastFoldMs >= foldPauseMs
  }

  private isSealDue(moment: MaintenanceMoment): boolean {
    return this.nextToSeal(moment) !== null
  }

  private nextToSeal(moment: MaintenanceMoment): { day: number; block: number } | null {
    const elapsedMs = this.options.elapsedMs()
    return this.openDays.nextToSeal({ ...moment, elapsedMs }, (day, block) =>
      isSealed(this.tables, day, block),
    )
  }

  /**
   * Takes what was acknowledged and not folded. A frame that is damaged is skipped, told and
   * removed: each frame is a value of its own, so those after it are as good as those before it.
   */
  private replayInbox(): void {
    const damaged: Buffer[] = []
    for (const { key, value } of this.tables.inbox.getRange({})) {
      const sequence = keyToSequence(key)
      this.nextSequence = sequence + 1
      try {
        this.memtable.add(sequence, bytesToFrame(value))
      } catch (error) {
        if (!(error instanceof CorruptError)) throw error
        damaged.push(Buffer.from(key))
        const fields = { sequence, bytes: value.length, reason: error.message }
        this.options.warn(fields, "damaged inbox frame was cut")
      }
    }
    if (damaged.length === 0) return
    this.tables.root.transactionSync(() => {
      for (const key of damaged) this.tables.inbox.remove(key)
    })
  }

  /**
   * Runs work on the store; what LMDB throws becomes `storage`, and a running job begins anew
   * later.
   */
  private guarded(work: () => void): void {
    try {
      work()
    } catch (cause) {
      this.writes.clear()
      if (this.job !== null || this.memtable.frozen.length > 0) {
        this.job = null
        this.memtable.thaw()
      }
      if (!isLmdbError(cause)) throw damageToService(cause)
      throw new ServiceError("storage", `The store refused to write: ${String(cause)}`, { cause })
    }
  }
}

/** LMDB's errors carry a numeric code; our own assertions do not. */
function isLmdbError(error: unknown): boolean {
  return error instanceof Error && typeof (error as { code?: unknown }).code === "number"
}
