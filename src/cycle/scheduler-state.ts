/**
 * State of the cycle scheduler: the cycle that closes next, and what became of those before it.
 * Outages and clocks that are set change it; both are arithmetic on spans of cycles.
 */

import { assert } from "../base/assert.ts"
import { spanOfCycle, type CycleSpan, type SchedulerState } from "../model/closed-cycles.ts"

/** Stored spans; if there are more outages, the oldest two merge. */
const spansMax = 100
/**
 * Cycles by which the newest closed one may be ahead of the clock: that of a cycle that has just
 * closed is corrected by seconds.
 */
const aheadMax = 1

/**
 * State after an outage with more than `missedMax` cycles to close, up to and including `due`: only
 * the last `missedMax` of them will be closed, at least one.
 */
export function skipMissed(state: SchedulerState, due: number, missedMax: number): SchedulerState {
  const to = due - Math.max(1, missedMax) + 1
  assert(to > state.next, `Expected cycles to skip between ${state.next} and ${to}`)
  const missed = subtractSpans([{ from: state.next, to }], state.closed)
  return { ...state, next: to, unobserved: mergeOldest([...state.unobserved, ...missed]) }
}

/**
 * State after the clock was set back, with `due` as the newest due cycle; else the same object. The
 * scheduler follows the clock: the cycles that are closed ahead of it pass again.
 */
export function resumeState(state: SchedulerState, due: number, missedMax: number): SchedulerState {
  const { next, unobserved, began = next } = state
  if (next <= due + 1 + aheadMax) return state
  const reach = due + 1 - missedMax
  // The clock had been ahead: the cycles skipped because of it were not missed.
  const skipped = unobserved.find(({ from, to }) => from <= due && reach < to)
  const start = skipped === undefined ? due + 1 : Math.max(skipped.from, reach)
  // Cycles in the future are not missed: they are closed when they are due.
  const behind = subtractSpans(unobserved, [{ from: start, to: Infinity }])
  const from = Math.max(start, began)
  const ahead = from < next ? subtractSpans([{ from, to: next }], unobserved) : []
  const closed = appendLatest(state, ahead)
  return { ...state, next: start, unobserved: behind, began: Math.min(began, start), closed }
}

/** State after the next cycle has closed, and whether the server had watched all of it. */
export function closedState(state: SchedulerState, isWatched: boolean): SchedulerState {
  const { next: cycle, unwatched: before } = state
  const next = cycle + 1
  // It may have been closed before, ahead of the clock.
  const others = subtractSpans(before ?? [], [{ from: cycle, to: next }])
  const last = others.at(-1)
  if (isWatched) return { ...state, next, ...(before && { unwatched: others }) }
  const unwatched =
    last?.to === cycle
      ? [...others.slice(0, -1), { from: last.from, to: next }]
      : [...others, { from: cycle, to: next }].slice(-spansMax)
  return { ...state, next, unwatched }
}

/** Whether a cycle was closed when the clock was set back behind it. */
export function wasClosedAhead({ closed }: SchedulerState, cycle: number): boolean {
  return spanOfCycle(closed, cycle) !== undefined
}

/** The closed spans and `more`; without the oldest if these are too many. */
function appendLatest({ closed = [] }: SchedulerState, more: readonly CycleSpan[]): CycleSpan[] {
  return [...closed, ...more].slice(-spansMax)
}

/** The parts of `spans` that are in none of the others. */
function subtractSpans(
  spans: readonly CycleSpan[],
  others: readonly CycleSpan[] = [],
): readonly CycleSpan[] {
  return others.reduce((left, other) => left.flatMap((span) => subtractSpan(span, other)), spans)
}

function subtractSpan({ from, to }: CycleSpan, other: CycleSpan): CycleSpan[] {
  const before = { from, to: Math.min(to, other.from) }
  const after = { from: Math.max(from, other.to), to }
  return [before, after].filter((span) => span.from < span.to)
}

/** The spans; the oldest two are one if these are too many. */
function mergeOldest(spans: readonly CycleSpan[]): CycleSpan[] {
  if (spans.length <= spansMax) return [...spans]
  const [first, second, ...rest] = spans
  return [{ from: first!.from, to: second!.to }, ...rest]
}
