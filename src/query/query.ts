/**
 * Query: the read side. A query is answered in two halves, because the thread that writes holds a
 * part of the answer:
 *
 *   plan      reads parameters and body, resolves the series     any query thread
 *     ↓       the writer is asked for their unflushed samples    the shard's thread
 *   answer    takes a snapshot, reads the store, prints JSON     any query thread
 *
 * The writer is asked before the snapshot is taken, so no sample is missed between the two. If the
 * writer has none and no scan worker helps, both halves run in one go (`execute`).
 */

import type { AnswerMemory } from "../base/answer-memory.ts"
import { QueryBudget } from "../base/query-budget.ts"
import type { Span } from "../model/span.ts"
import type { UnflushedSamples } from "../store/append-store.ts"
import type { ReadStore } from "../store/store.ts"
import { encodeParts, type AnswerParts, type JsonText } from "../wire/json.ts"
import type { LegacyNames } from "../wire/legacy-names.ts"
import { IdResolver } from "./core/id-resolver.ts"
import { MetricIdIndex } from "./core/metric-id-index.ts"
import type { QueryContext } from "./core/query-context.ts"
import type { WorkQueue } from "./core/query-plan.ts"
import { warmUpQueries } from "./parallel/warm-up-queries.ts"
import { definitionOf, planOf, type QueryPlan, type QueryRequest } from "./registry.ts"

export {
  Admission,
  type AdmissionFigures,
  type QueryClient,
  type Turn,
} from "./admission/admission.ts"
export type { QueryKind, QueryPlan, QueryRequest } from "./registry.ts"
export type { WorkQueue } from "./core/query-plan.ts"
export { createWorkQueue, releaseClaims, type WorkerSide } from "./parallel/work-sharing.ts"
export type { ElementLookupAnswer, ElementLookupBody } from "./elements/element-lookup.ts"
export type { ScopeCountsAnswer, ScopeCountsBody } from "./elements/scope-counts.ts"
export { QueryParameters, parseJson } from "./core/parameters.ts"
export { readWindowParameters, readInstant, readWindow } from "./core/window.ts"

export * from "./vocabulary.ts"
export { ReservedAnswer } from "./core/reserved-answer.ts"
export type { PathNames } from "./elements/path-names.ts"

/** The threads that may take part in an answer, besides the one that plans it. */
export interface Participants {
  /** Whether the writer has unflushed samples. */
  readonly hasUnflushed: boolean
  /** Whether scan workers may read partitions of the query. */
  readonly allowsParallel: boolean
}

/** The finished answer; or a plan, if another thread takes part in the answer. */
export type QueryOutcome =
  | { readonly plan: QueryPlan; readonly parts?: undefined }
  | { readonly parts: AnswerParts; readonly plan?: undefined }

/** Whether the writer may have unflushed samples that the plan's answer needs. */
export function mayHaveUnflushed(plan: QueryPlan): plan is QueryPlan & { readonly span: Span } {
  return plan.span !== null && plan.series.length > 0
}

/**
 * @example
 * import { mkdtempSync, rmSync } from "node:fs"
 * import { SampleBatchBuilder } from "../model/sample-batch.ts"
 * import { openReadStore, openWriteStore } from "../store/open.ts"
 * const [folder, elapsedMs] = [mkdtempSync("/tmp/query-"), () => performance.now()]
 * const retentionMs = { ZERO: Infinity, PT5M: Infinity, PT1H: Infinity, PT24H: Infinity }
 * const warn = () => assert.fail("Expected a new store")
 * const writer = openWriteStore({ folder, retentionMs, cycleGraceMs: 0, elapsedMs, warn })
 * writer.catalogue.upsertSeries(writer.catalogue.upsertElement(0, "web-1", { nowMs: 0 }), "cpu")
 * writer.append({ columns: new SampleBatchBuilder() })
 * writer.flushIndex()
 * const store = openReadStore({ folder })
 * const tenantUuid = () => "5ec2e7a4-1ab3-4c0d-9d1b-7a2c6f30e881"
 * const query = new Query({ store, tenantUuid, elapsedMs })
 * const request = { kind: "fqns", tenant: 0, params: {}, body: null, nowMs: 0 } as const
 * const { parts } = query.execute(request, { hasUnflushed: false, allowsParallel: false })
 * assert.match(Buffer.concat(parts!).toString(), /"cpu"/)
 * await store.close()
 * await writer.close()
 * rmSync(folder, { recursive: true })
 */
