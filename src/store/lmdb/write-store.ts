/** The writing half of the embedded store: inbox, catalogue, documents, and the background jobs. */

import { mkdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { ServiceError } from "../../base/errors.ts"
import { Catalogue } from "../../catalogue/catalogue.ts"
import type { Crowd } from "../../model/sample-limits.ts"
import type { DocumentChange, IdRange, StoredDocument } from "../../model/document.ts"
import { cycleMs, dayMs } from "../../model/resolution.ts"
import type { SampleColumns } from "../../model/sample-columns.ts"
import type { Span } from "../../model/span.ts"
import type {
  AppendBatch,
  CyclePart,
  Maintenance,
  MaintenanceMoment,
  OpenSamples,
  StoreFigures,
  StoreOptions,
  WriteStore,
} from "../store.ts"
import { ByteCount } from "./compaction/byte-count.ts"
import { loadCatalogue } from "./metadata/catalogue-table.ts"
import { ClockTrust } from "./compaction/clock-guard.ts"
import { CounterPast } from "./tiers/previous-counter-value.ts"
import { Crowds } from "./compaction/sample-limiter.ts"
import { CycleMerger } from "./merge/cycle-merge.ts"
import { damageToService, isDiskError, whileOpening } from "./disk/corruption-errors.ts"
import { DefinitionCodes } from "./metadata/definition-codes.ts"
import {
  collectDocuments,
  countDocuments,
  getDocument,
  listDocuments,
  putDocuments,
} from "./metadata/documents.ts"
import { checkPart, computedSeries, putPart } from "./compaction/commit-cycle.ts"
import { foldJob } from "./compaction/flush.ts"
import { FoldDue } from "./compaction/flush-policy.ts"
import { formatVersion, migrations, settleFormat } from "./disk/format-version.ts"
import { columnsToFrame, type Frame } from "./encoding/batch-record.ts"
import { GroupScratch } from "./merge/group-by-block.ts"
import type { Job, JobContext } from "./compaction/job.ts"
import { JobFailures } from "./compaction/job-failures.ts"
import { Journal } from "./wal/wal.ts"
import { syncPath } from "./disk/wal-file-system.ts"
import { Memtable } from "./wal/memtable.ts"
import { OpenDays, sealClockMs } from "./compaction/compaction-queue.ts"
import { Publishing } from "./wal/index-flush.ts"
import { recover } from "./wal/recovery.ts"
import { Rest } from "./compaction/idle-cleanup.ts"
import { retentionJob } from "./compaction/retention.ts"
import { isSealed, sealJob } from "./compaction/compact.ts"
import { isClosed } from "./metadata/states.ts"
import { markRunning, markStopped, refuseOtherWriter } from "./disk/writer-lock.ts"
import { SealedWindows } from "./tiers/sealed-windows.ts"
import { openTables, sequenceKey, type Tables } from "./disk/tables.ts"
import { WindowMerger } from "./merge/window-merge.ts"
import { WriteBuffer } from "./disk/write-buffer.ts"

/** How often to look for what is too old. */
const retentionPauseMs = 3_600_000

export class LmdbWriteStore implements WriteStore {
  readonly catalogue = new Catalogue()
  isBroken = false
  private readonly options: StoreOptions
  private readonly tables: Tables
  private readonly journal: Journal
  private readonly publishing: Publishing
  private readonly memtable = new Memtable()
  private readonly foldDue: FoldDue
  private readonly openDays = new OpenDays()
  private readonly codes = new DefinitionCodes(() => this.catalogue)
  private readonly writes: WriteBuffer
  private readonly byteCount: ByteCount
  /** Told each moment before and after something is made durable (`StoreTrial`). */
  private readonly point: (name: string) => void
  private readonly failures = new JobFailures()
  /** The job that runs or ran last; `publish` while names are published. */
  private activity = ""
  private readonly counters = { folded: 0, sealed: 0, dropped: 0 }
  private readonly context: JobContext
  private readonly rest: Rest
  private nextSequence = 1
  private cutFrames = 0
  private job: Job | null = null
  private jobName = ""
  private lastRetentionMs = -Infinity
  private closed = false

  constructor(options: StoreOptions) {
    this.options = options
    const { onPoint = () => {}, commitBytes, segmentBytes, crowds } = options.trial ?? {}
    this.point = onPoint
    this.foldDue = new FoldDue(this.memtable, options.cycleGraceMs)
    onPoint("bootstrap.open")
    claimFolder(options.folder)
    this.tables = openTables(options.folder)
    // A new file is as durable as its name; LMDB syncs what is in it only.
    syncPath(options.folder)
    syncPath(dirname(options.folder))
    onPoint("bootstrap.opened")
    this.journal = new Journal(options.folder, segmentBytes)
    this.publishing = new Publishing(this.tables, this.catalogue)
    whileOpening(this.tables, () => {
      settleFormat(this.tables, migrations, formatVersion, onPoint)
      loadCatalogue(this.tables, this.catalogue)
      this.openDays.load(this.tables)
      this.recover()
    })
    this.byteCount = whileOpening(this.tables, () => new ByteCount(this.tables, this.catalogue))
    this.writes = new WriteBuffer(commitBytes, this.byteCount)
    const { tables, catalogue, memtable, journal, openDays, writes, counters } = this
    const { retentionMs, cycleGraceMs, elapsedMs, warn } = options
    const sealed = new SealedWindows(tables)
    const merger = new CycleMerger(tables, sealed, this.codes)
    const windows = new WindowMerger(tables, sealed)
    this.context = {
      sealed,
      merger,
      windows,
      counterPast: new CounterPast(tables),
      cycleGraceMs,
      tables,
      catalogue,
      codes: this.codes,
      crowds: new Crowds(crowds),
      memtable,
      journal,
      groups: new GroupScratch(),
      openDays,
      writes,
      counters,
      sealing: { day: -1 },
      retentionMs,
      elapsedMs,
      warn,
      clockTrust: new ClockTrust(),
    }
    this.rest = new Rest(this.context)
    this.releaseSnapshot()
  }

  get openSampleCount(): number {
    return this.memtable.sampleCount
  }
  get openBytes(): number {
    return this.memtable.bytes
  }

  append(batch: AppendBatch): void {
    // Used up whatever comes of it: the journal never writes a number twice.
    const sequence = this.nextSequence++
    const { publishing, journal } = this
    // Names alone come with an empty frame, so that no number is missing: see backup.ts.
    const frame = columnsToFrame(batch.columns, sequence)
    const names = this.catalogue.hasChanges() ? publishing.section(sequence) : undefined
    const bytes = frame.bytes.length + (names?.length ?? 0)
    const isInInbox = (names !== undefined && publishing.isFull) || !journal.fits(bytes)
    this.guarded(() => {
      this.point("append.commit")
      if (isInInbox) this.appendToInbox(sequence, frame)
      else this.journal.append(sequence, frame.bytes, names)
      this.point("append.committed")
      if (names !== undefined && !isInInbox) publishing.noteDurable(this.options.elapsedMs())
    })
    this.memtable.add({ sequence, frame, isInInbox })
  }

  /** Samples with all names that are not published, in one transaction. */
  private appendToInbox(sequence: number, frame: Frame): void {
    this.tables.root.transactionSync(() => {
      this.publishing.put(sequence)
      this.tables.inbox.put(sequenceKey(sequence), frame.bytes as Buffer)
    })
    this.publishing.notePublished()
  }

  crowd(columns: SampleColumns, from: number): Crowd | null {
    return this.context.crowds.admit(columns, from, this.catalogue.seriesPlaceColumn)
  }

  get isUnpublished(): boolean {
    return this.publishing.isPending
  }

  publish(): void {
    if (this.isUnpublished) this.guarded(() => this.publishNames())
    this.releaseSnapshot()
  }

  private publishNames(): void {
    this.point("publish.commit")
    this.tables.root.transactionSync(() => this.publishing.put(this.nextSequence - 1))
    this.publishing.notePublished()
    this.point("publish.committed")
    this.failures.noteSuccess("publish")
  }

  maintain(moment: MaintenanceMoment): Maintenance {
    const deadlineMs = this.options.elapsedMs() + moment.budgetMs
    Object.assign(this.counters, { folded: 0, sealed: 0, dropped: 0 })
    this.writes.expectPosts(!moment.idle)
    // Whoever waits for a fold reads what is in it then, and what else is known.
    const isAsked = this.foldDue.noteGoal(moment.foldUpToMs, this.nextSequence)
    this.countingFailures(() => this.work(moment, isAsked, deadlineMs))
    const moreDue = this.job !== null || this.isFoldDue(moment) || this.isSealDue(moment)
    this.releaseSnapshot()
    const { isUnpublished, openSampleCount: openSamples } = this
    const isFolded = !this.foldDue.isGoalOpen()
    return { moreDue, isFolded, isUnpublished, openSamples, ...this.counters }
  }

  private work(moment: MaintenanceMoment, isAsked: boolean, deadlineMs: number): void {
    const { elapsedMs } = this.options
    this.activity = "publish"
    if (this.publishing.isDue(elapsedMs(), moment.idle || isAsked)) this.publishNames()
    do {
      this.job ??= this.nextJob(moment)
      if (this.job === null) break
      this.activity = this.jobName
      this.stepJob(this.job)
    } while (elapsedMs() < deadlineMs)
    if (this.job !== null) return
    this.rest.take(moment, this.foldDue.lastMs)
    this.byteCount.step()
  }

  /** Runs background work; a job that fails begins again at the next step, and is counted. */
  private countingFailures(work: () => void): void {
    try {
      this.guarded(work)
    } catch (error) {
      this.failures.noteFailure(this.activity, error)
      throw error
    }
  }

  private stepJob(job: Job): void {
    const isDone = job.next().done === true
    if (isDone) this.job = null
    // A job reads what the one before it wrote, so nothing stays in the buffer between two.
    if (isDone || this.writes.isFull) this.commitJob()
    if (isDone) this.failures.noteSuccess(this.jobName)
  }

  closePart(part: CyclePart): boolean {
    checkPart(this.catalogue, part)
    const isNew = !isClosed(this.tables, part.cycle, part.part)
    if (isNew) this.guarded(() => this.storePart(part))
    this.releaseSnapshot()
    return isNew
  }

  private storePart(part: CyclePart): void {
    const { tables, catalogue, writes, context } = this
    // What a seal has read must not change before it is done; what a job has put must be there.
    const day = Math.floor((part.cycle * cycleMs) / dayMs)
    while (this.job !== null && context.sealing.day === day) this.stepJob(this.job)
    if (!writes.isEmpty) this.commitJob()
    collectDocuments(tables, part.documents, writes)
    putPart(context, part, computedSeries(catalogue, part.computed))
    // What was appended may have brought series whose cells the part has.
    const hasNames = catalogue.hasChanges() || this.isUnpublished
    this.point("closing.commit")
    writes.commit(tables, () => {
      if (hasNames) this.publishing.put(this.nextSequence - 1)
    })
    if (hasNames) this.publishing.notePublished()
    this.point("closing.committed")
  }

  private commitJob(): void {
    this.point(`${this.jobName}.commit`)
    this.writes.commit(this.tables)
    this.point(`${this.jobName}.committed`)
  }

  openSamples(series: Int32Array, span: Span, onlyFirst = false): OpenSamples {
    const isCounter = (one: number) => this.codes.isCounter(one)
    const { seriesCount } = this.catalogue
    return this.memtable.select(series, span, seriesCount, { onlyFirst, isCounter })
  }

  putDocuments(changes: readonly DocumentChange[]): void {
    this.guarded(() => {
      this.point("documents.commit")
      putDocuments(this.tables, changes)
      this.point("documents.committed")
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

  bytesOf(tenant: number): number {
    return this.byteCount.bytesOf(tenant)
  }

  figures(): StoreFigures {
    return {
      seriesCount: this.catalogue.seriesCount,
      elementCount: this.catalogue.elementCount,
      openSamples: this.openSampleCount,
      inboxBytes: this.memtable.bytes,
      openDays: this.openDays.size,
      failingJob: this.failures.worst,
      cutFrames: this.cutFrames,
      tenantBytes: this.byteCount.perTenant(),
      // Blocks that the file occupies, since it is sparse; 512 bytes each (stat(2)).
      storeBytes: statSync(join(this.options.folder, "data.mdb")).blocks * 512,
    }
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    this.publishAtEnd()
    this.journal.close()
    await this.tables.root.close()
    if (!this.isBroken) markStopped(this.options.folder)
  }

  /** What cannot be published now is in the journal, and the next start does it. */
  private publishAtEnd(): void {
    if (this.isBroken) return
    try {
      this.publish()
    } catch (error) {
      this.options.warn({ err: error }, "new names could not be published at the end")
    }
  }

  /** Lets the pages be used again that were freed since the last read; see read-store.ts. */
  private releaseSnapshot(): void {
    this.tables.root.resetReadTxn()
  }

  private nextJob(moment: MaintenanceMoment): Job | null {
    const elapsedMs = this.options.elapsedMs()
    if (this.isFoldDue(moment)) {
      // What is folded the journal forgets.
      if (this.isUnpublished) this.publishNames()
      this.foldDue.lastMs = elapsedMs
      this.jobName = "fold"
      return foldJob(this.context, moment.nowMs, sealClockMs(moment))
    }
    const seal = this.nextToSeal(moment)
    this.context.sealing.day = -1
    if (seal !== null) {
      this.jobName = isSealed(this.tables, seal.day, seal.block) ? "compaction" : "seal"
      return sealJob(this.context, seal)
    }
    if (elapsedMs - this.lastRetentionMs >= retentionPauseMs) {
      this.lastRetentionMs = elapsedMs
      this.jobName = "retention"
      return retentionJob(this.context, moment.nowMs)
    }
    return null
  }

  private isFoldDue(moment: MaintenanceMoment): boolean {
    return this.foldDue.isDue(moment, this.options.elapsedMs())
  }

  private isSealDue(moment: MaintenanceMoment): boolean {
    return this.nextToSeal(moment) !== null
  }

  private nextToSeal(moment: MaintenanceMoment): { day: number; block: number } | null {
    const elapsedMs = this.options.elapsedMs()
    return this.openDays.nextToSeal({ nowMs: sealClockMs(moment), elapsedMs }, (day, block) =>
      isSealed(this.tables, day, block),
    )
  }

  /**
   * Takes back what was acknowledged and not folded, in order. A frame that is damaged is skipped
   * and told: each frame is a value of its own, so those after it are as good as those before it.
   */
  private recover(): void {
    const { tables, catalogue, publishing, journal, point } = this
    const { folder, warn, elapsedMs } = this.options
    publishing.begin()
    const parts = { folder, tables, catalogue, publishing, journal, warn, point, elapsedMs }
    const { frames, greatestSequence, cutFrames } = recover(parts)
    this.cutFrames = cutFrames
    this.nextSequence = greatestSequence + 1
    for (const one of frames) this.memtable.add(one)
  }

  /**
   * Runs work on the store; what LMDB throws becomes `storage`, and a running job begins anew
   * later.
   */
  private guarded(work: () => void): void {
    // Nobody knows what the disk has: names would be given twice.
    if (this.isBroken) throw new ServiceError("storage", "The store refused to write before")
    try {
      work()
    } catch (cause) {
      this.writes.clear()
      if (this.job !== null || this.memtable.frozen.length > 0) {
        this.job = null
        this.memtable.thaw()
        // Marks that the job noted and did not get to disk must be written again by the next one.
        this.openDays.load(this.tables)
      }
      if (!isDiskError(cause)) throw damageToService(cause)
      this.isBroken = true
      throw new ServiceError("storage", `The store refused to write: ${String(cause)}`, { cause })
    }
  }
}

/** Takes the folder for this process. Throws `storage` where another one has it. */
function claimFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  refuseOtherWriter(folder)
  markRunning(folder, process.pid)
}
