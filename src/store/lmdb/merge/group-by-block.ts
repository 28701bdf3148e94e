/**
 * Grouping: the frozen batches, in order of arrival → the same samples grouped by block.
 *
 *   batches   s7 s3 s900 s7 …            one counting sort over all batches,
 *   grouped   [block 0: s3 s7 s7 …][block 1: …][block 3: s900 …]     in small steps
 *
 * A large flush is grouped in passes, each over some consecutive blocks, to bound its memory: see
 * `passesMax`.
 */

import { assert } from "../../../base/assert.ts"
import type { Cooperative } from "../../../base/cooperative.ts"
import type { Catalogue, IntColumn } from "../../../catalogue/catalogue.ts"
import { fieldCount, runOf, type SampleBatch } from "../../../model/sample-batch.ts"
import type { AggregateColumns } from "../encoding/sample-run.ts"
import type { PendingBatch } from "../wal/memtable.ts"

/** Samples with the number of their request and with client-made aggregates. */
export interface IncomingSamples extends AggregateColumns {
  readonly slots: Uint8Array
  readonly timesMs: Float64Array
  readonly values: Float64Array
  readonly requests: Int32Array
  /** Index into the aggregate columns, or -1; empty if no sample has an aggregate. */
  readonly aggregates: Int32Array
}

export interface GroupedSamples extends IncomingSamples {
  /** Blocks that have samples, ascending. */
  readonly blocks: Int32Array
  /** Samples of `blocks[i]` are at `[starts[i], starts[i + 1])`, in order of arrival. */
  readonly starts: Int32Array
}

/**
 * Columns that flushes reuse: memory that the system has to clear again for every flush cost 4 % of
 * a server's CPU. The grouped samples are valid until the next pass.
 */
export class GroupWorkspace {
  slots = new Uint8Array(0)
  timesMs = new Float64Array(0)
  values = new Float64Array(0)
  requests = new Int32Array(0)

  reserve(count: number): void {
    if (count <= this.slots.length) return
    this.resize(Math.ceil(count / samplesPerGrowth) * samplesPerGrowth)
  }

  /** Releases memory that an ordinary flush does not need. */
  shrink(): void {
    if (this.slots.length > samplesPerPassMin) this.clear()
  }

  /** Releases up to 11 MB until the next flush. */
  clear(): void {
    if (this.slots.length > 0) this.resize(0)
  }

  private resize(size: number): void {
    this.slots = new Uint8Array(size)
    this.timesMs = new Float64Array(size)
    this.values = new Float64Array(size)
    this.requests = new Int32Array(size)
  }
}

/** A flush grows by a batch or two over the previous one. */
const samplesPerGrowth = 65_536
/** 21 bytes a sample: flushes keep 11 MB. A single block may need more, which is not kept. */
const samplesPerPassMin = 8 * samplesPerGrowth
/**
 * Each further pass reads the series of all batches again, 4 ns a sample; memory that a flush
 * touches first must be cleared by the system, 80 ns a sample. So a flush of 5,000,000 samples has
 * four passes instead of ten: grouping took 230 ms instead of 410.
 */
const passesMax = 4

/** Shared by all passes over the same batches. */
export interface GroupPlan {
  /** Blocks that have samples, ascending. */
  readonly blocks: Int32Array
  /** Samples of `blocks[i]` have the ranks from `starts[i]` to `starts[i + 1]`. */
  readonly starts: Int32Array
  /** Client-made aggregates in order of arrival. */
  readonly aggregates: AggregateColumns
  /** Pass k groups the blocks from `passes[k]` to `passes[k + 1]` of `blocks`. */
  readonly passes: readonly number[]
}

/** Counts the samples of each block; yields after every batch, so that a step can end there. */
export function* planGroups(
  batches: readonly PendingBatch[],
  catalogue: Catalogue,
  perPassMin = samplesPerPassMin,
): Cooperative<GroupPlan> {
  const counts = new Int32Array(catalogue.partitionCount)
  const aggregateCount = batches.reduce((sum, { batch }) => sum + batch.aggregateCount, 0)
  const aggregateMasks = new Uint8Array(aggregateCount)
  const aggregateFields = new Float64Array(aggregateCount * fieldCount)
  let aggregates = 0
  for (const { batch } of batches) {
    countByBlock(batch, catalogue.seriesLocations, counts)
    aggregateMasks.set(batch.aggregateMasks, aggregates)
    aggregateFields.set(batch.aggregateFields, aggregates * fieldCount)
    aggregates += batch.aggregateCount
    yield
  }
  assert(aggregates === aggregateCount, "Expected the aggregates of each batch once")
  const { blocks, starts } = blocksWithSamples(counts)
  const total = batches.reduce((sum, { batch }) => sum + batch.count, 0)
  assert(starts.at(-1) === total, "Expected each sample in one block")
  const perPassMax = Math.max(perPassMin, Math.ceil(starts.at(-1)! / passesMax))
  const passes = passesOf(starts, perPassMax)
  assert(passes.at(-1) === blocks.length, "Expected each block in a pass")
  return { blocks, starts, aggregates: { aggregateMasks, aggregateFields }, passes }
}

