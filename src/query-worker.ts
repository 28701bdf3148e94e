/** One query thread: opens the store for reading and plans and answers questions. */

import { toOutcome } from "./engine/outcome.ts"
import { poolWorkerData } from "./engine/pool.ts"
import type { OpenSamples } from "./engine/task.ts"
import type { AskRequest } from "./query/ask.ts"
import { Query, type QueryPlan } from "./query/query.ts"
import { openReadStore } from "./store/open.ts"

export interface QueryWorkerData {
  readonly folder: string
  /** UUIDs of the tenants by index. */
  readonly tenantUuids: readonly string[]
}

export type QueryTask =
  | { readonly kind: "plan"; readonly request: AskRequest }
  | { readonly kind: "answer"; readonly plan: QueryPlan; readonly open: OpenSamples | null }

let query: Query | null = null

function openQuery(data: QueryWorkerData): Query {
  const store = openReadStore(data)
  return new Query({ store, tenantUuid: (tenant) => data.tenantUuids[tenant]! })
}

/** Opened by the first task; see shard-worker.ts. */
export default function runTask(task: QueryTask): Promise<unknown> {
  return toOutcome(() => {
    query ??= openQuery(poolWorkerData() as QueryWorkerData)
    return task.kind === "plan" ? query.plan(task.request) : query.answer(task.plan, task.open)
  })
}
