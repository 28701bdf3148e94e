/** The inputs and the outcome of parsing one body. */

import { assert } from "../../base/assert.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { ElementIndex } from "../../model/ids.ts"
import type { PostedEvent } from "../../model/records/posted-event.ts"
import type { SampleLimitViolation } from "../../model/sample-limits.ts"
import type { SampleBatchBuilder } from "../../model/sample-batch.ts"
import type { CardinalityLimiter, CardinalityRefusal } from "../cardinality.ts"
import type { LeftOutReport } from "../left-out.ts"
import type { AcceptedPeriod, IngestRequest } from "../request.ts"

export type IngestOutcome =
  | {
      readonly ok: true
      readonly elements: number
      readonly samples: number
      /** Absent if every sample was stored. */
      readonly leftOut?: LeftOutReport
      /** Why a part of the body is not stored; absent if all of it is. */
      readonly refused?: Refusal
      /** Events of a collectd body, which the caller stores; absent if it has none. */
      readonly events?: readonly PostedEvent[]
    }
  | ({ readonly ok: false } & Refusal)

/** Why a body, or a part of it, is not stored. */
export interface Refusal {
  readonly detail: RefusalDetail
  /** At most `errorStringsMax` sentences, at least one. */
  readonly errors: string[]
  /** Set if the body is valid and only exceeds a rate. */
  readonly retryAfterSeconds?: number
}

export type RefusalDetail =
  | "Error Parsing JSON Request"
  | "Input Validation Failed"
  | CardinalityRefusal["detail"]
  | "Sample Limit Exceeded"
  /** Some entries of a collectd body. */
  | "Some Samples Were Refused"
  | "Some Samples or Events Were Refused"

/** Counts the samples from `from` on, or returns the first one over the limit. */
export type SampleLimitCheck = (
  columns: SampleBatchBuilder,
  from: number,
) => SampleLimitViolation | null

export interface ParseDeps {
  readonly catalogue: Catalogue
  readonly cardinality: CardinalityLimiter
  readonly request: IngestRequest
  readonly period: AcceptedPeriod
  /** The caller has started a request in them, and rolls it back after a refusal. */
  readonly columns: SampleBatchBuilder
  /** The sample limit of the store; undefined if there is none. */
  readonly checkSampleLimit: SampleLimitCheck | undefined
  /** Called with every known element that has changed. */
  readonly onChange: (element: ElementIndex) => void
}

/** The last step of a valid body; without `refused`, all of it is stored. */
export interface Applied {
  readonly refused?: Refusal
  /** False if nothing of the body is stored. */
  readonly isStored: boolean
}

/** The outcome of a body after its plan was applied. */
export function outcomeOf(
  applied: Applied,
  elements: number,
  samples: number,
  leftOut: LeftOutReport | undefined,
): IngestOutcome {
  const { refused, isStored } = applied
  if (refused === undefined && leftOut === undefined) return { ok: true, elements, samples }
  if (!isStored) {
    assert(refused !== undefined, "Expected a reason why nothing is stored")
    return { ok: false, ...refused }
  }
  return {
    ok: true,
    elements,
    samples,
    ...(leftOut === undefined ? {} : { leftOut }),
    ...(refused === undefined ? {} : { refused }),
  }
}
