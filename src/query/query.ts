/**
 * Query: the read side. A question is answered in two halves, since part of the answer lives with
 * the thread that writes:
 *
 * Where that thread has nothing, and no other helps, both are done in one go (`ask`).
 *
 *   plan      reads parameters and body, finds the series         any query thread
 *     ↓       the writer is asked for their open samples          the shard's thread
 *   answer    takes a snapshot, asks the store, prints JSON       any query thread
 *
 * The writer is asked before the snapshot is taken, so nothing falls between the two.
 */

import type { AnswerMemory } from "../base/answer-memory.ts"
import { QueryBudget } from "../base/query-budget.ts"
import type { Span } from "../model/span.ts"
import type { LegacyNames } from "../wire/legacy-names.ts"
import { serializeLocations, type UnflushedSamples, type ReadStore } from "../store/store.ts"
import { encodeParts, type AnswerParts, type JsonText } from "../wire/json.ts"
import type { QueryRequest } from "./core/request.ts"
import type { ElementQuery } from "./elements/element.ts"
import { answerElement, planElement } from "./elements/element.ts"
import type { ElementLookupQuery, ScopeCountsQuery } from "./elements/element-lookup.ts"
import {
  answerElementFacts,
  answerScopes,
  planElementFacts,
  planScopes,
} from "./elements/element-lookup.ts"
import type { AboutElements } from "./element-questions.ts"
import { answerAboutElements, planAboutElements } from "./element-questions.ts"
import type { MetricNamesQuery } from "./metrics/metric-names.ts"
import { answerFqns, planFqns } from "./metrics/metric-names.ts"
import { IdResolver } from "./core/id-resolver.ts"
import type { ElementCountQuery, ElementPageQuery } from "./elements/element-query.ts"
import {
  answerElementAgg,
  answerElementQuery,
  planElementAgg,
  planElementQuery,
} from "./elements/element-query.ts"
import { MetricIdIndex } from "./core/metric-id-index.ts"
import type { MetricCountQuery, MetricPageQuery, MetricListQuery } from "./metrics/metric-query.ts"
import {
  answerMetricAgg,
  answerMetricQuery,
  answerMetrics,
  planMetricAgg,
  planMetricQuery,
  planMetrics,
} from "./metrics/metric-query.ts"
import type { QueryPlanOf, QueryContext } from "./core/query-context.ts"
import { warmUpQueries } from "./parallel/warm-up-queries.ts"
import type { SamplesQuery } from "./statistics/samples.ts"
import { answerSamples, planSamples } from "./statistics/samples.ts"
import type { WorkQueue } from "./parallel/work-sharing.ts"
import type { StatisticsQuery } from "./statistics/statistics.ts"
import { answerStatistics, planStatistics } from "./statistics/statistics.ts"

export {
  Admission,
  type AdmissionFigures,
  type QueryClient,
  type Turn,
} from "./admission/admission.ts"
export type { QueryKind, QueryRequest } from "./core/request.ts"
export {
  releaseClaims,
  createWorkQueue,
  type WorkerSide,
  type WorkQueue,
} from "./parallel/work-sharing.ts"
export type {
  ElementLookupAnswer,
  ElementLookupBody,
  ScopeCountsAnswer,
  ScopeCountsBody,
} from "./elements/element-lookup.ts"
export { QueryParameters, isScalar, parseJson } from "./core/parameters.ts"
export { readWindowParameters, readInstant, readWindow } from "./core/window.ts"

export * from "./vocabulary.ts"
export { ReservedAnswer } from "./core/reserved-answer.ts"
export type { PathNames } from "./elements/resolve-path.ts"

type Question =
  | AboutElements
  | StatisticsQuery
  | SamplesQuery
  | MetricPageQuery
  | MetricListQuery
  | MetricCountQuery
  | ElementPageQuery
  | ElementCountQuery
  | MetricNamesQuery
  | ElementQuery
  | ElementLookupQuery
  | ScopeCountsQuery

/** Structured-clonable: it may be answered in another thread than it was made in. */
export interface QueryPlan extends QueryPlanOf<Question> {
  /** What is left of the request: its parameters and body were read. */
  readonly request: Pick<QueryRequest, "kind" | "tenant" | "nowMs">
}

/** What may have a part in an answer beside the thread that plans it. */
export interface Participants {
  /** Whether the writer has samples that are not folded. */
  readonly hasUnflushed: boolean
  /** Whether another thread may help with a question in parts. */
  readonly allowsParallel: boolean
}

/** The finished answer; or a plan, where somebody else has a part in it. */
export type QueryOutcome =
  | { readonly plan: QueryPlan; readonly parts?: undefined }
  | { readonly parts: AnswerParts; readonly plan?: undefined }

