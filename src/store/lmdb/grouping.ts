/**
 * Grouping: frozen frames, in order of arrival → the same samples side by side by block.
 *
 *   frames   s7 s3 s900 s7 …            one counting sort over all frames,
 *   grouped  [block 0: s3 s7 s7 …][block 1: …][block 3: s900 …]      in small steps
 */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import { fieldCount } from "../../model/sample-columns.ts"
import type { HeldFrame } from "./memtable.ts"

/** Samples with the number of their request, and with what a client aggregated. */
export interface IncomingSamples {
  readonly slots: Uint8Array
  readonly timesMs: Float64Array
  readonly values: Float64Array
  readonly requests: Int32Array
  /** Index into masks and fields, or -1. */
  readonly aggregates: Int32Array
  readonly masks: Uint8Array
  readonly fields: Float64Array
}

export interface GroupedSamples extends IncomingSamples {
  /** Blocks that have samples, ascending. */
  readonly blocks: Int32Array
  /** Samples of `blocks[i]` stand at `[starts[i], starts[i + 1])`, in order of arrival. */
  readonly starts: Int32Array
}

/**
 * Columns that folds take turns with: memory that the system has to clear anew for every fold cost
 * 4 % of a server's CPU. What was grouped is valid until the next fold groups.
 */
export class GroupScratch {
  slots = new Uint8Array(0)
  timesMs = new Float64Array(0)
  values = new Float64Array(0)
  requests = new Int32Array(0)

  reserve(count: number): void {
    if (count <= this.slots.length && this.slots.length <= samplesKeptMax) return
    const size = Math.ceil(count / samplesPerGrowth) * samplesPerGrowth
    this.slots = new Uint8Array(size)
    this.timesMs = new Float64Array(size)
    this.values = new Float64Array(size)
    this.requests = new Int32Array(size)
  }
}

/** One fold is a batch or two larger than the one before. */
const samplesPerGrowth = 65_536
/** A fold that was larger than usual does not keep its memory: 21 bytes a sample. */
const samplesKeptMax = 3_000_000

/** Groups frames by block; yields after every frame, so that a step can end there. */
export function* groupByBlock(
  frames: readonly HeldFrame[],
  catalogue: Catalogue,
  scratch: GroupScratch,
): Generator<void, GroupedSamples> {
  const cursor = new Int32Array(catalogue.blockCount + 1)
  let aggregateCount = 0
  for (const { frame } of frames) {
    countByBlock(frame, catalogue, cursor)
    aggregateCount += frame.aggregateCount
    yield
  }
  const { blocks, starts } = blocksWithSamples(cursor)
  const count = starts.at(-1)!
  scratch.reserve(count)
  const grouped = emptyGroups(scratch, count, aggregateCount, { blocks, starts })
  let requests = 0
  let aggregates = 0
  for (const { frame } of frames) {
    scatter(frame, catalogue, { grouped, cursor, requests, aggregates })
    requests += frame.requestCount
    aggregates += frame.aggregateCount
    yield
  }
  return grouped
}

/** Apart from the generator: the compiler does better by loops of ordinary functions. */
function countByBlock(
  { series, count }: HeldFrame["frame"],
  catalogue: Catalogue,
  counts: Int32Array,
): void {
  for (let i = 0; i < count; i++) counts[catalogue.seriesBlock(series[i]!) + 1]!++
}

/** Turns counts at `cursor[block + 1]` into start positions at `cursor[block]`. */
function blocksWithSamples(cursor: Int32Array): { blocks: Int32Array; starts: Int32Array } {
  const blocks: number[] = []
  const starts: number[] = [0]
  for (let block = 0; block + 1 < cursor.length; block++) {
    if (cursor[block + 1]! > 0) {
      blocks.push(block)
      starts.push(starts.at(-1)! + cursor[block + 1]!)
    }
    cursor[block + 1]! += cursor[block]!
  }
  return { blocks: Int32Array.from(blocks), starts: Int32Array.from(starts) }
}

function emptyGroups(
  scratch: GroupScratch,
  count: number,
  aggregateCount: number,
  where: { blocks: Int32Array; starts: Int32Array },
): GroupedSamples {
  return {
    ...where,
    slots: scratch.slots.subarray(0, count),
    timesMs: scratch.timesMs.subarray(0, count),
    values: scratch.values.subarray(0, count),
    requests: scratch.requests.subarray(0, count),
    aggregates: new Int32Array(aggregateCount > 0 ? count : 0),
    masks: new Uint8Array(aggregateCount),
    fields: new Float64Array(aggregateCount * fieldCount),
  }
}

interface Target {
  readonly grouped: GroupedSamples
  readonly cursor: Int32Array
  /** Requests and aggregates of the frames before this one. */
  readonly requests: number
  readonly aggregates: number
}

function scatter(frame: HeldFrame["frame"], catalogue: Catalogue, target: Target): void {
  const { slots, timesMs, values, requests, aggregates, masks, fields } = target.grouped
  const { cursor } = target
  const withAggregates = aggregates.length > 0
  let next = 0
  for (let run = 0; run < frame.runCount; run++) {
    const timeMs = frame.runTimeMs[run]!
    const request = target.requests + frame.runRequest[run]!
    const end = run + 1 < frame.runCount ? frame.runStart[run + 1]! : frame.count
    for (let i = frame.runStart[run]!; i < end; i++) {
      const place = catalogue.seriesPlace(frame.series[i]!)
      const at = cursor[place >>> 8]!++
      slots[at] = place & 255
      timesMs[at] = timeMs
      values[at] = frame.values[i]!
      requests[at] = request
      if (!withAggregates) continue
      const isNext = next < frame.aggregateCount && frame.aggregateSample[next] === i
      aggregates[at] = isNext ? target.aggregates + next++ : -1
    }
  }
  masks.set(frame.aggregateMask, target.aggregates)
  fields.set(frame.aggregateFields, target.aggregates * fieldCount)
}
