/** What every question is answered with, and what its first half hands to its second. */

import type { QueryBudget } from "../../base/query-budget.ts"
import type { Span } from "../../model/span.ts"
import type { CarriedPlaces, ReadStore } from "../../store/store.ts"
import type { LegacyNames } from "../../wire/legacy-names.ts"
import type { Identity } from "./id-resolver.ts"
import type { MetricIds } from "./metric-ids.ts"

export interface Reader {
  readonly store: ReadStore
  readonly identity: Identity
  readonly metricIds: MetricIds
  readonly tenantUuid: (tenant: number) => string
  /** Under which names documents have the tags that people set. */
  readonly legacyNames: LegacyNames
  /** To be looked at in every loop over elements, metrics, names or values. */
  readonly budget: QueryBudget
  /** Monotonic milliseconds, for durations only. */
  readonly elapsedMs: () => number
  /** How much of a question makes a part for another thread; Infinity where none helps. */
  readonly partMs: number
}

/** How several threads can read one question (spread.ts); structured-clonable. */
export interface Spread {
  /** Series of each part, in the order of the question within each block. */
  readonly parts: readonly Int32Array[]
  /** For threads that have no catalogue. */
  readonly places: CarriedPlaces
}

/** A question that was read, and the open samples that its answer needs. Structured-clonable. */
export interface Planned<Question> {
  /** Empty where the answer needs no open samples. */
  readonly series: Int32Array
  /** When the open samples lie; null where `series` is empty. */
  readonly span: Span | null
  /** Whether one open sample a series is enough: it is asked whether there are any. */
  readonly onlyFirst?: true
  /** How several threads can read it; absent where one does. */
  readonly spread?: Spread | undefined
  readonly question: Question
}

/** A question that the catalogue alone answers. */
export function withoutSamples<Question>(question: Question): Planned<Question> {
  return { series: new Int32Array(0), span: null, question }
}
