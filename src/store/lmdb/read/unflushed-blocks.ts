/** The unflushed samples of a query, by block. */

import { assert } from "../../../base/assert.ts"
import type { UnflushedSamples } from "../../append-store.ts"
import type { IncomingSamples } from "../merge/group-by-block.ts"
import type { SeriesLocator } from "../metadata/series-locator.ts"

/** Collects the samples of a block on demand: other threads may read the other blocks. */
export class UnflushedBlocks {
  private readonly samples: UnflushedSamples | null
  private readonly locator: SeriesLocator
  private readonly positions = new Map<number, number[]>()

  constructor(open: UnflushedSamples | null, locator: SeriesLocator) {
    this.samples = open
    this.locator = locator
    if (open !== null) {
      const { series, timesMs, values } = open
      const isEqual = series.length === timesMs.length && series.length === values.length
      assert(isEqual, "Expected columns of equal length")
    }
    for (let i = 0; i < (open?.series.length ?? 0); i++) {
      const block = locator.seriesBlock(open!.series[i]!)
      const list = this.positions.get(block)
      if (list === undefined) this.positions.set(block, [i])
      else list.push(i)
    }
  }

  /** Returns the samples of a block in order of arrival, or null. */
  of(block: number): IncomingSamples | null {
    const list = this.positions.get(block)
    return list === undefined ? null : gather(this.samples!, list, this.locator)
  }
}

function gather(open: UnflushedSamples, list: number[], locator: SeriesLocator): IncomingSamples {
  const hasAggregates = open.aggregateMasks.length > 0
  return {
    slots: Uint8Array.from(list, (i) => locator.seriesSlot(open.series[i]!)),
    timesMs: Float64Array.from(list, (i) => open.timesMs[i]!),
    values: Float64Array.from(list, (i) => open.values[i]!),
    requests: Int32Array.from(list, (i) => open.requests[i]!),
    aggregates: Int32Array.from(hasAggregates ? list : [], (i) => open.aggregates[i]!),
    aggregateMasks: open.aggregateMasks,
    aggregateFields: open.aggregateFields,
  }
}
