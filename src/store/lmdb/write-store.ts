/** Write side of the embedded store: WAL, memtable, catalogue, documents and background jobs. */

import { statSync } from "node:fs"
import { dirname, join } from "node:path"
import { ServiceError } from "../../base/errors.ts"
import { endPhase } from "../../base/log.ts"
import { makeFolder } from "../../base/make-folder.ts"
import { Catalogue, type UnusedNumbers } from "../../catalogue/catalogue.ts"
import type { SampleLimitViolation } from "../../model/sample-limits.ts"
import type { DocumentChange, IdRange, StoredDocument } from "../../model/document.ts"
import { cycleMs, dayMs } from "../../model/resolution.ts"
import type { SampleBatch } from "../../model/sample-batch.ts"
import type { Span } from "../../model/span.ts"
import type { AppendBatch, UnflushedSamples } from "../append-store.ts"
import type { CycleBatch } from "../cycle-store.ts"
import type { MaintenanceResult, MaintenanceOptions, StoreFigures } from "../maintenance-store.ts"
import type { StoreOptions, WriteStore } from "../store.ts"
import { ByteCount } from "./compaction/byte-count.ts"
import { loadCatalogue } from "./metadata/catalogue-table.ts"
import { ClockJumpGuard } from "./compaction/clock-guard.ts"
import { trustsClock } from "./compaction/retention.ts"
import { PreviousCounterValues } from "./tiers/previous-counter-value.ts"
import { SampleLimiter, sampleLimitsOf } from "./compaction/sample-limiter.ts"
import { CycleMerger } from "./merge/cycle-merge.ts"
import { toServiceError, isDiskError, loadOrClose } from "./disk/corruption-errors.ts"
import { ActualKinds } from "./metadata/actual-kinds.ts"
import {
  collectDocuments,
  countDocuments,
  getDocument,
  listDocuments,
  putDocuments,
} from "./metadata/documents.ts"
import { isNewBatch, resolveComputedSeries, putCycleBatch } from "./compaction/commit-cycle.ts"
import { FlushPolicy } from "./compaction/flush-policy.ts"
import { formatVersion, migrations, migrateFormat } from "./disk/format-version.ts"
import { columnsToBatchRecord } from "./encoding/batch-record.ts"
import { GroupWorkspace } from "./merge/group-by-block.ts"
import { BackgroundJobs } from "./compaction/background-jobs.ts"
import type { Job, JobDeps } from "./compaction/job.ts"
import { forgetGroup } from "./forgetting/forget-group.ts"
import { dormancyJob } from "./forgetting/dormancy.ts"
import { forgettingJob } from "./forgetting/forgetting.ts"
import { CatalogueLocator } from "./metadata/series-locator.ts"
import { ReaderWorkspace } from "./read/reader-workspace.ts"
import { JobFailures } from "./compaction/job-failures.ts"
import { Wal } from "./wal/wal.ts"
import { syncPath } from "./disk/wal-file-system.ts"
import { Memtable } from "./wal/memtable.ts"
import { CompactionQueue } from "./compaction/compaction-queue.ts"
import { IndexFlush } from "./wal/index-flush.ts"
import { recover } from "./wal/recovery.ts"
import { IdleCleanup } from "./compaction/idle-cleanup.ts"
import { ClosingWorkspace, CompactionWorkspace } from "./compaction/compaction-workspace.ts"
import { removeMarks } from "./metadata/states.ts"
import { acquireWriterLock, releaseWriterLock, refuseOtherWriter } from "./disk/writer-lock.ts"
import { CompactedWindows } from "./tiers/compacted-windows.ts"
import { openTables, type Tables } from "./disk/tables.ts"
import { refuseUnfinishedRestore } from "./disk/unfinished-restore.ts"
import { WindowMerger } from "./merge/window-merge.ts"
import { WriteBuffer } from "./disk/write-buffer.ts"

export class LmdbWriteStore implements WriteStore {
  readonly catalogue = new Catalogue()
  isBroken = false
  private readonly options: StoreOptions
  private readonly tables: Tables
  private readonly wal: Wal
  private readonly indexFlush: IndexFlush
  private readonly memtable = new Memtable()
  private readonly flushPolicy: FlushPolicy
  private readonly compactionQueue = new CompactionQueue()
  private readonly actualKinds = new ActualKinds(() => this.catalogue)
  private readonly locator = new CatalogueLocator(() => this.catalogue)
  private readonly writes: WriteBuffer
  private readonly byteCount: ByteCount
  /** Called before and after each write that becomes durable (`FaultHooks`). */
  private readonly onPoint: (name: string) => void
  private readonly failures = new JobFailures()
  /** The job that runs or ran last, for failure counts; `index-flush` during an index flush. */
  private runningJob = ""
  private readonly counters = { flushed: 0, compacted: 0, dropped: 0 }
  private readonly deps: JobDeps
  private readonly jobs: BackgroundJobs
  private readonly idleCleanup: IdleCleanup
  private nextSequence = 1
  private corruptRecords = 0
  private closed = false

