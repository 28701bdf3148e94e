/** The progress of the closings, as a query sees it. */

import {
  schedulerStateId,
  schedulerStateKind,
  type SchedulerState,
} from "../../model/closed-cycles.ts"
import type { QuerySource } from "../../store/query-store.ts"

/** Undefined before the first closing. */
export async function readSchedulerState(store: QuerySource): Promise<SchedulerState | undefined> {
  const stored = await store.listDocuments(schedulerStateKind, { from: schedulerStateId, limit: 1 })
  const document = stored.find(({ id }) => id === schedulerStateId)?.document
  return document as SchedulerState | undefined
}
