/** Helper: does parts of questions that another thread was asked; needs no catalogue. */

import { assert } from "../base/assert.ts"
import type { QueryBudget } from "../base/query-budget.ts"
import { StaticLocations, type UnflushedSamples, type SeriesReader } from "../store/store.ts"
import type { QueryPlan } from "./query.ts"
import { runClaimedPartitions, type WorkerSide } from "./parallel/work-sharing.ts"
import { createPartitionScan } from "./statistics/statistics.ts"

const none = new Int32Array(0)
const noLocations = new StaticLocations({
  series: none,
  locations: none,
  actualKinds: new Uint8Array(0),
  blocks: none,
  blockSizes: none,
})

export class ScanWorker {
  readonly store: SeriesReader
  readonly budget: QueryBudget

  /** `budget`: of this thread, whose question others may end. */
  constructor(store: SeriesReader, budget: QueryBudget) {
    this.store = store
    this.budget = budget
  }

  /** Does parts of a plan that has a spread, until none is free; failing, it leaves them free. */
  scan(
    { question, partitioning }: QueryPlan,
    open: UnflushedSamples | null,
    side: WorkerSide,
  ): void {
    assert(question.kind === "statistics", `Expected no ${question.kind} in parts`)
    assert(partitioning !== undefined, "Expected a question in parts")
    this.store.useLocations(new StaticLocations(partitioning.locations))
    runClaimedPartitions(partitioning.partitions, createPartitionScan(this, question, open), side)
    // Those of 100,000 series take some megabytes.
    this.store.useLocations(noLocations)
  }
}
