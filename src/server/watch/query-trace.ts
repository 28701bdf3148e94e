/** The cost of one query of a client so far, on all threads: for the log of slow queries. */

import { ServiceError } from "../../base/errors.ts"
import type { PlanFigures, QueryClient, QueryRequest, ReservedAnswer } from "../../query/query.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type { TaskCost } from "../../worker/task-cost.ts"

interface Costed {
  readonly cost?: TaskCost
}

export class QueryTrace {
  readonly request: Pick<QueryRequest, "kind" | "tenant">
  readonly asker: Pick<QueryClient, "user" | "requestId">
  /** "answered", or the code of the error; an internal one is "failed". */
  outcome = "waiting"
  private readonly startedMs = performance.now()
  private begunMs: number | null = null
  private endedMs = 0
  private plan: PlanFigures | null = null
  private unflushedSamples = 0
  private bytes = 0
  private readonly costs: TaskCost[] = []
  private scanWorkers = 0
  private readonly working: Promise<unknown>[] = []

  constructor(request: Pick<QueryRequest, "kind" | "tenant">, asker: QueryClient) {
    this.request = request
    this.asker = asker
  }

  /** The query has its turn, perhaps again. */
  begin(): void {
    this.begunMs = performance.now()
  }

  /** Work that `settled` waits for; gives it. */
  waitFor<Result>(work: Promise<Result>): Promise<Result> {
    this.working.push(work)
    return work
  }

  planned(figures: PlanFigures): void {
    this.plan = figures
  }

  addCost({ cost }: Costed): void {
    if (cost !== undefined) this.costs.push(cost)
  }

  addScan(scanned: Costed): void {
    this.scanWorkers++
    this.addCost(scanned)
  }

  addUnflushed(samples: UnflushedSamples | null): void {
    this.unflushedSamples += samples?.count ?? 0
  }

  answered(answer: ReservedAnswer): ReservedAnswer {
    this.bytes = answer.byteCount
    this.end("answered")
    return answer
  }

  failed(error: unknown): unknown {
    this.end(error instanceof ServiceError ? error.code : "failed")
    return error
  }

  get durationMs(): number {
    return this.endedMs - this.startedMs
  }

  /** Resolves when no thread works on the query any more, which may be after its end. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.working)
  }

  /** The fields of a log line; the query has ended. Milliseconds are whole. */
  fields(): Readonly<Record<string, unknown>> {
    const sum = (of: (cost: TaskCost) => number) =>
      this.costs.reduce((total, cost) => total + of(cost), 0)
    const hasCpu = this.costs.length > 0 && this.costs.every(({ cpuMs }) => cpuMs !== null)
    const { kind, tenant } = this.request
    return {
      kind,
      tenant,
      principal: this.asker.user,
      requestId: this.asker.requestId,
      outcome: this.outcome,
      durationMs: Math.round(this.durationMs),
      waitedMs: Math.round((this.begunMs ?? this.endedMs) - this.startedMs),
      busyMs: Math.round(sum(({ busyMs }) => busyMs)),
      ...(hasCpu ? { cpuMs: Math.round(sum(({ cpuMs }) => cpuMs!)) } : {}),
      ...this.plan,
      rows: sum(({ rows }) => rows),
      chunks: sum(({ chunks }) => chunks),
      unflushedSamples: this.unflushedSamples,
      threads: Math.min(1, this.costs.length) + this.scanWorkers,
      bytes: this.bytes,
    }
  }

  private end(outcome: string): void {
    this.endedMs = performance.now()
    this.outcome = outcome
  }
}
