/** The shard from the main thread: one typed call for each kind of task. */

import type { CycleBatch } from "../store/cycle-store.ts"
import type { MaintenanceOptions } from "../store/maintenance-store.ts"
import { assert } from "../base/assert.ts"
import type { CatalogueEdit } from "../model/records/catalogue-edit.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { DocumentChange, DocumentStore, IdRange, StoredDocument } from "../model/document.ts"
import type { Span } from "../model/span.ts"
import { unwrapWorkerResult, type WorkerResult } from "./worker-result.ts"
import type { WorkerPool } from "./worker-pool.ts"
import type { ShardAnswers, ShardFigures } from "./shard.ts"
import type {
  IngestAnswer,
  IngestTask,
  LimitsTask,
  ShardLimits,
  ShardTask,
  UnflushedSamples,
} from "./shard-protocol.ts"

export class ShardClient {
  /**
   * Unflushed samples as of the last answer that reports them; if 0, no query needs to fetch them.
   * Infinity before the first answer: a killed process leaves some, and a query may come first.
   */
  unflushedSampleCount = Infinity
  /** True if readers may not see all series, as of the same answer. */
  hasUnflushedSeries = false
  /** Series of all accounts that were new since the start. */
  newSeries = 0
  private readonly pool: WorkerPool
  private flushing: Promise<void> | null = null

  constructor(pool: WorkerPool) {
    this.pool = pool
  }

  async ingest(task: IngestTask): Promise<IngestAnswer> {
    const answer = await this.run("ingest", task)
    this.noteState(answer)
    this.newSeries += answer.newSeries
    return answer
  }

  async maintain(moment: MaintenanceOptions): Promise<ShardAnswers["maintain"]> {
    const answer = await this.run("maintain", { kind: "maintain", ...moment })
    this.noteState(answer)
    return answer
  }

  private noteState(answer: Pick<IngestAnswer, "unflushedSamples" | "hasUnflushedSeries">): void {
    this.unflushedSampleCount = answer.unflushedSamples
    this.hasUnflushedSeries = answer.hasUnflushedSeries
  }

  /**
   * Resolves when readers that refresh see the series of every answer received before the call, or
   * the disk refuses. The shard runs and answers tasks in order, so concurrent callers share one
   * task: it covers everything answered before its own answer.
   */
  flushIndex(): Promise<void> {
    this.flushing ??= this.runFlush()
    return this.flushing
  }

  private async runFlush(): Promise<void> {
    try {
      this.hasUnflushedSeries = await this.run("flushIndex", { kind: "flushIndex" })
    } finally {
      this.flushing = null
    }
  }

  unflushedSamples(series: Int32Array, span: Span, onlyNewest: boolean): Promise<UnflushedSamples> {
    return this.run("unflushedSamples", { kind: "unflushedSamples", series, span, onlyNewest })
  }

  knownElements(): Promise<Int32Array> {
    return this.run("knownElements", { kind: "knownElements" })
  }

  figures(): Promise<ShardFigures> {
    return this.run("figures", { kind: "figures" })
  }

  getDocument(document: string, id: string): Promise<unknown> {
    return this.run("getDocument", { kind: "getDocument", document, id })
  }

  /**
   * Resolves when the changes are synced and in effect. If they change the settings of metrics,
   * those are built in small steps, between which ingest goes on.
   */
  async putDocuments(changes: readonly DocumentChange[]): Promise<void> {
    const isBuilding = await this.run("putDocuments", { kind: "putDocuments", changes })
    if (isBuilding) await this.buildSettings()
  }

  async listDocuments(document: string, range: IdRange = {}): Promise<StoredDocument[]> {
    return [...(await this.run("listDocuments", { kind: "listDocuments", document, range }))]
  }

  countDocuments(prefix: string): Promise<number> {
    return this.run("countDocuments", { kind: "countDocuments", prefix })
  }

  /** Resolves when the edit is synced; rejects if it is invalid or was refused. */
  async editCatalogue(edit: CatalogueEdit): Promise<void> {
    this.hasUnflushedSeries = await this.run("edit", { kind: "edit", edit })
  }

  /**
   * Resolves when all possible edits are synced, to why each of the others was not made, or null.
   */
  async editCatalogueAll(edits: readonly CatalogueEdit[]): Promise<readonly (string | null)[]> {
    const { problems, hasUnflushedSeries } = await this.run("editAll", { kind: "editAll", edits })
    this.hasUnflushedSeries = hasUnflushedSeries
    assert(problems.length === edits.length, "Expected a result of each edit")
    return problems
  }

  /**
   * Replaces the analytic configurations of a tenant, synced. When it resolves, new metrics get the
   * new settings; existing ones get them in the background. A caller that stores documents of their
   * kind (engine/settings-backfill.ts) with `putDocuments` does not need this.
   */
  async replaceConfigurations(
    tenant: TenantIndex,
    configurations: readonly StoredDocument[],
  ): Promise<void> {
    const task = { kind: "configure", tenant, configurations } as const
    if (await this.run("configure", task)) await this.buildSettings()
  }

  /** Commits a cycle batch; false if it was committed before. */
  commitCycle(batch: CycleBatch): Promise<boolean> {
    return this.run("commitCycle", { kind: "commitCycle", batch })
  }

  /** Removes marks of this cycle and of later ones; true if some are left for another call. */
  reopenCycles(fromCycle: number): Promise<boolean> {
    return this.run("reopenCycles", { kind: "reopenCycles", fromCycle })
  }

  /** As `MaintenanceStore.trustsClock`. */
  trustsClock(nowMs: number): Promise<boolean> {
    return this.run("trustsClock", { kind: "trustsClock", nowMs })
  }

  /** Changes limits; resolves when they are in force. */
  async setLimits(limits: ShardLimits): Promise<void> {
    const task: LimitsTask = { kind: "setLimits", limits }
    unwrapWorkerResult(await this.pool.run<WorkerResult<void>>(task))
  }

  /** Closes the store and ends the thread, even if the store fails to close; no task may follow. */
  async close(): Promise<void> {
    try {
      await this.run("close", { kind: "close" })
    } finally {
      await this.pool.close()
    }
  }

  private async buildSettings(): Promise<void> {
    while (await this.run("buildSettings", { kind: "buildSettings" }));
  }

  private async run<K extends ShardTask["kind"]>(
    _kind: K,
    task: Extract<ShardTask, { kind: K }>,
  ): Promise<ShardAnswers[K]> {
    return unwrapWorkerResult(await this.pool.run<WorkerResult<ShardAnswers[K]>>(task))
  }
}

/** The documents of the store as the main thread's services use them. */
export function documentStoreOf(shard: ShardClient): DocumentStore {
  return {
    get: (kind, id) => shard.getDocument(kind, id),
    put: (kind, id, document) => shard.putDocuments([{ kind, id, document }]),
    putAll: (changes) => shard.putDocuments(changes),
    list: (kind, range) => shard.listDocuments(kind, range),
  }
}
