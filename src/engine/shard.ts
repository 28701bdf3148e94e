/**
 * Shard: the write side, run by one thread. It owns the catalogue, the scanner's caches and the
 * writing half of the store, and runs one task at a time. It has no timers and no clock of its own.
 *
 * There is one shard. HTTP spends 12 µs on a request of 50 samples and the shard about as much, so
 * a second shard would only wait for the main thread.
 */

import { unreachable } from "../base/assert.ts"
import { ServiceError } from "../base/errors.ts"
import { applyEdit, type AppliedEdit } from "../catalogue/edit.ts"
import { charsets, type IngestReader } from "../ingest/ingest.ts"
import type { CatalogueEdit } from "../model/records/catalogue-edit.ts"
import type { DocumentChange, StoredDocument } from "../model/document.ts"
import { latestTimeMs, SampleBatchBuilder } from "../model/sample-batch.ts"
import type { AppendStore } from "../store/append-store.ts"
import type { MaintenanceResult, MaintenanceOptions } from "../store/maintenance-store.ts"
import type { WriteStore } from "../store/store.ts"
import { diskQuotaRefusal } from "./disk-quota.ts"
import { ServerTime } from "./server-time.ts"
import { configurationChanges, SettingsBackfill } from "./settings-backfill.ts"
import {
  charsetShift,
  flagCollectd,
  flagInjectTimestamp,
  flagReportLeftOut,
  requestFlags,
  requestInts,
  requestLength,
  requestOffset,
  requestTenant,
  type EditsAnswer,
  type IngestAnswer,
  type IngestRefusal,
  type IngestTask,
  type UnflushedSamples,
  type RequestEvents,
  type RequestLeftOut,
  type ShardTask,
  type StoreFigures,
} from "./shard-protocol.ts"

/** The answer to each kind of task. */
export interface ShardAnswers {
  readonly ingest: IngestAnswer
  readonly maintain: MaintenanceResult
  readonly unflushedSamples: UnflushedSamples
  /** As `IngestAnswer.hasUnflushedSeries`. */
  readonly flushIndex: boolean
  readonly getDocument: unknown
  /** True if settings that the documents change are still to be built; `configure` likewise. */
  readonly putDocuments: boolean
  readonly listDocuments: readonly StoredDocument[]
  readonly countDocuments: number
  readonly configure: boolean
  /** True if another step is due. */
  readonly buildSettings: boolean
  /** As `IngestAnswer.hasUnflushedSeries`. */
  readonly edit: boolean
  readonly editAll: EditsAnswer
  readonly commitCycle: boolean
  readonly reopenCycles: boolean
  readonly trustsClock: boolean
  readonly knownElements: Int32Array
  readonly figures: ShardFigures
  readonly close: null
}

export type ShardFigures = StoreFigures & {
  readonly scannedBodies: number
  readonly parsedBodies: number
  /** Why no samples are accepted, in sentences; empty if they are. */
  readonly refusals: readonly string[]
  /** Bytes that may still be written to the disk. */
  readonly freeDiskBytes: number
  /** UTF-8 bytes of text, by tenant, and of the definitions that tenants share. */
  readonly textBytes: readonly number[]
  readonly sharedTextBytes: number
  /** Elements and series by tenant, as their limits count them. */
  readonly tenantElements: readonly number[]
  readonly tenantSeries: readonly number[]
}

/** Decides whether writes are allowed now; see store-supervisor.ts. */
export interface WriteGuard {
  refusal(): ServiceError | null
  ingestRefusal(): ServiceError | null
  readonly freeDiskBytes: number
  allowsMaintenance(): boolean
  noteFailure(error: unknown): void
  recover(): void
}

interface ShardDeps {
  /** Read again for every task: both are replaced after a failure. */
  readonly store: WriteStore
  readonly reader: IngestReader
  readonly guard: WriteGuard
  /** UTF-8 bytes of text of a tenant; unlimited if absent. */
  readonly textBytesMax?: number
  /** Bytes of a tenant in the store; unlimited if 0 or absent. */
  readonly diskQuotaBytes?: number
  /** Monotonic milliseconds, for durations only. */
  readonly elapsedMs: () => number
  /** Logs a warning for the operator. */
  readonly warn?: (fields: Readonly<Record<string, unknown>>, message: string) => void
}

