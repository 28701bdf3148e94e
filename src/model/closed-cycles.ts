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

/** Whether a cycle was closed, and watched whole. */
export function isCycleWatched(state: SchedulerState, cycle: number): boolean {
  const { unwatched = [] } = state
  return (
    isCycleClosed(state, cycle) && !unwatched.some(({ from, to }) => from <= cycle && cycle < to)
  )
}

/** Whether a cycle was closed. */
function isCycleClosed(state: SchedulerState, cycle: number): boolean {
  const { next, unobserved, began = -Infinity, closed = [] } = state
  const isIn = ({ from, to }: CycleSpan): boolean => from <= cycle && cycle < to
  return closed.some(isIn) || (began <= cycle && cycle < next && !unobserved.some(isIn))
}
