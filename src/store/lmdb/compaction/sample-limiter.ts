/**
 * Crowds: blocks that have more raw samples of a window than memory can bear, such as those of an
 * agent that posts in a loop.
 *
 *   fold  ─► counts by block and window ─► crowded ─► ingest counts by series and cycle ─► refused
 *
 * A window is sealed as a whole, so it is what has to be bounded: what made it crowded, what came
 * until the fold had counted it (`flushSamplesMax` at most), and for each series `seriesSamples` of
 * each cycle. Counts begin anew with the process.
 */

import {
  sampleLimitBlockSamples,
  sampleLimitSeriesSamples,
  seriesPerBlock,
} from "../../../base/limits.ts"
import type { SampleLimitViolation, SampleLimits } from "../../../model/sample-limits.ts"
import { cycleMs } from "../../../model/resolution.ts"
import type { SampleColumns } from "../../../model/sample-columns.ts"
import { cyclesPerWindow } from "../disk/tables.ts"

/** Windows of blocks whose samples are counted: 4 MB. The oldest go; then they count from zero. */
const countedMax = 65_536
/** Crowded ones of which counts are kept: 75 MB at most, but they had 4 billion samples then. */
const overLimitMax = 1024
/** More blocks than there can be. */
const blocksMax = 2 ** 24

const limitsDefault: SampleLimits = {
  blockSamples: sampleLimitBlockSamples,
  seriesSamples: sampleLimitSeriesSamples,
}

/** Samples of columns, and block · 256 + slot of each series; a negative series is a new one. */
interface SampleRange {
  readonly columns: SampleColumns
  readonly locations: Int32Array
  readonly from: number
  readonly to: number
}

export class SampleLimiter {
  private readonly limits: SampleLimits
  /** Folded samples by window and block. */
  private readonly flushed = new Map<number, number>()
  /** Of a crowded window and block: by cycle, what each slot brought since. */
  private readonly overLimit = new Map<number, Map<number, Int32Array>>()

  constructor(limits = limitsDefault) {
    this.limits = limits
  }

  /** So many samples of this cycle were folded; true where the block became crowded by them. */
  countFlushed(cycle: number, block: number, samples: number): boolean {
    const key = keyOf(cycle, block)
    const total = (this.flushed.get(key) ?? 0) + samples
    this.flushed.set(key, total)
    evictOldest(this.flushed, countedMax)
    if (total < this.limits.blockSamples || this.overLimit.has(key)) return false
    this.overLimit.set(key, new Map())
    evictOldest(this.overLimit, overLimitMax)
    return true
  }

  /**
   * Counts the samples from `from` on, which begin a request; or gives the first one that is too
   * many, and counts none.
   */
  check(columns: SampleColumns, from: number, locations: Int32Array): SampleLimitViolation | null {
    if (this.overLimit.size === 0) return null
    const refused = this.count({ columns, locations, from, to: columns.count }, 1)
    if (refused === null) return null
    this.count({ columns, locations, from, to: refused.at }, -1)
    const { seriesSamples: samplesMax } = this.limits
    return { series: columns.series[refused.at]!, cycle: refused.cycle, samplesMax }
  }

  /** Adds to the counts, or takes back; stops at a sample that is too many, and gives it. */
  private count(what: SampleRange, by: 1 | -1): { at: number; cycle: number } | null {
    const { columns, locations, from, to } = what
    const { series, runStart, runCount, runTimeMs } = columns
    for (let run = firstRun(columns, from), at = from; at < to; run++) {
      const cycle = Math.floor(runTimeMs[run]! / cycleMs)
      const end = run + 1 < runCount ? runStart[run + 1]! : columns.count
      for (; at < Math.min(end, to); at++) {
        if (series[at]! < 0) continue
        const place = locations[series[at]!]!
        const counts = this.countsOf(cycle, place >>> 8)
        if (counts === null) continue
        if (by > 0 && counts[place & 255]! >= this.limits.seriesSamples) return { at, cycle }
        counts[place & 255]! += by
      }
    }
    return null
  }

  /** What the slots of a crowded block brought of a cycle; null where it is not crowded. */
  private countsOf(cycle: number, block: number): Int32Array | null {
    const cycles = this.overLimit.get(keyOf(cycle, block))
    if (cycles === undefined) return null
    let counts = cycles.get(cycle)
    if (counts === undefined) cycles.set(cycle, (counts = new Int32Array(seriesPerBlock)))
    return counts
  }
}

/** One for each window and block; also for times before the epoch. */
function keyOf(cycle: number, block: number): number {
  return Math.floor(cycle / cyclesPerWindow) * blocksMax + block
}

/** The run that the sample `from` begins; requests end runs. */
function firstRun({ runStart, runCount }: SampleColumns, from: number): number {
  let run = runCount
  while (run > 0 && runStart[run - 1]! >= from) run--
  return run
}

function evictOldest(counted: Map<number, unknown>, sizeMax: number): void {
  if (counted.size <= sizeMax) return
  for (const key of counted.keys()) {
    counted.delete(key)
    return
  }
}