/** Whether the writer may have unfolded samples of what the plan is about. */
export function mayHaveUnflushed(plan: QueryPlan): plan is QueryPlan & { readonly span: Span } {
  return plan.span !== null && plan.series.length > 0
}

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
    /** Work of about this long is left to another thread; Infinity, the default: none helps. */
    partitionMs?: number
    /** "both", the default, "old" or "new". */
    legacyNames?: LegacyNames
    /** Of the thread; by default nothing ends a question. */
    budget?: QueryBudget
    /** What holds the parts of answers; by default they are not counted. */
    memory?: AnswerMemory
  }) {
    const { budget = new QueryBudget() } = deps
    const ids = new IdResolver(() => deps.store.catalogue, deps.tenantUuid, { budget })
    const metricIds = new MetricIdIndex(() => deps.store.catalogue, ids, budget)
    this.memory = deps.memory ?? null
    this.context = { partitionMs: Infinity, legacyNames: "both", ...deps, budget, ids, metricIds }
  }

  /**
   * Plans, and answers at once where nobody else has a part in it: the way to the main thread and
   * back would be a fair part of a short answer. `others` as of a time before this call. Throws as
   * `plan` and `answer` do.
   */
  execute(request: QueryRequest, { hasUnflushed, allowsParallel }: Participants): QueryOutcome {
    const plan = this.plan(request)
    const isOpen = hasUnflushed && mayHaveUnflushed(plan)
    const isShared = allowsParallel && plan.partitioning !== undefined
    return isOpen || isShared ? { plan } : { parts: this.answer(plan, null) }
  }

  /**
   * Reads a request and finds what it is about, as of now. Throws `invalid` with everything that is
   * wrong with it, or `missing` where it names one thing that does not exist.
   */
  plan(request: QueryRequest): QueryPlan {
    this.context.store.refresh()
    const { kind, tenant, nowMs } = request
    return { ...this.planned(request), request: { kind, tenant, nowMs } }
  }

  /**
   * Finished JSON, UTF-8, in parts that are reserved in the answer memory: whoever takes them gives
   * each back. `open`: the writer's unfolded samples of `plan.series` in `plan.span`,
   * asked after `plan` and before this call; null where there are none. `sharing`: by whom a plan
   * with a spread is answered, too; it need not come in time, and changes no byte. Throws `invalid`
   * where the answer would be over a named limit, `overloaded` if the answer memory is full.
   */
  answer(
    plan: QueryPlan,
    open: UnflushedSamples | null,
    sharing: WorkQueue | null = null,
  ): AnswerParts {
    this.context.store.refresh()
    const { tenant } = plan.request
    const reserved: number[] = []
    try {
      return encodeParts(this.textOf(plan, open, sharing), (bytes) => {
        this.memory?.reserve(tenant, bytes)
        reserved.push(bytes)
      })
    } catch (error) {
      for (const bytes of reserved) this.memory?.release(tenant, bytes)
      throw error
    }
  }

  private textOf(
    plan: QueryPlan,
    open: UnflushedSamples | null,
    sharing: WorkQueue | null,
  ): JsonText {
    const { context } = this
    const { question } = plan
    const { tenant } = plan.request
    switch (question.kind) {
      case "statistics":
        return answerStatistics(context, { ...plan, question }, { open, sharing })
      case "samples":
        return answerSamples(context, { ...plan, question }, open)
      case "metricQuery":
        return answerMetricQuery(context, { plan: { ...plan, question }, tenant, open })
      case "metrics":
        return answerMetrics(context, { plan: { ...plan, question }, tenant, open })
      case "metricAgg":
        return answerMetricAgg(context, { plan: { ...plan, question }, tenant, open })
      case "elementQuery":
        return answerElementQuery(context, { plan: { ...plan, question }, tenant, open })
      case "elementAgg":
        return answerElementAgg(context, { plan: { ...plan, question }, tenant, open })
      case "fqns":
        return answerFqns(context, plan.request.tenant, question)
      case "element":
        return answerElement(context, question)
      case "elementFacts":
        return answerElementFacts(context, question)
      case "scopes":
        return answerScopes(context, question)
      default:
        return answerAboutElements(context, { plan: { ...plan, question }, tenant, open })
    }
  }

  /**
   * Asks one of the questions of a rehearsal, by its number from 0. Gives its plan, in one part,
   * for those who help; null where there is no such question. Throws as a question does.
   */
  warmUp(step: number, nowMs: number): QueryPlan | null {
    this.context.store.refresh()
    const request = warmUpQueries(this.context, nowMs)[step]
    if (request === undefined) return null
    const plan = this.plan(request)
    encodeParts(this.textOf(plan, null, null), () => {})
    const { series } = plan
    return {
      ...plan,
      partitioning: {
        partitions: [series],
        locations: serializeLocations(this.context.store.catalogue, series),
      },
    }
  }

  private planned(request: QueryRequest): QueryPlanOf<Question> {
    switch (request.kind) {
      case "statistics":
        return planStatistics(this.context, request)
      case "samples":
        return planSamples(this.context, request)
      case "metricQuery":
        return planMetricQuery(this.context, request)
      case "metrics":
        return planMetrics(this.context, request)
      case "metricAgg":
        return planMetricAgg(this.context, request)
      case "elementQuery":
        return planElementQuery(this.context, request)
      case "elementAgg":
        return planElementAgg(this.context, request)
      case "fqns":
        return planFqns(request)
      case "element":
        return planElement(this.context, request)
      case "elementFacts":
        return planElementFacts(request)
      case "scopes":
        return planScopes(this.context, request)
      default:
        return planAboutElements(this.context, request.kind, request)
    }
  }
}
