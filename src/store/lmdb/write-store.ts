/** The writing half of the embedded store: inbox, catalogue, documents, and the background jobs. */

import { mkdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { ServiceError } from "../../base/errors.ts"
import { Catalogue } from "../../catalogue/catalogue.ts"
import type { DocumentChange, IdRange, StoredDocument } from "../../model/document.ts"
import { cycleMs, dayMs } from "../../model/resolution.ts"
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
import { loadCatalogue, putCatalogueChanges } from "./catalogue-table.ts"
import { ClockTrust } from "./clock-trust.ts"
import { CounterPast } from "./counter-past.ts"
import { CycleMerger } from "./cycle-merge.ts"
import { damageToService, whileOpening } from "./damage.ts"
import { DefinitionCodes } from "./definition-codes.ts"
import { collectDocuments, getDocument, listDocuments, putDocuments } from "./documents.ts"
import { checkPart, computedSeries, putPart } from "./close-part.ts"
import { foldJob } from "./fold.ts"
import { formatVersion, migrations, settleFormat } from "./format-version.ts"
import { columnsToFrame, type Frame } from "./frame.ts"
import { GroupScratch } from "./grouping.ts"
import { recoverInbox } from "./inbox.ts"
import type { Job, JobContext } from "./job.ts"
import { Journal } from "./journal.ts"
import { syncPath } from "./journal-disk.ts"
import { Memtable, type HeldFrame } from "./memtable.ts"
import { OpenDays, sealClockMs } from "./open-days.ts"
import { retentionJob } from "./retention.ts"
import { isSealed, sealJob } from "./seal.ts"
import { isClosed } from "./states.ts"
import { markRunning, markStopped, refuseOtherWriter } from "./run-mark.ts"
import { SealedWindows } from "./sealed-windows.ts"
import { foldedKey, openTables, readFolded, sequenceKey, type Tables } from "./tables.ts"
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
/**
 * So long after the last fold the journal gives back the segments of a burst, one a step: agents
 * post once a minute, and those that post again should find them. A later burst makes them anew, in
 * 1 % of the CPU that its samples take.
 */
const journalRestMs = 90_000
/** How often to look for what is too old. */
const retentionPauseMs = 3_600_000

export class LmdbWriteStore implements WriteStore {
  readonly catalogue = new Catalogue()
  isBroken = false
  private readonly options: StoreOptions
  private readonly tables: Tables
  private readonly journal: Journal
  private readonly memtable = new Memtable()
  private readonly openDays = new OpenDays()
  private readonly codes = new DefinitionCodes(() => this.catalogue)
  private readonly writes: WriteBuffer
  /** Told each moment before and after something is made durable (`StoreTrial`). */
  private readonly point: (name: string) => void
  private readonly counters = { folded: 0, sealed: 0, dropped: 0 }
  private readonly context: JobContext
  private nextSequence = 1
  private cutFrames = 0
  private job: Job | null = null
  private jobName = ""
  private lastFoldMs = -Infinity
  private lastRetentionMs = -Infinity
  /** What is to be folded at once: samples before `upToMs`, in frames before `sequence`. */
  private foldGoal = { upToMs: -Infinity, sequence: 0 }
  private closed = false

  constructor(options: StoreOptions) {
    this.options = options
    const { onPoint = () => {}, commitBytes, segmentBytes } = options.trial ?? {}
    this.point = onPoint
    this.writes = new WriteBuffer(commitBytes)
    onPoint("bootstrap.open")
    claimFolder(options.folder)
    this.tables = openTables(options.folder)
    // A new file is as durable as its name; LMDB syncs what is in it only.
    syncPath(options.folder)
    syncPath(dirname(options.folder))
    onPoint("bootstrap.opened")
    this.journal = new Journal(options.folder, segmentBytes)
    whileOpening(this.tables, () => {
      settleFormat(this.tables, migrations, formatVersion, onPoint)
      loadCatalogue(this.tables, this.catalogue)
      this.openDays.load(this.tables)
      this.recover()
    })
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
    this.releaseSnapshot()
  }

  get openSampleCount(): number {
    return this.memtable.sampleCount
  }

  append(batch: AppendBatch): void {
    // Used up whatever comes of it: the journal never writes a number twice.
    const sequence = this.nextSequence++
    const hasChanges = this.catalogue.hasChanges()
    // Names alone come with an empty frame, so that no number is missing: see backup.ts.
    const frame = columnsToFrame(batch.columns, sequence)
    const isInInbox = hasChanges || !this.journal.fits(frame.bytes.length)
    this.guarded(() => {
      this.point("append.commit")
      if (isInInbox) this.appendToInbox(sequence, frame)
      else this.journal.append(sequence, frame.bytes)
      this.point("append.committed")
    })
    if (hasChanges) this.catalogue.keepChanges()
    this.memtable.add({ sequence, frame, isInInbox })
  }

  /** Samples with the names that they brought, in one transaction. */
  private appendToInbox(sequence: number, frame: Frame): void {
    this.tables.root.transactionSync(() => {
      putCatalogueChanges(this.tables, this.catalogue)
      this.tables.inbox.put(sequenceKey(sequence), frame.bytes as Buffer)
    })
  }

  maintain(moment: MaintenanceMoment): Maintenance {
    const deadlineMs = this.options.elapsedMs() + moment.budgetMs
    Object.assign(this.counters, { folded: 0, sealed: 0, dropped: 0 })
    this.noteFoldGoal(moment.foldUpToMs)
    this.writes.expectPosts(!moment.idle)
    this.guarded(() => {
      do {
        this.job ??= this.nextJob(moment)
        if (this.job === null) break
        this.stepJob(this.job)
      } while (this.options.elapsedMs() < deadlineMs)
      if (this.job === null) this.rest(moment)
    })
    const moreDue = this.job !== null || this.isFoldDue(moment) || this.isSealDue(moment)
    this.releaseSnapshot()
    const isFolded = !this.isGoalOpen()
    return { moreDue, isFolded, openSamples: this.openSampleCount, ...this.counters }
  }

  private stepJob(job: Job): void {
    const isDone = job.next().done === true
    if (isDone) this.job = null
    // A job reads what the one before it wrote, so nothing stays in the buffer between two.
    if (isDone || this.writes.isFull) this.commitJob()
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
    const hasChanges = catalogue.hasChanges()
    this.point("closing.commit")
    writes.commit(tables, () => {
      if (hasChanges) putCatalogueChanges(tables, catalogue)
    })
    if (hasChanges) catalogue.keepChanges()
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

  figures(): StoreFigures {
    return {
      seriesCount: this.catalogue.seriesCount,
      elementCount: this.catalogue.elementCount,
      openSamples: this.openSampleCount,
      inboxBytes: this.memtable.bytes,
      cutFrames: this.cutFrames,
      // Blocks that the file occupies, since it is sparse; 512 bytes each (stat(2)).
      storeBytes: statSync(join(this.options.folder, "data.mdb")).blocks * 512,
    }
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    this.journal.close()
    await this.tables.root.close()
    if (!this.isBroken) markStopped(this.options.folder)
  }

  /** Lets the pages be used again that were freed since the last read; see read-store.ts. */
  private releaseSnapshot(): void {
    this.tables.root.resetReadTxn()
  }

  private nextJob(moment: MaintenanceMoment): Job | null {
    const elapsedMs = this.options.elapsedMs()
    if (this.isFoldDue(moment)) {
      this.lastFoldMs = elapsedMs
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
    const { activeSamples, activeOldestMs } = this.memtable
    if (activeSamples >= foldSamplesMax) return true
    if (this.isGoalActive()) return true
    const cycleEndMs = Math.floor(activeOldestMs / cycleMs) * cycleMs + cycleMs
    if (cycleEndMs + this.options.cycleGraceMs > moment.nowMs) return false
    return moment.idle || this.options.elapsedMs() - this.lastFoldMs >= foldPauseMs
  }

  private noteFoldGoal(upToMs = -Infinity): void {
    if (upToMs !== this.foldGoal.upToMs) this.foldGoal = { upToMs, sequence: this.nextSequence }
  }

  /** True where frames that the goal names wait for a fold. */
  private isGoalActive(): boolean {
    const { active, activeOldestMs } = this.memtable
    const { upToMs, sequence } = this.foldGoal
    return activeOldestMs < upToMs && active[0]!.sequence < sequence
  }

  /** True where any sample that the goal names may not be in a bucket yet. */
  private isGoalOpen(): boolean {
    const { frozen } = this.memtable
    return (
      this.isGoalActive() || (frozen.length > 0 && frozen[0]!.sequence < this.foldGoal.sequence)
    )
  }

  /** Gives back what only work needs. */
  private rest({ nowMs, idle }: MaintenanceMoment): void {
    this.trimJournal(nowMs)
    // While samples come, the next fold takes it again.
    if (idle) this.context.groups.clear()
  }

  /** Else a burst would leave 72 MiB for good, as much as 20 million sealed samples take. */
  private trimJournal(nowMs: number): void {
    const { journal, lastFoldMs } = this
    if (!journal.hasSpare || this.options.elapsedMs() - lastFoldMs < journalRestMs) return
    if (!journal.isHeld(nowMs)) journal.removeSpare()
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
    const folded = readFolded(this.tables.meta.get(foldedKey))
    const { records, cuts } = this.journal.recover(folded)
    for (const cut of cuts) this.options.warn({ ...cut }, "damaged journal record was cut")
    this.cutFrames += cuts.length
    const held: HeldFrame[] = records.map((record) => ({ ...record, isInInbox: false }))
    let greatest = Math.max(folded, this.journal.greatestSequence)
    for (const { sequence, frame } of recoverInbox(this.tables, this.options.warn)) {
      greatest = Math.max(greatest, sequence)
      if (frame !== null) held.push({ sequence, frame, isInInbox: true })
      else this.cutFrames++
    }
    this.nextSequence = greatest + 1
    held.sort((left, right) => left.sequence - right.sequence)
    for (const one of held) this.memtable.add(one)
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

/** LMDB's errors carry a numeric code, the system's a name and a number; our assertions neither. */
function isDiskError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === "number" || /^E[A-Z]+$/.test(String(code))
}