export class Query {
  private readonly context: QueryContext
  private readonly memory: AnswerMemory | null

  /**
   * `tenantUuid`: the UUID of a tenant by its index, from which all ids are computed. `elapsedMs`:
   * monotonic milliseconds, for durations only.
   */
  constructor(deps: {
    store: ReadStore
    tenantUuid: (tenant: number) => string
    elapsedMs: () => number
    /** Estimated work of one partition, in milliseconds; by default Infinity: no scan worker. */
    partitionMs?: number
    /** "both", the default, "old" or "new". */
    legacyNames?: LegacyNames
    /** Of the thread; by default nothing ends a query. */
    budget?: QueryBudget
    /** Reserves the bytes of answers; by default they are not counted. */
    memory?: AnswerMemory
  }) {
    const { budget = new QueryBudget() } = deps
    const ids = new IdResolver(() => deps.store.catalogue, deps.tenantUuid, { budget })
    const metricIds = new MetricIdIndex(() => deps.store.catalogue, ids, budget)
    this.memory = deps.memory ?? null
    this.context = { partitionMs: Infinity, legacyNames: "both", ...deps, budget, ids, metricIds }
  }

  /**
   * Plans, and answers if no other thread takes part: a round trip to the main thread would be a
   * large part of a short answer. `participants` as of a time before this call. Throws as `plan`
   * and `answer` do.
   */
  execute(request: QueryRequest, { hasUnflushed, allowsParallel }: Participants): QueryOutcome {
    const plan = this.plan(request)
    const needsWriter = hasUnflushed && mayHaveUnflushed(plan)
    const isShared = allowsParallel && plan.partitioning !== undefined
    return needsWriter || isShared ? { plan } : { parts: this.answer(plan, null) }
  }

  /**
   * Reads a request and resolves the series and elements it names, as of now. Throws `invalid` with
   * all problems of the request, or `missing` if one thing that it names does not exist.
   */
  plan(request: QueryRequest): QueryPlan {
    this.context.store.refresh()
    return planOf(this.context, request)
  }

  /**
   * Finished JSON, UTF-8, in parts whose bytes are reserved in the answer memory; the caller
   * releases each. `unflushed`: the writer's unflushed samples of `plan.series` in `plan.span`,
   * fetched after `plan` and before this call; null if there are none. `queue`: shared with the
   * scan workers that read partitions of the plan; they may be late, and change no byte. Throws
   * `invalid` if the answer would exceed a named limit, `overloaded` if the answer memory is full.
   */
  answer(
    plan: QueryPlan,
    unflushed: UnflushedSamples | null,
    queue: WorkQueue | null = null,
  ): AnswerParts {
    this.context.store.refresh()
    const { tenant } = plan
    const reserved: number[] = []
    try {
      return encodeParts(this.textOf(plan, unflushed, queue), (bytes) => {
        this.memory?.reserve(tenant, bytes)
        reserved.push(bytes)
      })
    } catch (error) {
      for (const bytes of reserved) this.memory?.release(tenant, bytes)
      throw error
    }
  }

  /**
   * Runs the warm-up query number `step`, from 0. Returns its plan, in one partition, for the scan
   * workers; null if there is no such step. Throws as `plan` and `answer` do.
   */
  warmUp(step: number, nowMs: number): QueryPlan | null {
    const { store } = this.context
    store.refresh()
    const request = warmUpQueries(this.context, nowMs)[step]
    if (request === undefined) return null
    const plan = this.plan(request)
    encodeParts(this.textOf(plan, null, null), () => {})
    const { series } = plan
    const partitioning = { partitions: [series], locations: store.locationsOf(series) }
    return { ...plan, partitioning }
  }

  private textOf(
    plan: QueryPlan,
    unflushed: UnflushedSamples | null,
    queue: WorkQueue | null,
  ): JsonText {
    const { kind, tenant } = plan
    return definitionOf(kind).answer(this.context, { plan, tenant, unflushed, queue })
  }
}
