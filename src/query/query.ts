/**
 * Query: the read side. A question is answered in two halves, since part of the answer lives with
 * the thread that writes:
 *
 *   plan      reads parameters and body, finds the series         any query thread
 *     ↓       the writer is asked for their open samples          the shard's thread
 *   answer    takes a snapshot, asks the store, prints JSON       any query thread
 *
 * The writer is asked before the snapshot is taken, so nothing falls between the two.
 */

import { unreachable } from "../base/assert.ts"
import type { OpenSamples, ReadStore } from "../store/store.ts"
import type { AskRequest } from "./ask.ts"
import type { ElementQuestion } from "./element.ts"
import { answerElement, planElement } from "./element.ts"
import type { FqnsQuestion } from "./fqns.ts"
import { answerFqns, planFqns } from "./fqns.ts"
import { Identity } from "./identity.ts"
import type { MetricQuestion } from "./metric-query.ts"
import { answerMetricQuery, planMetricQuery } from "./metric-query.ts"
import type { Planned, Reader } from "./reader.ts"
import type { SamplesQuestion } from "./samples.ts"
import { answerSamples, planSamples } from "./samples.ts"
import type { StatisticsQuestion } from "./statistics.ts"
import { answerStatistics, planStatistics } from "./statistics.ts"

export type { AskKind, AskRequest } from "./ask.ts"

type Question =
  StatisticsQuestion | SamplesQuestion | MetricQuestion | FqnsQuestion | ElementQuestion

/** Structured-clonable: it may be answered in another thread than it was made in. */
export interface QueryPlan extends Planned<Question> {
  /** What is left of the request: its parameters and body were read. */
  readonly request: Pick<AskRequest, "kind" | "tenant" | "nowMs">
}

export class Query {
  private readonly reader: Reader

  /** `tenantUuid`: the UUID of a tenant by its index, from which all ids are computed. */
  constructor(deps: { store: ReadStore; tenantUuid: (tenant: number) => string }) {
    const identity = new Identity(() => deps.store.catalogue, deps.tenantUuid)
    this.reader = { ...deps, identity }
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
   * Finished JSON, UTF-8. `open`: the writer's unfolded samples of `plan.series` in `plan.span`,
   * asked after `plan` and before this call; null where there are none. Throws `invalid` where the
   * answer would be over a named limit.
   */
  answer(plan: QueryPlan, open: OpenSamples | null): Uint8Array {
    const { reader } = this
    reader.store.refresh()
    const { question } = plan
    switch (question.kind) {
      case "statistics":
        return answerStatistics(reader, { ...plan, question }, open)
      case "samples":
        return answerSamples(reader, { ...plan, question }, open)
      case "metricQuery":
        return answerMetricQuery(reader, { ...plan, question, tenant: plan.request.tenant }, open)
      case "fqns":
        return answerFqns(reader, plan.request.tenant, question)
      case "element":
        return answerElement(reader, question)
      default:
        return unreachable(question)
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
      case "fqns":
        return planFqns(request)
      case "element":
        return planElement(this.reader, request)
      default:
        return unreachable(request.kind)
    }
  }
}