  constructor(options: StoreOptions) {
    this.options = options
    const { onPoint = () => {}, commitBytes, segmentBytes, sampleLimits } = options.faults ?? {}
    this.onPoint = onPoint
    this.flushPolicy = new FlushPolicy(this.memtable, options.cycleGraceMs, options.flushSamplesMax)
    onPoint("bootstrap.open")
    lockFolder(options.folder)
    this.tables = openTables(options.folder)
    // LMDB syncs the content of a new file only; the directory entries are synced here.
    syncPath(options.folder)
    syncPath(dirname(options.folder))
    onPoint("bootstrap.opened")
    endPhase("store: tables open")
    this.wal = new Wal(options.folder, segmentBytes, options.elapsedMs)
    this.indexFlush = new IndexFlush(this.tables, this.catalogue)
    loadOrClose(this.tables, () => {
      migrateFormat(this.tables, migrations, formatVersion, onPoint)
      loadCatalogue(this.tables, this.catalogue)
      endPhase("store: catalogue loaded")
      this.compactionQueue.load(this.tables)
      this.recover()
      endPhase("store: WAL replayed")
    })
    this.byteCount = loadOrClose(this.tables, () => new ByteCount(this.tables, this.catalogue))
    this.writes = new WriteBuffer(commitBytes, this.byteCount)
    const { tables, catalogue, memtable, wal, compactionQueue, writes, counters } = this
    const { retentionMs, cycleGraceMs, elapsedMs, warn } = options
    const compactedWindows = new CompactedWindows(tables)
    const cycleMerger = new CycleMerger(tables, compactedWindows, this.actualKinds)
    const windowMerger = new WindowMerger(tables, compactedWindows)
    this.deps = {
      compactedWindows,
      cycleMerger,
      windowMerger,
      previousValues: new PreviousCounterValues(tables),
      compaction: new CompactionWorkspace(),
      closing: new ClosingWorkspace(),
      cycleGraceMs,
      tables,
      catalogue,
      actualKinds: this.actualKinds,
      sampleLimiter: new SampleLimiter({
        ...sampleLimitsOf(options),
        ...sampleLimits,
      }),
      memtable,
      wal,
      groups: new GroupWorkspace(),
      compactionQueue,
      writes,
      counters,
      compacting: { day: -1 },
      retentionMs,
      elapsedMs,
      warn,
      clockGuard: new ClockJumpGuard(),
      forgetting: (nowMs) => this.forgetting(nowMs),
      dormancy: (nowMs) => dormancyJob({ tables, catalogue, workspace: this.workspace() }, nowMs),
    }
    this.jobs = this.createJobs()
    this.idleCleanup = new IdleCleanup(this.deps)
    this.releaseSnapshot()
  }

  private createJobs(): BackgroundJobs {
    return new BackgroundJobs(this.deps, this.flushPolicy, {
      onPoint: this.onPoint,
      beforeFlush: () => {
        // The flush releases WAL segments that hold the unflushed index.
        if (this.hasUnflushedSeries) this.commitIndex()
      },
      onStep: (name) => (this.runningJob = name),
      onDone: (name) => this.failures.noteSuccess(name),
    })
  }

  get unflushedSampleCount(): number {
    return this.memtable.sampleCount
  }
  get unflushedBytes(): number {
    return this.memtable.bytes
  }

  append(batch: AppendBatch): void {
    // Consumed also if the append fails: the WAL never writes a number twice.
    const sequence = this.nextSequence++
    const { indexFlush } = this
    // New series without samples have an empty batch, so that no number is missing: see backup.ts.
    const record = columnsToBatchRecord(batch.columns, sequence)
    const series = this.catalogue.hasChanges() ? indexFlush.encodeRecord(sequence) : undefined
    this.guarded(() => {
      // Includes the series of this batch: the recovery then skips its series record.
      if (series !== undefined && indexFlush.isFull) this.commitIndex()
      this.onPoint("append.commit")
      this.wal.append(sequence, record.bytes, series)
      this.onPoint("append.committed")
      if (this.catalogue.hasChanges()) indexFlush.markDurable(this.options.elapsedMs())
    })
    this.memtable.add({ sequence, batch: record })
  }

