/** One query thread: opens the store for reading and plans and answers questions. */

import { TenantDirectory, type DirectoryMemory } from "./accounts/tenant-directory.ts"
import { toOutcome } from "./engine/outcome.ts"
import { poolWorkerData } from "./engine/pool.ts"
import type { OpenSamples } from "./engine/task.ts"
import type { AskRequest } from "./query/ask.ts"
import { Query, type QueryPlan } from "./query/query.ts"
import { openReadStore } from "./store/open.ts"
import { yieldToOthers } from "./thread-priority.ts"

export interface QueryWorkerData {
  readonly folder: string
  /** Shared with the main thread, which adds tenants while the server runs. */
  readonly tenants: DirectoryMemory
}

export type QueryTask =
  | { readonly kind: "plan"; readonly request: AskRequest }
  | { readonly kind: "answer"; readonly plan: QueryPlan; readonly open: OpenSamples | null }

let query: Query | null = null

function openQuery(data: QueryWorkerData): Query {
  yieldToOthers()
  const store = openReadStore(data)
  const tenants = new TenantDirectory(data.tenants)
  const elapsedMs = (): number => performance.now()
  return new Query({ store, tenantUuid: (tenant) => tenants.uuidOf(tenant), elapsedMs })
}

/** Opened by the first task; see shard-worker.ts. */
export default function runTask(task: QueryTask): Promise<unknown> {
  return toOutcome(() => {
    query ??= openQuery(poolWorkerData() as QueryWorkerData)
    return task.kind === "plan" ? query.plan(task.request) : query.answer(task.plan, task.open)
  })
}
