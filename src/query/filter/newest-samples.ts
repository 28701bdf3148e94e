/**
 * When elements sent last, by samples that are not flushed: the plan asks the writer for the newest
 * one of each metric, the answer reads the times.
 */

import { newestSeriesMax, noDataAfterMs } from "../../base/limits/search.ts"
import type { ElementIndex } from "../../model/ids.ts"
import { cycleMs } from "../../model/resolution.ts"
import { runEnd } from "../../model/sample-batch.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { SampleNeed } from "../core/query-plan.ts"
import { seriesOf } from "./element-series.ts"

/** The samples by which `newestSampleMs` knows when these elements sent last. */
export function needOfNewest(context: QueryContext, elements: Int32Array): SampleNeed {
  const all = seriesOf(context, elements)
  // Clients mostly post all metrics of an element together.
  const series = all.length <= newestSeriesMax ? all : seriesOf(context, elements, 1)
  const { nowMs } = context
  const span = { startMs: nowMs - noDataAfterMs, endMs: nowMs + cycleMs }
  return { series, span: series.length === 0 ? null : span, onlyNewest: true }
}

/** The time of the newest unflushed sample of each element that has one; none is after now. */
export function newestSampleMs(
  { store, budget, nowMs }: QueryContext,
  unflushed: UnflushedSamples | null,
): ReadonlyMap<ElementIndex, number> {
  const newest = new Map<ElementIndex, number>()
  if (unflushed === null) return newest
  for (let run = 0; run < unflushed.runCount; run++) {
    const timeMs = Math.min(nowMs, unflushed.runTimesMs[run]!)
    for (let at = unflushed.runStarts[run]!; at < runEnd(unflushed, run); at++) {
      budget.step()
      const element = store.catalogue.seriesElement(unflushed.series[at]!)
      if (!(newest.get(element)! >= timeMs)) newest.set(element, timeMs)
    }
  }
  return newest
}