  checkSampleLimit(columns: SampleBatch, from: number): SampleLimitViolation | null {
    return this.deps.sampleLimiter.check(columns, from, this.catalogue.seriesLocations)
  }

  get hasUnflushedSeries(): boolean {
    return this.indexFlush.isPending
  }

  flushIndex(): void {
    if (this.hasUnflushedSeries) this.guarded(() => this.commitIndex())
    this.releaseSnapshot()
  }

  private commitIndex(): void {
    this.onPoint("index-flush.commit")
    this.tables.root.transactionSync(() => this.indexFlush.put(this.nextSequence - 1))
    this.indexFlush.markFlushed()
    this.onPoint("index-flush.committed")
    this.failures.noteSuccess("index-flush")
  }

  maintain(moment: MaintenanceOptions): MaintenanceResult {
    const deadlineMs = this.options.elapsedMs() + moment.budgetMs
    Object.assign(this.counters, { flushed: 0, compacted: 0, dropped: 0 })
    this.writes.setIngestActive(!moment.idle)
    // The caller of a requested flush reads the index after it.
    const isAsked = this.flushPolicy.setGoal(moment.flushUpToMs, this.nextSequence)
    this.countingFailures(() => this.work(moment, isAsked, deadlineMs))
    const moreDue = this.jobs.isDue(moment)
    this.releaseSnapshot()
    const { hasUnflushedSeries, unflushedSampleCount: unflushedSamples } = this
    const isFlushed = !this.flushPolicy.isGoalPending()
    return { moreDue, isFlushed, hasUnflushedSeries, unflushedSamples, ...this.counters }
  }

  trustsClock(nowMs: number): boolean {
    const isTrusted = trustsClock(this.deps, nowMs)
    this.releaseSnapshot()
    return isTrusted
  }

  private work(moment: MaintenanceOptions, isAsked: boolean, deadlineMs: number): void {
    const { elapsedMs } = this.options
    this.runningJob = "index-flush"
    if (this.indexFlush.isDue(elapsedMs(), moment.idle || isAsked)) this.commitIndex()
    this.jobs.run(moment, deadlineMs)
    if (this.jobs.isRunning) return
    this.idleCleanup.run(moment, this.flushPolicy.lastFlushMs)
    this.byteCount.step()
  }

  private workspace(): ReaderWorkspace {
    return new ReaderWorkspace(this.tables, () => this.locator)
  }

  private *forgetting(nowMs: number): Job {
    const { tables, catalogue, memtable, writes } = this
    const { rowStates } = this.options
    if (rowStates === undefined) return
    const workspace = this.workspace()
    const deps = { tables, catalogue, workspace, memtable, writes, rowStates }
    yield* forgettingJob({
      tables,
      catalogue,
      workspace,
      forget: (group) => {
        const forget = forgetGroup(deps, group, nowMs)
        if (forget !== null) this.commitForgotten(forget)
      },
      forgetUnused: (unused) => this.commitForgotten(() => catalogue.forgetUnused(unused), unused),
    })
  }

  /** Commits what the catalogue has forgotten, with the index and the buffered changes of states. */
  private commitForgotten(forget: () => void, unused?: UnusedNumbers): void {
    const { tables, writes, indexFlush } = this
    const forgetAndPut = (): void => {
      forget()
      indexFlush.put(this.nextSequence - 1, unused)
    }
    this.onPoint("forgetting.commit")
    if (writes.isEmpty) tables.root.transactionSync(forgetAndPut)
    else writes.commit(tables, forgetAndPut)
    indexFlush.markFlushed()
    this.onPoint("forgetting.committed")
  }

  /** Runs background work and counts its failures; a failed job restarts at the next step. */
  private countingFailures(work: () => void): void {
    try {
      this.guarded(work)
    } catch (error) {
      this.failures.noteFailure(this.runningJob, error)
      throw error
    }
  }

  commitCycle(batch: CycleBatch): boolean {
    const isNew = isNewBatch(this.tables, this.catalogue, batch)
    if (isNew) this.guarded(() => this.storeCycleBatch(batch))
    this.releaseSnapshot()
    return isNew
  }

  reopenCycles(fromCycle: number): boolean {
    let isPartial = false
    this.guarded(() => (isPartial = removeMarks(this.tables, fromCycle)))
    this.releaseSnapshot()
    return isPartial
  }

