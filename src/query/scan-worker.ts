/** Scan worker: reads partitions of queries that another thread answers, without a catalogue. */

import { assert } from "../base/assert.ts"
import type { QueryBudget } from "../base/query-budget.ts"
import type { UnflushedSamples } from "../store/append-store.ts"
import type { SeriesReader } from "../store/query-store.ts"
import type { QueryPlan } from "./query.ts"
import { runClaimedPartitions, type WorkerSide } from "./parallel/work-sharing.ts"
import { createPartitionScan } from "./statistics/statistics.ts"

export class ScanWorker {
  readonly store: SeriesReader
  readonly budget: QueryBudget

  /** `budget`: of this thread; other threads may stop its query. */
  constructor(store: SeriesReader, budget: QueryBudget) {
    this.store = store
    this.budget = budget
  }

  /** Reads partitions of a plan until none is free; frees its claims if it fails. */
  scan(plan: QueryPlan, unflushed: UnflushedSamples | null, side: WorkerSide): void {
    assert(plan.kind === "statistics", `Expected no partitions of ${plan.kind}`)
    const { query, partitioning } = plan
    assert(partitioning !== undefined, "Expected a plan with partitions")
    this.store.useLocations(partitioning.locations)
    runClaimedPartitions(partitioning.partitions, createPartitionScan(this, query, unflushed), side)
    // The locations of 100,000 series take some megabytes.
    this.store.useLocations(null)
  }
}
