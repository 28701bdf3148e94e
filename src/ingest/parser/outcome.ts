/** What a body is read with and into, and what comes of it. */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { SampleLimitViolation } from "../../model/sample-limits.ts"
import type { SampleColumns } from "../../model/sample-columns.ts"
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
      /** What of collectd's values was refused, beside those that are stored. */
      readonly rejected?: string[]
    }
  | {
      readonly ok: false
      readonly detail: RefusalDetail
      /** At most `errorStringsMax` sentences, at least one. */
      readonly errors: string[]
      /** Where the body was good and only came too soon. */
      readonly retryAfterSeconds?: number
    }

export type RefusalDetail =
  | "Error Parsing JSON Request"
  | "Input Validation Failed"
  | CardinalityRefusal["detail"]
  | "Sample Limit Exceeded"

/** Counts the samples from `from` on, or gives one that is too many. */
export type SampleLimitCheck = (columns: SampleColumns, from: number) => SampleLimitViolation | null

export interface ParseDeps {
  readonly catalogue: Catalogue
  readonly cardinality: CardinalityLimiter
  readonly request: IngestRequest
  readonly period: AcceptedPeriod
  /** Where the caller has begun a request; after a refusal the caller rolls it back. */
  readonly columns: SampleColumns
  /** `WriteStore.crowd`; absent where any number may come. */
  readonly checkSampleLimit: SampleLimitCheck | undefined
  /** Hears of every element that was known and is now known differently. */
  readonly onChange: (element: number) => void
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
