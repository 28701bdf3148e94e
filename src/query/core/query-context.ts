/** The services that one query is planned and answered with. */

import type { QueryBudget } from "../../base/query-budget.ts"
import type { PartitionedSource, QuerySource } from "../../store/query-store.ts"
import type { LegacyNames } from "../../wire/legacy-names.ts"
import type { NameIndex } from "../names/name-index.ts"
import type { IdResolver } from "./id-resolver.ts"
import type { WorkingMemory } from "./working-memory.ts"
import type { TenantIndex } from "../../model/ids.ts"

/** By which scan workers read a part of a query. */
export interface ScanSharing {
  readonly source: PartitionedSource
  /** Estimated work of one partition, in milliseconds. */
  readonly partitionMs: number
}

export interface QueryContext {
  /** The view of this query. Reads of the embedded store return no promise. */
  readonly store: QuerySource
  /** Null if no scan worker exists, or the store cannot be read by several threads. */
  readonly sharing: ScanSharing | null
  readonly ids: IdResolver
  /** Texts by which elements, names and tags are found; of this thread. */
  readonly names: NameIndex
  readonly tenantUuid: (tenant: TenantIndex) => string
  /** Under which names documents have the tags that users set. */
  readonly legacyNames: LegacyNames
  /** Charged in every loop over elements, metrics, names or values. */
  readonly budget: QueryBudget
  /** Counts values that are read and texts that are printed before they are parts of the answer. */
  readonly working: WorkingMemory
  /** Arrival of the request. */
  readonly nowMs: number
  /** Monotonic milliseconds, for durations only. */
  readonly elapsedMs: () => number
}
