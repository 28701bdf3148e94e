/** The services that every query is planned and answered with. */

import type { QueryBudget } from "../../base/query-budget.ts"
import type { ReadStore } from "../../store/store.ts"
import type { LegacyNames } from "../../wire/legacy-names.ts"
import type { IdResolver } from "./id-resolver.ts"
import type { MetricIdIndex } from "./metric-id-index.ts"

export interface QueryContext {
  readonly store: ReadStore
  readonly ids: IdResolver
  readonly metricIds: MetricIdIndex
  readonly tenantUuid: (tenant: number) => string
  /** Under which names documents have the tags that users set. */
  readonly legacyNames: LegacyNames
  /** Charged in every loop over elements, metrics, names or values. */
  readonly budget: QueryBudget
  /** Monotonic milliseconds, for durations only. */
  readonly elapsedMs: () => number
  /** Estimated work of one partition, in milliseconds; Infinity if no scan worker exists. */
  readonly partitionMs: number
}
