/** One query thread: opens the store for reading, answers questions and works out closings. */

import { unreachable } from "./base/assert.ts"
import { CycleCloser } from "./cycle/closer.ts"
import type { PartQuestion } from "./cycle/task.ts"
import { TenantDirectory, type DirectoryMemory } from "./accounts/tenant-directory.ts"
import { toOutcome } from "./engine/outcome.ts"
import { poolWorkerData, turnOfLoop } from "./engine/pool.ts"
import type { OpenSamples } from "./engine/task.ts"
import { tidied, type TidyTask } from "./garbage.ts"
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
  | { readonly kind: "rehearse"; readonly step: number; readonly nowMs: number }
  | { readonly kind: "closePart"; readonly question: PartQuestion }

/** What a thread does its tasks with; both read the same store. */
interface Workshop {
  readonly query: Query
  readonly closer: CycleCloser
}

function openWorkshop(data: QueryWorkerData): Workshop {
  yieldToOthers()
  const store = openReadStore(data)
  const tenants = new TenantDirectory(data.tenants)
  const elapsedMs = (): number => performance.now()
  const tenantUuid = (tenant: number): string => tenants.uuidOf(tenant)
  return {
    query: new Query({ store, tenantUuid, elapsedMs }),
    closer: new CycleCloser({ store, tenantUuid }),
  }
}

/**
 * Opened while nobody waits: the first question of a thread would wait for the catalogue. Where it
 * cannot be opened the first task tries again, and what stands in the way is that task's answer.
 */
function openAhead(): Workshop | null {
  try {
    return openWorkshop(poolWorkerData() as QueryWorkerData)
  } catch {
    return null
  }
}

let workshop = openAhead()

export default function runTask(task: QueryTask | TidyTask | null): Promise<unknown> {
  if (task === null) return turnOfLoop()
  if (task.kind === "tidy") return tidied()
  return toOutcome(() => {
    const { query, closer } = (workshop ??= openWorkshop(poolWorkerData() as QueryWorkerData))
    switch (task.kind) {
      case "plan":
        return query.plan(task.request)
      case "answer":
        return query.answer(task.plan, task.open)
      case "rehearse":
        return query.rehearse(task.step, task.nowMs)
      case "closePart":
        return closer.close(task.question)
      default:
        return unreachable(task)
    }
  })
}
