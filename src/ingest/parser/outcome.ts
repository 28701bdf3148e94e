/** The inputs and the outcome of parsing one body. */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { ElementIndex } from "../../model/ids.ts"
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
      /** Problems of the refused values of a collectd body whose other values are stored. */
      readonly rejected?: string[]
    }
  | {
      readonly ok: false
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

/** The outcome of a body that is stored. */
export function accepted(
  elements: number,
  samples: number,
  leftOut: LeftOutReport | undefined,
): Extract<IngestOutcome, { ok: true }> {
  return leftOut === undefined
    ? { ok: true, elements, samples }
    : { ok: true, elements, samples, leftOut }
}