export class Shard {
  private readonly columns = new SampleBatchBuilder()
  private readonly serverTime = new ServerTime()
  private readonly deps: ShardDeps
  private readonly backfill: SettingsBackfill

  constructor(deps: ShardDeps) {
    this.deps = deps
    this.backfill = new SettingsBackfill(deps.elapsedMs, deps.warn)
  }

  /** Runs one task. A rejection means that nothing of it was stored. */
  async run<K extends ShardTask["kind"]>(
    task: Extract<ShardTask, { kind: K }>,
  ): Promise<ShardAnswers[K]> {
    return (await this.dispatch(task)) as ShardAnswers[K]
  }

  private dispatch(task: ShardTask): unknown {
    const { store } = this.deps
    this.backfill.attach(store)
    switch (task.kind) {
      case "ingest":
        return this.ingest(task)
      case "maintain":
        return this.maintain(task)
      case "unflushedSamples":
        return store.unflushedSamples(task.series, task.span, task.onlyNewest)
      case "flushIndex":
        return this.flushIndex()
      case "getDocument":
        return store.getDocument(task.document, task.id)
      case "putDocuments":
        return this.putDocuments(task.changes)
      case "listDocuments":
        return store.listDocuments(task.document, task.range)
      case "countDocuments":
        return store.countDocuments(task.prefix)
      case "configure":
        return this.putDocuments(configurationChanges(store, task.tenant, task.configurations))
      case "buildSettings":
        this.backfill.build()
        return this.backfill.isBuilding
      case "edit":
        return this.editCatalogue(task.edit)
      case "editAll":
        return this.editAll(task.edits)
      case "commitCycle":
        return this.write(() => store.commitCycle(task.batch))
      case "reopenCycles":
        return this.write(() => store.reopenCycles(task.fromCycle))
      case "trustsClock":
        return store.trustsClock(task.nowMs)
      case "knownElements":
        return Int32Array.from(store.catalogue.elements())
      case "figures":
        return this.figures()
      case "close":
        return store.close().then(() => null)
      default:
        return unreachable(task)
    }
  }

  private maintain(moment: MaintenanceOptions): MaintenanceResult {
    const { guard } = this.deps
    guard.recover()
    const { store } = this.deps
    if (!guard.allowsMaintenance()) {
      const isFlushed = moment.flushUpToMs === undefined
      return {
        ...unflushedState(store),
        moreDue: false,
        isFlushed,
        flushed: 0,
        compacted: 0,
        dropped: 0,
      }
    }
    this.backfill.attach(store)
    const isSettling = this.backfillSettings()
    const maintenance = this.guarded(() => store.maintain(moment))
    return isSettling ? { ...maintenance, moreDue: true } : maintenance
  }

  /** Runs one step of the settings backfill; true if another is due. */
  private backfillSettings(): boolean {
    const { store, reader } = this.deps
    if (!this.backfill.isDue) return false
    this.backfill.step((element) => reader.invalidate(element))
    if (store.catalogue.hasChanges()) {
      this.columns.clear()
      this.guarded(() => store.append({ columns: this.columns }))
    }
    const checkpoints = this.backfill.drainCheckpoints()
    // A checkpoint states that a backfill is stored, so the index is flushed first: a damaged WAL
    // must not lose what the checkpoint promises.
    if (checkpoints.length > 0) {
      this.guarded(() => store.flushIndex())
      this.guarded(() => store.putDocuments(checkpoints))
    }
    return this.backfill.isDue
  }

  private putDocuments(changes: readonly DocumentChange[]): boolean {
    this.write(() => this.deps.store.putDocuments(changes))
    this.backfill.noteChanges(changes)
    return this.backfill.isBuilding
  }

