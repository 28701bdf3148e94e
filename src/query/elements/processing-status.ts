/** The processing status of elements: their last cycle with data, and its completeness. */

import { collectedPercentFqn } from "../../model/fqn.ts"
import { cycleMs, dayMs } from "../../model/resolution.ts"
import type { ElementProcessing } from "../../wire/elements/element-document.ts"
import type { QueryContext } from "../core/query-context.ts"
import { seriesOf } from "../filter/element-series.ts"

type ProcessingStatus = Pick<ElementProcessing, "lastProcessedMs" | "collectedPercent">

export const neverProcessed: ProcessingStatus = { lastProcessedMs: null, collectedPercent: null }

/** An element without data for longer counts as never processed: the longest duration. */
const lookBackMs = 14 * dayMs
/** After this time a cycle is flushed, its grace period and the flush interval included. */
const flushDelayMs = 120_000

/** The status of each element. Only flushed cycles count as processed. */
export async function processingStatuses(
  context: QueryContext,
  elements: Int32Array,
  nowMs: number,
): Promise<ProcessingStatus[]> {
  const { store } = context
  const series = seriesOf(context, elements)
  const span = { startMs: nowMs - lookBackMs, endMs: nowMs }
  const seenMs = await store.lastSeen({ series, span, onlyWhether: false }, null)
  const lastCycleMs = lastFlushedCycle(nowMs)
  const percents = await percentsOf(context, elements, lastCycleMs)
  let at = 0
  return Array.from(elements, (element, i) => {
    const { length } = store.catalogue.elementSeries(element)
    const times = seenMs.subarray(at, at + length)
    at += length
    const found = processed(times, lastCycleMs)
    return Number.isNaN(percents[i]!) ? found : { ...found, collectedPercent: percents[i]! }
  })
}

/** The percentage of each element in the last flushed cycle; NaN if its closing stored none. */
export function collectedPercents(
  context: QueryContext,
  elements: Int32Array,
): Promise<Float64Array> {
  return percentsOf(context, elements, lastFlushedCycle(context.nowMs))
}

function lastFlushedCycle(nowMs: number): number {
  return (Math.floor((nowMs - flushDelayMs) / cycleMs) - 1) * cycleMs
}

/**
 * The percentage that the closing of the last cycle stored for each element; NaN if it stored none,
 * as for samples posted later. Only the closing knows which values were gap-filled or computed.
 */
async function percentsOf(
  { store }: QueryContext,
  elements: Int32Array,
  cycleStartMs: number,
): Promise<Float64Array> {
  const { catalogue } = store
  const percents = new Float64Array(elements.length).fill(NaN)
  const places = new Map<number, number>()
  elements.forEach((element, index) => {
    const name = catalogue.findName(catalogue.elementTenant(element), collectedPercentFqn)
    const series = catalogue.findSeries(element, name)
    if (series >= 0) places.set(series, index)
  })
  if (places.size === 0) return percents
  const query = {
    series: Int32Array.from(places.keys()),
    span: { startMs: cycleStartMs, endMs: cycleStartMs + cycleMs },
    resolution: "PT5M",
    field: "actual",
  } as const
  await store.bucketValues(query, null, (series, _, values) => {
    percents[places.get(series)!] = values[0]!
  })
  return percents
}

function processed(seenMs: Float64Array, lastCycleMs: number): ProcessingStatus {
  let newestMs = -Infinity
  let collected = 0
  for (const ms of seenMs) {
    if (ms > newestMs) newestMs = ms
    if (ms >= lastCycleMs) collected++
  }
  if (newestMs === -Infinity) return neverProcessed
  return { lastProcessedMs: newestMs, collectedPercent: (100 * collected) / seenMs.length }
}
