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
 *
 * Both halves are asynchronous for stores in other processes. A store that answers without promises
 * costs a query some microtasks, and nothing a sample or series. A query reads a view of its own
 * (`QueryStore.begin`), a new one in its second half if another thread took part in between, and it
 * works with memory of its own: other queries may run while it waits.
 */

import type { AnswerMemory } from "../base/answer-memory.ts"
import { QueryBudget } from "../base/query-budget.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { Resolution } from "../model/resolution.ts"
import type { Span } from "../model/span.ts"
import type { UnflushedSamples } from "../store/append-store.ts"
import type { Answer, QueryStore } from "../store/query-store.ts"
import { encodeParts, type AnswerParts, type JsonText } from "../wire/json.ts"
import type { LegacyNames } from "../wire/legacy-names.ts"
import { IdCache, IdResolver } from "./core/id-resolver.ts"
import { NameIndex } from "./names/name-index.ts"
import type { PlannedQuery } from "./core/define-query.ts"
import type { QueryContext, ScanSharing } from "./core/query-context.ts"
import type { WorkQueue } from "./core/query-plan.ts"
import { WorkingMemory } from "./core/working-memory.ts"
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
export type { NewestElementAnswer } from "./elements/newest-element.ts"
export type { RawPointsAnswer, RawPointsBody } from "./series/raw-points.ts"
export type { ElementLookupAnswer, ElementLookupBody } from "./elements/element-lookup.ts"
export type { SelectedElementsAnswer, SelectedElementsBody } from "./elements/selected-elements.ts"
export type { PolicyReplayQuery } from "./policies/policy-replay.ts"
export type { ScopeCountsAnswer, ScopeCountsBody } from "./elements/scope-counts.ts"
export { QueryParameters } from "./core/parameters.ts"
export { readWindowParameters, readInstant, readWindow } from "./core/window.ts"

export * from "./vocabulary.ts"
export { bestOf, type SearchableText } from "./names/rank.ts"
export { readSearchParameters, type SearchParameters } from "./search/search-names.ts"
export { ReservedAnswer } from "./core/reserved-answer.ts"
export { WorkingMemory } from "./core/working-memory.ts"
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
  | { readonly plan: QueryPlan; readonly parts?: undefined; readonly figures?: undefined }
  | { readonly parts: AnswerParts; readonly plan?: undefined; readonly figures: PlanFigures }

/** The size of a plan, for the log. */
export interface PlanFigures {
  /** Null if the query reads no samples. */
  readonly resolution: Resolution | null
  readonly series: number
  readonly partitions: number
}

export function figuresOf({ series, partitioning, query }: QueryPlan): PlanFigures {
  const resolution = "resolution" in query ? query.resolution : null
  const partitions = partitioning?.partitions.length ?? 1
  return { resolution, series: series.length, partitions }
}

/** Whether the writer may have unflushed samples that the plan's answer needs. */
export function mayHaveUnflushed(plan: QueryPlan): plan is QueryPlan & { readonly span: Span } {
  return plan.span !== null && plan.series.length > 0
}

interface QueryDeps {
  readonly store: Pick<QueryStore, "begin">
  /** The UUID of a tenant by its index, from which all ids are computed. */
  readonly tenantUuid: (tenant: TenantIndex) => string
  /** Monotonic milliseconds, for durations only. */
  readonly elapsedMs: () => number
  /** By default no scan worker exists. */
  readonly sharing?: ScanSharing | null
  /** "both", the default, "old" or "new". */
  readonly legacyNames?: LegacyNames
  /** Reserves the bytes of answers; by default they are not counted. */
  readonly memory?: AnswerMemory
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
 * const alone = { hasUnflushed: false, allowsParallel: false }
 * const { parts } = await query.execute(request, alone)
 * assert.match(Buffer.concat(parts!).toString(), /"cpu"/)
 * await store.close()
 * await writer.close()
 * rmSync(folder, { recursive: true })
 */
export class Query {
  private readonly deps: QueryDeps
  private readonly cache = new IdCache()
  private readonly names = new NameIndex()

  constructor(deps: QueryDeps) {
    this.deps = deps
  }

