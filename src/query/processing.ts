/** What lists tell of elements beside the catalogue: when they were processed, and how completely. */

import { cycleMs, dayMs } from "../model/resolution.ts"
import type { ElementProcessing } from "../wire/element-document.ts"
import type { Reader } from "./reader.ts"
import { seriesOf } from "./seen.ts"

export type Processed = Pick<ElementProcessing, "lastProcessedMs" | "collectedPercent">

/** An element that was silent for longer counts as never processed: as far as a duration reaches. */
const lookBackMs = 14 * dayMs
/** A cycle is folded by then, its grace and the pause of a fold included: it is the last one. */
const settledAfterMs = 120_000

/** For each element. Only cycles that were folded count as processed. */
export function processingOf(reader: Reader, elements: Int32Array, nowMs: number): Processed[] {
  const { store } = reader
  const series = seriesOf(reader, elements)
  const span = { startMs: nowMs - lookBackMs, endMs: nowMs }
  const seenMs = store.lastSeen({ series, span, onlyWhether: false }, null)
  const lastCycleMs = (Math.floor((nowMs - settledAfterMs) / cycleMs) - 1) * cycleMs
  let at = 0
  return Array.from(elements, (element) => {
    const { length } = store.catalogue.elementSeries(element)
    const times = seenMs.subarray(at, at + length)
    at += length
    return processed(times, lastCycleMs)
  })
}

function processed(seenMs: Float64Array, lastCycleMs: number): Processed {
  let newestMs = -Infinity
  let collected = 0
  for (const ms of seenMs) {
    if (ms > newestMs) newestMs = ms
    if (ms >= lastCycleMs) collected++
  }
  if (newestMs === -Infinity) return { lastProcessedMs: null, collectedPercent: null }
  return { lastProcessedMs: newestMs, collectedPercent: (100 * collected) / seenMs.length }
}