  private storeCycleBatch(batch: CycleBatch): void {
    const { tables, catalogue, writes, deps } = this
    // Records that a compaction has read must not change before it ends, and the buffer of a job
    // must be committed first.
    this.jobs.settle(Math.floor((batch.cycle * cycleMs) / dayMs))
    collectDocuments(tables, batch.documents, writes)
    putCycleBatch(deps, batch, resolveComputedSeries(catalogue, batch.computed))
    // The batch may have cells of series that are not in LMDB's catalogue tables.
    const hasNames = catalogue.hasChanges() || this.hasUnflushedSeries
    this.onPoint("closing.commit")
    writes.commit(tables, () => {
      if (hasNames) this.indexFlush.put(this.nextSequence - 1)
    })
    if (hasNames) this.indexFlush.markFlushed()
    this.onPoint("closing.committed")
  }

  unflushedSamples(series: Int32Array, span: Span, onlyNewest = false): UnflushedSamples {
    if (onlyNewest) return this.memtable.selectNewest(series, span)
    return this.memtable.select(series, span, (one) => this.actualKinds.isCounter(one))
  }

  putDocuments(changes: readonly DocumentChange[]): void {
    this.guarded(() => {
      this.onPoint("documents.commit")
      putDocuments(this.tables, changes)
      this.onPoint("documents.committed")
    })
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

  countDocuments(prefix: string): number {
    const count = countDocuments(this.tables, prefix)
    this.releaseSnapshot()
    return count
  }

  tenantBytes(tenant: number): number {
    return this.byteCount.bytesOf(tenant)
  }

  figures(): StoreFigures {
    return {
      seriesCount: this.catalogue.known.series,
      elementCount: this.catalogue.known.elements,
      unflushedSamples: this.unflushedSampleCount,
      memtableBytes: this.memtable.bytes,
      uncompactedDays: this.compactionQueue.size,
      failingJob: this.failures.worst,
      corruptRecords: this.corruptRecords,
      wal: this.wal.figures(),
      tenantBytes: this.byteCount.perTenant(),
      // Allocated blocks of 512 bytes (stat(2)): the file is sparse.
      storeBytes: statSync(join(this.options.folder, "data.mdb")).blocks * 512,
    }
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    this.flushIndexAtEnd()
    this.wal.close()
    await this.tables.root.close()
    if (!this.isBroken) releaseWriterLock(this.options.folder)
  }

  /** If this fails, the series are in the WAL, and the next start flushes them. */
  private flushIndexAtEnd(): void {
    if (this.isBroken) return
    try {
      this.flushIndex()
    } catch (error) {
      this.options.warn({ err: error }, "new series could not be flushed at the end")
    }
  }

  /** Ends the read snapshot, so that LMDB can reuse freed pages; see read-store.ts. */
  private releaseSnapshot(): void {
    this.tables.root.resetReadTxn()
  }

  /**
   * Replays acknowledged, unflushed batches in order. A damaged batch is skipped with a warning:
   * batches are independent of each other.
   */
  private recover(): void {
    const { tables, catalogue, indexFlush, wal, onPoint } = this
    const { warn, elapsedMs } = this.options
    indexFlush.reset()
    const deps = { tables, catalogue, indexFlush, wal, warn, onPoint, elapsedMs }
    const { batches, greatestSequence, corruptRecords } = recover(deps)
    this.corruptRecords = corruptRecords
    this.nextSequence = greatestSequence + 1
    for (const one of batches) this.memtable.add(one)
  }

  /** Runs work on the store. Errors of LMDB become `storage`; a running job restarts later. */
  private guarded(work: () => void): void {
    // The content of the disk is unknown: series numbers could be assigned twice.
    if (this.isBroken) throw new ServiceError("storage", "The store refused to write before")
    try {
      work()
    } catch (cause) {
      this.writes.clear()
      if (this.jobs.isRunning || this.memtable.frozen.length > 0) {
        this.jobs.abort()
        this.memtable.unfreeze()
        // Markers of the job that are not on disk must be written again by the next job.
        this.compactionQueue.load(this.tables)
      }
      if (!isDiskError(cause)) throw toServiceError(cause)
      this.isBroken = true
      throw new ServiceError("storage", `The store refused to write: ${String(cause)}`, { cause })
    }
  }
}

/** Locks the folder for this process. Throws `storage` if another process has it. */
function lockFolder(folder: string): void {
  makeFolder(folder)
  refuseUnfinishedRestore(folder)
  refuseOtherWriter(folder)
  acquireWriterLock(folder, process.pid)
}
