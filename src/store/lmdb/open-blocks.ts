/** The unfolded samples that a reader was handed, block by block. */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { OpenSamples } from "../store.ts"
import type { IncomingSamples } from "./grouping.ts"

/** Samples of each block, in order of arrival. */
export function openByBlock(
  open: OpenSamples | null,
  catalogue: Catalogue,
): Map<number, IncomingSamples> {
  const positions = new Map<number, number[]>()
  for (let i = 0; i < (open?.series.length ?? 0); i++) {
    const block = catalogue.seriesBlock(open!.series[i]!)
    const list = positions.get(block)
    if (list === undefined) positions.set(block, [i])
    else list.push(i)
  }
  const blocks = new Map<number, IncomingSamples>()
  for (const [block, list] of positions) blocks.set(block, gather(open!, list, catalogue))
  return blocks
}

function gather(open: OpenSamples, list: number[], catalogue: Catalogue): IncomingSamples {
  const hasAggregates = open.aggregateMasks.length > 0
  return {
    slots: Uint8Array.from(list, (i) => catalogue.seriesSlot(open.series[i]!)),
    timesMs: Float64Array.from(list, (i) => open.timesMs[i]!),
    values: Float64Array.from(list, (i) => open.values[i]!),
    requests: Int32Array.from(list, (i) => open.requests[i]!),
    aggregates: Int32Array.from(hasAggregates ? list : [], (i) => open.aggregates[i]!),
    masks: open.aggregateMasks,
    fields: open.aggregateFields,
  }
}
