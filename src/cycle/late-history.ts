/**
 * The past of a metric as the API tells it, read from the store: for metrics that late samples came
 * for, whose remembered history no closing saw change (store/late-notes.ts).
 */

import { cycleMs, dayMs } from "../model/resolution.ts"
import type { ReadStore } from "../store/store.ts"
import {
  historyCycle,
  historyFloats,
  historyLast,
  historyMax,
  historyMin,
  type Rows,
} from "./rows.ts"

/** How far back, as `GET /elements/{id}/metrics` looks: as long as PT5M is kept by default. */
const pastDays = 90

type PastStore = Pick<ReadStore, "statistics" | "samples">

/**
 * Puts the least, the greatest and the last actual before `cycle` into the history of a row, and
 * its newest cycle with a sample. What is not there any more stays as it was remembered. Takes some
 * milliseconds.
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
  const asked = { span, resolution: "PT5M", withValues: false, exact: false } as const
  const [told] = store.statistics({ series: Int32Array.of(one), ...asked }, null)
  if (told === undefined) return
  history[at + historyMin] = told.statistics.min
  history[at + historyMax] = told.statistics.max
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

/** The newest actual that is no filling, day by day; null where there is none. */
function latestActual(
  store: PastStore,
  series: number,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): LatestActual | null {
  for (let toMs = endMs; toMs > startMs; toMs -= dayMs) {
    const span = { startMs: Math.max(startMs, toMs - dayMs), endMs: toMs }
    const records = store.samples(series, { span, resolution: "PT5M" }, null)
    for (const { timeMs, fields } of records.reverse()) {
      if (fields.actual === undefined || fields.sparseValue !== undefined) continue
      return { timeMs, actual: fields.actual, isObserved: (fields.cnt ?? 0) > 0 }
    }
  }
  return null
}
