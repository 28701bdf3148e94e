/** Which cycles are closed: progress of the cycle scheduler, as the store keeps it. */

import type { WatchedSpan } from "../base/time/watched-time.ts"

/** Cycles `[from, to)`. */
export interface CycleSpan {
  readonly from: number
  readonly to: number
}

/** The stored document of the scheduler (cycle/scheduler-state.ts). */
export interface SchedulerState {
  /** The cycle that closes next. */
  readonly next: number
  /** Cycles that were never closed, oldest first. */
  readonly unobserved: readonly CycleSpan[]
  /** The first cycle ever, by the earliest clock. */
  readonly began?: number
  /** Until when the server had watched when the document was stored (spec/time §6). */
  readonly watched?: WatchedSpan
  /** Cycles that are closed, but that the server did not watch whole, oldest first. */
  readonly unwatched?: readonly CycleSpan[]
  /** Cycles that were closed already when the clock was set back behind them, oldest first. */
  readonly closed?: readonly CycleSpan[]
}

/** Kind and id of the document. */
export const schedulerStateKind = "cycle"
export const schedulerStateId = "ticker"

/** The span that has a cycle; undefined if none has. */
export function spanOfCycle(
  spans: readonly CycleSpan[] | undefined,
  cycle: number,
): CycleSpan | undefined {
  return spans?.find(({ from, to }) => from <= cycle && cycle < to)
}

/** Whether a cycle was closed, and watched whole. */
export function isCycleWatched(state: SchedulerState, cycle: number): boolean {
  return isCycleClosed(state, cycle) && spanOfCycle(state.unwatched, cycle) === undefined
}

/** Whether a cycle was closed. */
function isCycleClosed(state: SchedulerState, cycle: number): boolean {
  const { next, unobserved, began = -Infinity, closed } = state
  if (spanOfCycle(closed, cycle) !== undefined) return true
  return began <= cycle && cycle < next && spanOfCycle(unobserved, cycle) === undefined
}