  /** Parses every body of the task, then makes all valid ones durable in one commit. */
  private ingest(task: IngestTask): IngestAnswer {
    const { store, guard, elapsedMs } = this.deps
    const count = task.requests.length / requestInts
    // The bodies are not parsed, since parsing adds names to the catalogue.
    if (guard.ingestRefusal() !== null) return refusedAnswer(count, store)
    const seriesBefore = store.catalogue.seriesCount
    const results = emptyResults(count)
    this.columns.clear()
    this.readRequests(task, results)
    const startedMs = elapsedMs()
    const isStored = this.commit()
    if (!isStored) refuseAll(results)
    return {
      ...results,
      samples: isStored ? this.columns.count : 0,
      newSeries: store.catalogue.seriesCount - seriesBefore,
      ...unflushedState(store),
      commitMs: elapsedMs() - startedMs,
    }
  }

  /** Those with the server's time come last: the columns take them as one if they are together. */
  private readRequests(task: IngestTask, results: RequestResults): void {
    const { requests, nowMs } = task
    const injecting: number[] = []
    for (let request = 0; request * requestInts < requests.length; request++) {
      const flags = requests[request * requestInts + requestFlags]!
      if ((flags & flagInjectTimestamp) === 0) this.readRequest(task, { request, nowMs }, results)
      else injecting.push(request)
    }
    if (injecting.length === 0) return
    const givenMs = this.serverTime.next(nowMs)
    for (const request of injecting) this.readRequest(task, { request, nowMs: givenMs }, results)
  }

  private readRequest(
    { requests, bytes }: IngestTask,
    { request, nowMs }: { readonly request: number; readonly nowMs: number },
    results: RequestResults,
  ): void {
    const at = request * requestInts
    const offset = requests[at + requestOffset]!
    const flags = requests[at + requestFlags]!
    const samplesBefore = this.columns.count
    const tenant = requests[at + requestTenant]!
    const overQuota = diskQuotaRefusal(this.deps.store, tenant, this.deps.diskQuotaBytes)
    if (overQuota !== undefined) {
      results.statuses[request] = 429
      results.refusals.push({ request, ...overQuota })
      return
    }
    const outcome = this.deps.reader.read(
      bytes.subarray(offset, offset + requests[at + requestLength]!),
      {
        tenant,
        injectTimestamp: (flags & flagInjectTimestamp) !== 0,
        charset: charsets[flags >> charsetShift]!,
        isCollectd: (flags & flagCollectd) !== 0,
        reportsLeftOut: (flags & flagReportLeftOut) !== 0,
        nowMs,
      },
      this.columns,
    )
    if (outcome.ok) {
      results.statuses[request] = 202
      results.elements[request] = outcome.elements
      results.requestSamples[request] = this.columns.count - samplesBefore
      results.latestTimesMs[request] = latestTimeMs(this.columns, samplesBefore)
      const { refused, events } = outcome
      if (refused !== undefined) results.refusals.push({ request, ...refused })
      if (events !== undefined) results.events.push({ request, events })
      if (outcome.leftOut !== undefined) results.leftOut.push({ request, ...outcome.leftOut })
    } else {
      const { detail, errors, retryAfterSeconds } = outcome
      results.statuses[request] = retryAfterSeconds === undefined ? 400 : 429
      results.refusals.push({ request, detail, errors, retryAfterSeconds })
    }
  }

  /** True if everything parsed is durable; false if nothing is, because the store refused. */
  private commit(): boolean {
    const { store } = this.deps
    if (this.columns.count === 0 && !store.catalogue.hasChanges()) return true
    try {
      this.guarded(() => store.append({ columns: this.columns }))
      return true
    } catch (error) {
      if (isRefusal(error)) return false
      throw error
    }
  }

  /** Applies an edit, durable on return; or throws and changes nothing. */
  private editCatalogue(edit: CatalogueEdit): boolean {
    const { store } = this.deps
    this.checkWritable()
    this.commitEdits([applyEdit(store.catalogue, edit, this.deps.textBytesMax)])
    return store.hasUnflushedSeries
  }