  /**
   * Plans, and answers if no other thread takes part: a round trip to the main thread would be a
   * large part of a short answer. `participants` as of a time before this call. `budget`: of this
   * query alone; by default nothing ends it. Throws as `plan` and `answer` do.
   */
  async execute(
    request: QueryRequest,
    { hasUnflushed, allowsParallel }: Participants,
    budget?: QueryBudget,
  ): Promise<QueryOutcome> {
    const context = await this.begin(request, { budget })
    const plan = await planOf(context, request)
    const needsWriter = hasUnflushed && mayHaveUnflushed(plan)
    const isShared = allowsParallel && plan.partitioning !== undefined
    if (needsWriter || isShared) return { plan }
    const parts = await this.print(context, { plan, unflushed: null, queue: null })
    return { parts, figures: figuresOf(plan) }
  }

  /**
   * Reads a request and resolves the series and elements it names, as of now. Throws `invalid` with
   * all problems of the request, or `missing` if one thing that it names does not exist.
   */
  async plan(request: QueryRequest, budget?: QueryBudget): Promise<QueryPlan> {
    return planOf(await this.begin(request, { budget }), request)
  }

  /**
   * Finished JSON, UTF-8, in parts whose bytes are reserved in the answer memory; the caller
   * releases each. `unflushed`: the writer's unflushed samples of `plan.series` in `plan.span`,
   * fetched after `plan` and before this call; null if there are none. `queue`: shared with the
   * scan workers that read partitions of the plan; they may be late, and change no byte. The caller
   * releases their working memory when all have ended. Throws `invalid` if the answer would exceed
   * a named limit, `overloaded` if the answer memory is full.
   */
  async answer(
    plan: QueryPlan,
    unflushed: UnflushedSamples | null,
    queue: WorkQueue | null = null,
    budget?: QueryBudget,
  ): Promise<AnswerParts> {
    const working = { budget, workingUnits: queue?.workingUnits }
    return this.print(await this.begin(plan, working), { plan, unflushed, queue })
  }

  /**
   * Runs the warm-up query number `step`, from 0. Returns its plan, in one partition if scan
   * workers exist. Later steps build the index of names; null if nothing is left of it. Throws as
   * `plan` and `answer` do.
   */
  async warmUp(step: number, nowMs: number): Promise<QueryPlan | "names" | null> {
    const context = await this.begin({ nowMs, tenant: 0 }, {}, null)
    const request = warmUpQueries(context, nowMs)[step]
    if (request === undefined) return this.names.extend(context.store.catalogue) ? "names" : null
    const plan = await planOf(context, request)
    encodeParts(await textOf(context, { plan, unflushed: null, queue: null }), () => {})
    if (context.sharing === null) return plan
    const { series } = plan
    const locations = context.sharing.source.locationsOf(series)
    return { ...plan, partitioning: { partitions: [series], locations } }
  }

  /** A context with a view of the store for one query, or one half of it. */
  private async begin(
    { nowMs, tenant }: Pick<QueryRequest, "nowMs" | "tenant">,
    { budget = new QueryBudget(), workingUnits }: QueryLimits,
    memory = this.deps.memory ?? null,
  ): Promise<QueryContext> {
    const { tenantUuid, elapsedMs, sharing = null, legacyNames = "both" } = this.deps
    const store = await this.deps.store.begin()
    const ids = new IdResolver(store.catalogue, tenantUuid, { cache: this.cache, budget })
    const { names } = this
    const working = new WorkingMemory(memory, tenant, workingUnits)
    const own = { ids, names, budget, working }
    return { store, sharing, tenantUuid, legacyNames, nowMs, elapsedMs, ...own }
  }

  private async print(context: QueryContext, planned: AnyPlanned): Promise<AnswerParts> {
    try {
      const text = await textOf(context, planned)
      // The query may have been stopped meanwhile.
      context.budget.check()
      return this.encode(text, planned.plan.tenant)
    } finally {
      // Scan workers may still count theirs.
      if (planned.queue === null) context.working.end()
    }
  }

  private encode(text: JsonText, tenant: TenantIndex): AnswerParts {
    const { memory } = this.deps
    const reserved: number[] = []
    try {
      return encodeParts(text, (bytes) => {
        memory?.reserve(tenant, bytes)
        reserved.push(bytes)
      })
    } catch (error) {
      for (const bytes of reserved) memory?.release(tenant, bytes)
      throw error
    }
  }
}

interface QueryLimits {
  readonly budget?: QueryBudget | undefined
  readonly workingUnits?: Int32Array | undefined
}

interface AnyPlanned extends Omit<PlannedQuery<unknown>, "tenant"> {
  readonly plan: QueryPlan
}

function textOf(context: QueryContext, planned: AnyPlanned): Answer<JsonText> {
  const { kind, tenant } = planned.plan
  return definitionOf(kind).answer(context, { ...planned, tenant })
}
