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
import { carryPlaces, type OpenSamples, type ReadStore } from "../store/store.ts"
import { encodeParts, type AnswerParts, type JsonText } from "../wire/json.ts"
import type { AskRequest } from "./core/request.ts"
import type { ElementQuestion } from "./elements/element.ts"
import { answerElement, planElement } from "./elements/element.ts"
import type { ElementFactsQuestion, ScopesQuestion } from "./elements/element-facts.ts"
import {
  answerElementFacts,
  answerScopes,
  planElementFacts,
  planScopes,
} from "./elements/element-facts.ts"
import type { AboutElements } from "./element-questions.ts"
import { answerAboutElements, planAboutElements } from "./element-questions.ts"
import type { FqnsQuestion } from "./metrics/metric-names.ts"
import { answerFqns, planFqns } from "./metrics/metric-names.ts"
import { Identity } from "./core/id-resolver.ts"
import type { ElementAggQuestion, ElementsQuestion } from "./elements/element-query.ts"
import {
  answerElementAgg,
  answerElementQuery,
  planElementAgg,
  planElementQuery,
} from "./elements/element-query.ts"
import { MetricIds } from "./core/metric-ids.ts"
import type { MetricAggQuestion, MetricQuestion, MetricsQuestion } from "./metrics/metric-query.ts"
import {
  answerMetricAgg,
  answerMetricQuery,
  answerMetrics,
  planMetricAgg,
  planMetricQuery,
  planMetrics,
} from "./metrics/metric-query.ts"
import type { Planned, Reader } from "./core/query-context.ts"
import { rehearsalOf } from "./parallel/warm-up-queries.ts"
import type { SamplesQuestion } from "./statistics/samples.ts"
import { answerSamples, planSamples } from "./statistics/samples.ts"
import type { Sharing } from "./parallel/work-sharing.ts"
import type { StatisticsQuestion } from "./statistics/statistics.ts"
import { answerStatistics, planStatistics } from "./statistics/statistics.ts"

export { Admission, type AdmissionFigures, type Asker, type Turn } from "./admission/admission.ts"
export type { AskKind, AskRequest } from "./core/request.ts"
export { giveBack, shareOut, type HelperSide, type Sharing } from "./parallel/work-sharing.ts"
export type {
  ElementFactsAnswer,
  ElementFactsBody,
  ScopesAnswer,
  ScopesBody,
} from "./elements/element-facts.ts"
export { Parameters, isScalar, parseJson } from "./core/parameters.ts"
export { askedWindow, readInstant, readWindow } from "./core/window.ts"

export * from "./vocabulary.ts"
export { HeldAnswer } from "./core/held-answer.ts"
export type { NamesAnswer } from "./elements/resolve-path.ts"

type Question =
  | AboutElements
  | StatisticsQuestion
  | SamplesQuestion
  | MetricQuestion
  | MetricsQuestion
  | MetricAggQuestion
  | ElementsQuestion
  | ElementAggQuestion
  | FqnsQuestion
  | ElementQuestion
  | ElementFactsQuestion
  | ScopesQuestion

/** Structured-clonable: it may be answered in another thread than it was made in. */
export interface QueryPlan extends Planned<Question> {
  /** What is left of the request: its parameters and body were read. */
  readonly request: Pick<AskRequest, "kind" | "tenant" | "nowMs">
}

/** What may have a part in an answer beside the thread that plans it. */
export interface Others {
  /** Whether the writer has samples that are not folded. */
  readonly areOpen: boolean
  /** Whether another thread may help with a question in parts. */
  readonly mayShare: boolean
}

/** The finished answer; or a plan, where somebody else has a part in it. */
export type Asked =
  | { readonly plan: QueryPlan; readonly parts?: undefined }
  | { readonly parts: AnswerParts; readonly plan?: undefined }

/** Whether the writer may have unfolded samples of what the plan is about. */
export function mayHaveOpen(plan: QueryPlan): plan is QueryPlan & { readonly span: Span } {
  return plan.span !== null && plan.series.length > 0
}

