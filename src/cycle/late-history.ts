/**
 * Rebuilds the value history of a metric from the store, as the API reports it. Needed for metrics
 * with late samples, which no closing has added to the stored history (store/late-notes.ts).
 */

import type { SeriesIndex } from "../model/ids.ts"
import { cycleMs, dayMs } from "../model/resolution.ts"
import type { CycleSource } from "../store/cycle-store.ts"
import {
  historyCycle,
  historyFloats,
  historyLast,
  historyMax,
  historyMin,
  type Rows,
} from "./rows.ts"

/** As `GET /elements/{id}/metrics`: the default retention of PT5M. */
const pastDays = 90

type PastStore = Pick<CycleSource, "statistics" | "samples">

/**
 * Sets the history of a row to the minimum, the maximum and the last actual before `cycle`, and the
 * newest cycle with a sample. Fields for which the store holds no value any more keep theirs. Takes
 * some milliseconds.
 */
export function rereadHistory(
  store: PastStore,
  { series, history }: Rows,
  row: number,
  cycle: number,
) {
  const one = series[row]!
  const at = row * historyFloats
  const span = { startMs: cycle * cycleMs - pastDays * dayMs, endMs: cycle * cycleMs }
  const query = { span, resolution: "PT5M", withValues: false, exact: false } as const
  const [entry] = store.statistics({ series: Int32Array.of(one), ...query }, null)
  if (entry === undefined) return
  history[at + historyMin] = entry.statistics.min
  history[at + historyMax] = entry.statistics.max
  const last = latestActual(store, one, span)
  if (last === null) return
  history[at + historyLast] = last.actual
  const known = history[at + historyCycle]!
  const newest = Math.floor(last.timeMs / cycleMs)
  if (last.isObserved && !(known >= newest)) history[at + historyCycle] = newest
}

interface LatestActual {
  readonly timeMs: number
  readonly actual: number
  readonly isObserved: boolean
}

/** The newest actual that is no gap fill, searched day by day; null if there is none. */
function latestActual(
  store: PastStore,
  series: SeriesIndex,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): LatestActual | null {
  for (let toMs = endMs; toMs > startMs; toMs -= dayMs) {
    const span = { startMs: Math.max(startMs, toMs - dayMs), endMs: toMs }
    const [records] = store.samples(Int32Array.of(series), { span, resolution: "PT5M" }, null)
    for (const { timeMs, fields } of records!.reverse()) {
      if (fields.actual === undefined || fields.sparseValue !== undefined) continue
      return { timeMs, actual: fields.actual, isObserved: (fields.cnt ?? 0) > 0 }
    }
  }
  return null
}