/** Separate from the generator: V8 optimizes loops of ordinary functions better. */
function countByBlock(
  { series, count }: SampleBatch,
  locations: IntColumn,
  counts: Int32Array,
): void {
  for (let i = 0; i < count; i++) counts[locations.get(series[i]!) >>> 8]!++
}

function blocksWithSamples(counts: Int32Array): { blocks: Int32Array; starts: Int32Array } {
  const blocks: number[] = []
  const starts: number[] = [0]
  for (let block = 0; block < counts.length; block++) {
    if (counts[block] === 0) continue
    blocks.push(block)
    starts.push(starts.at(-1)! + counts[block]!)
  }
  return { blocks: Int32Array.from(blocks), starts: Int32Array.from(starts) }
}

/** As many blocks per pass as stay within the limit, at least one. */
function passesOf(starts: Int32Array, perPassMax: number): number[] {
  const passes = [0]
  for (let i = 1; i + 1 < starts.length; i++) {
    if (starts[i + 1]! - starts[passes.at(-1)!]! > perPassMax) passes.push(i)
  }
  return starts.length > 1 ? [...passes, starts.length - 1] : passes
}

/** Groups the samples of one pass; yields after every batch. */
export function* groupPass(
  batches: readonly PendingBatch[],
  catalogue: Catalogue,
  { plan, pass, workspace }: { plan: GroupPlan; pass: number; workspace: GroupWorkspace },
): Cooperative<GroupedSamples> {
  const from = plan.passes[pass]!
  const to = plan.passes[pass + 1]!
  assert(from < to, "Expected a block in each pass")
  const blocks = plan.blocks.subarray(from, to)
  const starts = plan.starts.subarray(from, to + 1).map((start) => start - plan.starts[from]!)
  const count = starts.at(-1)!
  workspace.reserve(count)
  const grouped = { blocks, starts, ...plan.aggregates, ...emptyColumns(workspace, count, plan) }
  const cursor = cursorOf(grouped)
  let requests = 0
  let aggregates = 0
  for (const { batch } of batches) {
    scatter(batch, catalogue.seriesLocations, { grouped, cursor, requests, aggregates })
    requests += batch.requestCount
    aggregates += batch.aggregateCount
    yield
  }
  assert(count === 0 || cursor.at(-1) === count, "Expected as many samples as were counted")
  return grouped
}

/** Index of the next sample of each block, from the first block of the pass on. */
function cursorOf({ blocks, starts }: GroupedSamples): Int32Array {
  const first = blocks[0]!
  const cursor = new Int32Array(blocks.at(-1)! + 1 - first)
  for (const [i, block] of blocks.entries()) cursor[block - first] = starts[i]!
  return cursor
}

function emptyColumns(workspace: GroupWorkspace, count: number, { aggregates }: GroupPlan) {
  return {
    slots: workspace.slots.subarray(0, count),
    timesMs: workspace.timesMs.subarray(0, count),
    values: workspace.values.subarray(0, count),
    requests: workspace.requests.subarray(0, count),
    aggregates: new Int32Array(aggregates.aggregateMasks.length > 0 ? count : 0),
  }
}

interface Target {
  readonly grouped: GroupedSamples
  readonly cursor: Int32Array
  /** Requests and aggregates of the batches before this one. */
  readonly requests: number
  readonly aggregates: number
}

function scatter(batch: SampleBatch, locations: IntColumn, target: Target): void {
  const { slots, timesMs, values, requests, aggregates } = target.grouped
  const { cursor } = target
  const { series, runStarts, runCount } = batch
  const first = target.grouped.blocks[0]!
  const withAggregates = aggregates.length > 0
  let run = 0
  let entry = 0
  for (let i = 0; i < batch.count; i++) {
    const location = locations.get(series[i]!)
    const block = (location >>> 8) - first
    // Unsigned: a block before the first one compares greater than the last one as well.
    if (block >>> 0 >= cursor.length) continue
    if (run + 1 < runCount && runStarts[run + 1]! <= i) run = runOf(batch, i, run)
    const at = cursor[block]!++
    slots[at] = location & 255
    timesMs[at] = batch.runTimesMs[run]!
    values[at] = batch.values[i]!
    requests[at] = target.requests + batch.runRequests[run]!
    if (!withAggregates) continue
    while (entry < batch.aggregateCount && batch.aggregateSamples[entry]! < i) entry++
    const isNext = entry < batch.aggregateCount && batch.aggregateSamples[entry] === i
    aggregates[at] = isNext ? target.aggregates + entry : -1
  }
}
