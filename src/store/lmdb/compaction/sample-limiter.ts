/**
 * Sample limiter: bounds the raw samples of a block in a window (six hours), for example those of
 * an agent that posts in a loop.
 *
 *   flush ─► counts by block, window ─► over limit ─► ingest counts by series, cycle ─► refusal
 *
 * A compaction holds a window in memory, so the window is bounded: the samples up to the limit,
 * those that arrive before the flush has counted them (`flushSamplesMax` at most), and
 * `seriesSamples` per series and cycle. Counts start at zero with the process.
 */

import { assert } from "../../../base/assert.ts"
import {
  sampleLimitPartitionSamples,
  sampleLimitSeriesSamples,
  seriesPerBlock,
} from "../../../base/limits.ts"
import type { IntColumn } from "../../../catalogue/catalogue.ts"
import type { SampleLimitViolation, SampleLimits } from "../../../model/sample-limits.ts"
import { cycleMs } from "../../../model/resolution.ts"
import { runEnd, type SampleBatch } from "../../../model/sample-batch.ts"
import { cyclesPerWindow, type BlockIndex } from "../disk/tables.ts"

/** Maximum number of counted windows: 4 MB. The oldest are evicted and then count from zero. */
const countedMax = 65_536
/** Maximum number of windows over the limit: 75 MB at most, for 4 billion samples. */
const overLimitMax = 1024
/** Upper bound of block numbers. */
const blocksMax = 2 ** 24

/** The limits of a store, whose block may have `partitionSamplesMax`. */
export function sampleLimitsOf({
  partitionSamplesMax = sampleLimitPartitionSamples,
}: {
  readonly partitionSamplesMax?: number
}): SampleLimits {
  return { partitionSamples: partitionSamplesMax, seriesSamples: sampleLimitSeriesSamples }
}

/** Samples of columns, and block · 256 + slot of each series; negative series are provisional. */
interface SampleRange {
  readonly columns: SampleBatch
  readonly locations: IntColumn
  readonly from: number
  readonly to: number
}

export class SampleLimiter {
  private readonly limits: SampleLimits
  /** Flushed samples by window and block. */
  private readonly flushed = new Map<number, number>()
  /** By window and block over the limit: samples of each slot since then, by cycle. */
  private readonly overLimit = new Map<number, Map<number, Int32Array>>()

  constructor(limits = sampleLimitsOf({})) {
    this.limits = limits
  }

  /** Counts flushed samples of a cycle; returns true if the block reaches the limit with them. */
  countFlushed(cycle: number, block: BlockIndex, samples: number): boolean {
    assert(samples > 0 && block < blocksMax, "Expected samples of a block")
    const key = keyOf(cycle, block)
    const total = (this.flushed.get(key) ?? 0) + samples
    this.flushed.set(key, total)
    evictOldest(this.flushed, countedMax)
    if (total < this.limits.partitionSamples || this.overLimit.has(key)) return false
    this.overLimit.set(key, new Map())
    evictOldest(this.overLimit, overLimitMax)
    return true
  }

  /**
   * Counts the samples from `from` on, which are those of one request. Returns the first sample
   * over the limit, and then counts none of them.
   */
  check(columns: SampleBatch, from: number, locations: IntColumn): SampleLimitViolation | null {
    if (this.overLimit.size === 0) return null
    assert(from <= columns.count, "Expected the samples of one request")
    const refused = this.count({ columns, locations, from, to: columns.count }, 1)
    if (refused === null) return null
    this.count({ columns, locations, from, to: refused.at }, -1)
    const { seriesSamples: samplesMax } = this.limits
    return { series: columns.series[refused.at]!, cycle: refused.cycle, samplesMax }
  }

  /** Adds to the counts, or subtracts; stops at the first sample over the limit and returns it. */
  private count(what: SampleRange, by: 1 | -1): { at: number; cycle: number } | null {
    const { columns, locations, from, to } = what
    const { series, runTimesMs } = columns
    for (let run = firstRun(columns, from), at = from; at < to; run++) {
      const cycle = Math.floor(runTimesMs[run]! / cycleMs)
      const end = runEnd(columns, run)
      for (; at < Math.min(end, to); at++) {
        if (series[at]! < 0) continue
        const location = locations.get(series[at]!)
        const counts = this.countsOf(cycle, location >>> 8)
        if (counts === null) continue
        if (by > 0 && counts[location & 255]! >= this.limits.seriesSamples) return { at, cycle }
        counts[location & 255]! += by
      }
    }
    return null
  }

  /** Returns the counts of a cycle by slot; null if the block is not over the limit. */
  private countsOf(cycle: number, block: BlockIndex): Int32Array | null {
    const cycles = this.overLimit.get(keyOf(cycle, block))
    if (cycles === undefined) return null
    let counts = cycles.get(cycle)
    if (counts === undefined) cycles.set(cycle, (counts = new Int32Array(seriesPerBlock)))
    return counts
  }
}

/** Returns a key that is unique per window and block, also before 1970. */
function keyOf(cycle: number, block: BlockIndex): number {
  return Math.floor(cycle / cyclesPerWindow) * blocksMax + block
}

/** Returns the run that begins with sample `from`; a request starts a new run. */
function firstRun({ runStarts, runCount }: SampleBatch, from: number): number {
  let run = runCount
  while (run > 0 && runStarts[run - 1]! >= from) run--
  return run
}

function evictOldest(counted: Map<number, unknown>, sizeMax: number): void {
  if (counted.size <= sizeMax) return
  for (const key of counted.keys()) {
    counted.delete(key)
    return
  }
}
