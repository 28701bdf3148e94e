/** What every question is answered with, and what its first half hands to its second. */

import type { QueryBudget } from "../../base/query-budget.ts"
import type { Span } from "../../model/span.ts"
import type { SerializedLocations, ReadStore } from "../../store/store.ts"
import type { LegacyNames } from "../../wire/legacy-names.ts"
import type { IdResolver } from "./id-resolver.ts"
import type { MetricIdIndex } from "./metric-id-index.ts"

export interface QueryContext {
  readonly store: ReadStore
  readonly ids: IdResolver
  readonly metricIds: MetricIdIndex
  readonly tenantUuid: (tenant: number) => string
  /** Under which names documents have the tags that people set. */
  readonly legacyNames: LegacyNames
  /** To be looked at in every loop over elements, metrics, names or values. */
  readonly budget: QueryBudget
  /** Monotonic milliseconds, for durations only. */
  readonly elapsedMs: () => number
  /** How much of a question makes a part for another thread; Infinity where none helps. */
  readonly partitionMs: number
}

/** How several threads can read one question (spread.ts); structured-clonable. */
export interface Partitioning {
  /** Series of each part, in the order of the question within each block. */
  readonly partitions: readonly Int32Array[]
  /** For threads that have no catalogue. */
  readonly locations: SerializedLocations
}

/** A question that was read, and the open samples that its answer needs. Structured-clonable. */
export interface QueryPlanOf<Question> {
  /** Empty where the answer needs no open samples. */
  readonly series: Int32Array
  /** When the open samples lie; null where `series` is empty. */
  readonly span: Span | null
  /** Whether one open sample a series is enough: it is asked whether there are any. */
  readonly onlyFirst?: true
  /** How several threads can read it; absent where one does. */
  readonly partitioning?: Partitioning | undefined
  readonly question: Question
}

/** A question that the catalogue alone answers. */
export function withoutSamples<Question>(question: Question): QueryPlanOf<Question> {
  return { series: new Int32Array(0), span: null, question }
}
