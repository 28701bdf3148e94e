/** The unflushed samples of a query, by block. */

import { assert } from "../../../base/assert.ts"
import { findAggregate, runOf } from "../../../model/sample-batch.ts"
import type { UnflushedSamples } from "../../append-store.ts"
import type { IncomingSamples } from "../merge/group-by-block.ts"
import type { SeriesLocator } from "../metadata/series-locator.ts"
import type { BlockIndex } from "../disk/tables.ts"

/** Collects the samples of a block on demand: other threads may read the other blocks. */
export class UnflushedBlocks {
  private readonly samples: UnflushedSamples | null
  private readonly locator: SeriesLocator
  private readonly positions = new Map<number, number[]>()

  constructor(open: UnflushedSamples | null, locator: SeriesLocator) {
    this.samples = open
    this.locator = locator
    if (open === null) return
    assert(open.count <= open.series.length, "Expected a series of each sample")
    assert(open.count === 0 || open.runStarts[0] === 0, "Expected a run of each sample")
    for (let i = 0; i < open.count; i++) {
      const block = locator.seriesBlock(open.series[i]!)
      const list = this.positions.get(block)
      if (list === undefined) this.positions.set(block, [i])
      else list.push(i)
    }
  }

  /** Returns the samples of a block in order of arrival, or null. */
  of(block: BlockIndex): IncomingSamples | null {
    const list = this.positions.get(block)
    return list === undefined ? null : gather(this.samples!, list, this.locator)
  }
}

function gather(open: UnflushedSamples, list: number[], locator: SeriesLocator): IncomingSamples {
  const count = list.length
  const slots = new Uint8Array(count)
  const timesMs = new Float64Array(count)
  const values = new Float64Array(count)
  const requests = new Int32Array(count)
  const aggregates = new Int32Array(open.aggregateCount > 0 ? count : 0)
  let run = 0
  for (let i = 0; i < count; i++) {
    const at = list[i]!
    run = runOf(open, at, run)
    slots[i] = locator.seriesSlot(open.series[at]!)
    timesMs[i] = open.runTimesMs[run]!
    values[i] = open.values[at]!
    requests[i] = open.runRequests[run]!
    if (open.aggregateCount > 0) aggregates[i] = findAggregate(open, at)
  }
  const { aggregateMasks, aggregateFields } = open
  return { slots, timesMs, values, requests, aggregates, aggregateMasks, aggregateFields }
}
