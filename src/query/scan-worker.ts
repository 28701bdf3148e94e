/** Scan worker: reads partitions of queries that another thread answers, without a catalogue. */

import { assert } from "../base/assert.ts"
import type { AnswerMemory } from "../base/answer-memory.ts"
import type { QueryBudget } from "../base/query-budget.ts"
import type { UnflushedSamples } from "../store/append-store.ts"
import type { SeriesReader } from "../store/query-store.ts"
import { WorkingMemory } from "./core/working-memory.ts"
import type { QueryPlan } from "./query.ts"
import { runClaimedPartitions, type WorkerSide } from "./parallel/work-sharing.ts"
import { buffersOfPrinted } from "./statistics/printed-entries.ts"
import { createPartitionScan } from "./statistics/statistics.ts"

export class ScanWorker {
  private readonly store: SeriesReader
  private readonly budget: QueryBudget
  private readonly memory: AnswerMemory | null

  /**
   * `budget`: of this thread; other threads may stop its query. `memory`: counts what it reads and
   * prints; by default nothing is counted.
   */
  constructor(store: SeriesReader, budget: QueryBudget, memory: AnswerMemory | null = null) {
    this.store = store
    this.budget = budget
    this.memory = memory
  }

  /** Reads partitions of a plan until none is free; frees its claims if it fails. */
  scan(plan: QueryPlan, unflushed: UnflushedSamples | null, side: WorkerSide): void {
    assert(plan.kind === "statistics", `Expected no partitions of ${plan.kind}`)
    const { query, partitioning } = plan
    assert(partitioning !== undefined, "Expected a plan with partitions")
    this.store.useLocations(partitioning.locations)
    const { store, budget } = this
    const working = new WorkingMemory(this.memory, plan.tenant, side.workingUnits)
    const scan = createPartitionScan({ store, budget, working }, query, unflushed)
    runClaimedPartitions(partitioning.partitions, scan, side, buffersOfPrinted)
    // The locations of 100,000 series take some megabytes.
    this.store.useLocations(null)
  }
}