  /** Applies the edits that are possible, durable together on return. */
  private editAll(edits: readonly CatalogueEdit[]): EditsAnswer {
    const { store, textBytesMax } = this.deps
    this.checkWritable()
    const applied: AppliedEdit[] = []
    const problems = edits.map((edit): string | null => {
      try {
        applied.push(applyEdit(store.catalogue, edit, textBytesMax))
        return null
      } catch (error) {
        if (error instanceof ServiceError) return error.message
        revert(applied)
        throw error
      }
    })
    if (applied.length > 0) this.commitEdits(applied)
    return { problems, hasUnflushedSeries: store.hasUnflushedSeries }
  }

  /** Makes applied edits durable, or reverts them and throws. */
  private commitEdits(applied: readonly AppliedEdit[]): void {
    const { store, reader } = this.deps
    this.columns.clear()
    try {
      this.guarded(() => store.append({ columns: this.columns }))
    } catch (error) {
      revert(applied)
      throw error
    }
    for (const { element } of applied) reader.invalidate(element)
  }

  /**
   * True if some series are still not visible to readers: while the disk refuses writes, queries
   * are answered from the last flushed index.
   */
  private flushIndex(): boolean {
    const { store, guard } = this.deps
    if (!store.hasUnflushedSeries || !guard.allowsMaintenance()) return store.hasUnflushedSeries
    try {
      this.guarded(() => store.flushIndex())
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
    return store.hasUnflushedSeries
  }

  private write<T>(work: () => T): T {
    this.checkWritable()
    return this.guarded(work)
  }

  /** Throws the reason if nothing may be written now. */
  private checkWritable(): void {
    const refusal = this.deps.guard.refusal()
    if (refusal !== null) throw refusal
  }

  private guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      this.deps.guard.noteFailure(error)
      throw error
    }
  }

  private figures(): ShardFigures {
    const { store, reader, guard } = this.deps
    return {
      ...store.figures(),
      scannedBodies: reader.scannedBodies,
      parsedBodies: reader.parsedBodies,
      refusals: guard.ingestRefusal()?.problems ?? [],
      freeDiskBytes: guard.freeDiskBytes,
      textBytes: store.catalogue.textBytes.bytesByTenant(),
      sharedTextBytes: store.catalogue.textBytes.sharedBytes,
      tenantElements: store.catalogue.present.elementsByTenant(),
      tenantSeries: store.catalogue.present.seriesByTenant(),
    }
  }
}

interface RequestResults {
  readonly statuses: Uint16Array
  readonly elements: Int32Array
  readonly requestSamples: Int32Array
  readonly latestTimesMs: Float64Array
  readonly refusals: IngestRefusal[]
  readonly leftOut: RequestLeftOut[]
  readonly events: RequestEvents[]
}

function emptyResults(count: number): RequestResults {
  return {
    statuses: new Uint16Array(count),
    elements: new Int32Array(count),
    requestSamples: new Int32Array(count),
    latestTimesMs: new Float64Array(count).fill(-Infinity),
    refusals: [],
    leftOut: [],
    events: [],
  }
}

/** The answer if nothing may be written: every request is to be sent again. */
function refusedAnswer(count: number, store: AppendStore): IngestAnswer {
  const results = emptyResults(count)
  results.statuses.fill(503)
  return { ...results, ...unflushedState(store), samples: 0, newSeries: 0, commitMs: 0 }
}

/** Samples and series that are durable and not yet visible to readers. */
function unflushedState({ unflushedSampleCount, hasUnflushedSeries }: AppendStore) {
  return { unflushedSamples: unflushedSampleCount, hasUnflushedSeries }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "storage"
}

/** Turns 202 into 503, because the store refused; clients may retry. */
function refuseAll(results: RequestResults): void {
  results.leftOut.length = 0
  results.events.length = 0
  for (let request = 0; request < results.statuses.length; request++) {
    if (results.statuses[request] === 202) results.statuses[request] = 503
  }
}

/** In reverse order: an element may have been edited twice. */
function revert(applied: readonly AppliedEdit[]): void {
  for (const { undo } of applied.toReversed()) undo()
}