export class Query {
  private readonly reader: Reader
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
    partMs?: number
    /** "both", the default, "old" or "new". */
    legacyNames?: LegacyNames
    /** Of the thread; by default nothing ends a question. */
    budget?: QueryBudget
    /** What holds the parts of answers; by default they are not counted. */
    memory?: AnswerMemory
  }) {
    const { budget = new QueryBudget() } = deps
    const identity = new Identity(() => deps.store.catalogue, deps.tenantUuid, { budget })
    const metricIds = new MetricIds(() => deps.store.catalogue, identity, budget)
    this.memory = deps.memory ?? null
    this.reader = { partMs: Infinity, legacyNames: "both", ...deps, budget, identity, metricIds }
  }

  /**
   * Plans, and answers at once where nobody else has a part in it: the way to the main thread and
   * back would be a fair part of a short answer. `others` as of a time before this call. Throws as
   * `plan` and `answer` do.
   */
  ask(request: AskRequest, { areOpen, mayShare }: Others): Asked {
    const plan = this.plan(request)
    const isOpen = areOpen && mayHaveOpen(plan)
    const isShared = mayShare && plan.spread !== undefined
    return isOpen || isShared ? { plan } : { parts: this.answer(plan, null) }
  }

  /**
   * Reads a request and finds what it is about, as of now. Throws `invalid` with everything that is
   * wrong with it, or `missing` where it names one thing that does not exist.
   */
  plan(request: AskRequest): QueryPlan {
    this.reader.store.refresh()
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
  answer(plan: QueryPlan, open: OpenSamples | null, sharing: Sharing | null = null): AnswerParts {
    this.reader.store.refresh()
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

  private textOf(plan: QueryPlan, open: OpenSamples | null, sharing: Sharing | null): JsonText {
    const { reader } = this
    const { question } = plan
    const { tenant } = plan.request
    switch (question.kind) {
      case "statistics":
        return answerStatistics(reader, { ...plan, question }, { open, sharing })
      case "samples":
        return answerSamples(reader, { ...plan, question }, open)
      case "metricQuery":
        return answerMetricQuery(reader, { plan: { ...plan, question }, tenant, open })
      case "metrics":
        return answerMetrics(reader, { plan: { ...plan, question }, tenant, open })
      case "metricAgg":
        return answerMetricAgg(reader, { plan: { ...plan, question }, tenant, open })
      case "elementQuery":
        return answerElementQuery(reader, { plan: { ...plan, question }, tenant, open })
      case "elementAgg":
        return answerElementAgg(reader, { plan: { ...plan, question }, tenant, open })
      case "fqns":
        return answerFqns(reader, plan.request.tenant, question)
      case "element":
        return answerElement(reader, question)
      case "elementFacts":
        return answerElementFacts(reader, question)
      case "scopes":
        return answerScopes(reader, question)
      default:
        return answerAboutElements(reader, { plan: { ...plan, question }, tenant, open })
    }
  }

  /**
   * Asks one of the questions of a rehearsal, by its number from 0. Gives its plan, in one part,
   * for those who help; null where there is no such question. Throws as a question does.
   */
  rehearse(step: number, nowMs: number): QueryPlan | null {
    this.reader.store.refresh()
    const request = rehearsalOf(this.reader, nowMs)[step]
    if (request === undefined) return null
    const plan = this.plan(request)
    encodeParts(this.textOf(plan, null, null), () => {})
    const { series } = plan
    return {
      ...plan,
      spread: { parts: [series], places: carryPlaces(this.reader.store.catalogue, series) },
    }
  }

  private planned(request: AskRequest): Planned<Question> {
    switch (request.kind) {
      case "statistics":
        return planStatistics(this.reader, request)
      case "samples":
        return planSamples(this.reader, request)
      case "metricQuery":
        return planMetricQuery(this.reader, request)
      case "metrics":
        return planMetrics(this.reader, request)
      case "metricAgg":
        return planMetricAgg(this.reader, request)
      case "elementQuery":
        return planElementQuery(this.reader, request)
      case "elementAgg":
        return planElementAgg(this.reader, request)
      case "fqns":
        return planFqns(request)
      case "element":
        return planElement(this.reader, request)
      case "elementFacts":
        return planElementFacts(request)
      case "scopes":
        return planScopes(this.reader, request)
      default:
        return planAboutElements(this.reader, request.kind, request)
    }
  }
}
