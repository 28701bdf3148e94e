/**
 * Digests of the encoding rule before the current one (digest/codec.ts). Most of them are within
 * the allowed error. Those of non-decimal values that range over magnitudes are not: their means
 * were rounded to a grid that is coarse for most of the values, and percentiles were off by up to
 * 57 % of n. Each digest is compared with the raw samples that it was computed from.
 */

import { sortPairs } from "../../../digest/sort-pairs.ts"
import { MergedQuantiles } from "../../../digest/merged-quantiles.ts"
import { dayMs, hourMs } from "../../../model/resolution.ts"
import { percentiles } from "../../../rollup/statistics.ts"
import { hoursPerDay, createHourCells } from "../tiers/coarse-cells.ts"
import { splitCoarse, type CoarseDigests } from "../encoding/coarse-record.ts"
import type { DayOfBlock } from "../tiers/compacted-cells.ts"
import type { CompactedWindows } from "../tiers/compacted-windows.ts"
import { Contributions } from "../../../rollup/contribution.ts"
import { SlotPopulation } from "../read/slot-population.ts"
import { periodKey, windowMs } from "../disk/tables.ts"

/** Allowed rank error of percentiles, as a fraction of n (spec/statistics §3). */
const rankErrorMax = 0.005

export class EarlierDigests {
  private readonly windows: CompactedWindows
  private readonly union = new MergedQuantiles()
  private readonly population = new SlotPopulation(new Contributions())
  private readonly found = new Float64Array(percentiles.length)
  private readonly scratch = createHourCells()

  constructor(windows: CompactedWindows) {
    this.windows = windows
  }

  /**
   * Returns the largest rank error of a digest of the earlier rule in a coarse record of `where`
   * with `buckets` per slot, as a fraction of n; 0 if all are within the allowed error. Requires
   * the raw samples of the day.
   */
  worstRankError(where: DayOfBlock, buckets: number, bytes: Uint8Array): number {
    const key = periodKey(where.day, where.block)
    const { digests } = splitCoarse(key, bytes, buckets, this.scratch)
    let worst = 0
    for (const cellIndex of digests.cellIndexes()) {
      if (!digests.isOfEarlierRule(cellIndex)) continue
      worst = Math.max(worst, this.rankErrorOf(digests, { where, buckets, cellIndex }))
    }
    return worst > rankErrorMax ? worst : 0
  }

  /** True if two coarse records are equal except for digests of the earlier rule in `stored`. */
  areEqualExceptEarlier(
    where: DayOfBlock,
    buckets: number,
    { stored, computed }: { readonly stored: Uint8Array; readonly computed: Uint8Array },
  ): boolean {
    const key = periodKey(where.day, where.block)
    const left = splitCoarse(key, stored, buckets, this.scratch)
    const right = splitCoarse(key, computed, buckets, this.scratch)
    const places = left.digests.cellIndexes()
    const isSame = (cellIndex: number): boolean =>
      left.digests.isOfEarlierRule(cellIndex) ||
      Buffer.compare(left.digests.bytes(cellIndex), right.digests.bytes(cellIndex)) === 0
    return (
      Buffer.compare(left.head, right.head) === 0 &&
      places.join() === right.digests.cellIndexes().join() &&
      places.every(isSame)
    )
  }

  private rankErrorOf(
    digests: CoarseDigests,
    of: { readonly where: DayOfBlock; readonly buckets: number; readonly cellIndex: number },
  ): number {
    const { union, found } = this
    this.readPopulation(of)
    union.reset()
    digests.readInto(union, of.cellIndex)
    union.quantiles(percentiles, found)
    const { values, count } = this.population
    const weights = this.population.allWeights()
    sortPairs(values, weights, count)
    let worst = 0
    for (const [i, p] of percentiles.entries()) {
      let below = 0
      let upTo = 0
      for (let at = 0; at < count && values[at]! <= found[i]!; at++) {
        upTo += weights[at]!
        if (values[at]! < found[i]!) below = upTo
      }
      const position = (union.count + 1) * p
      const off = Math.max(below - position, position - upTo - 1)
      worst = Math.max(worst, off / union.count)
    }
    return worst
  }

  /** Reads the raw samples of the bucket of a digest. */
  private readPopulation(of: {
    readonly where: DayOfBlock
    readonly buckets: number
    readonly cellIndex: number
  }): void {
    const { where, buckets, cellIndex } = of
    const slot = Math.floor(cellIndex / buckets)
    const hours = hoursPerDay / buckets
    const startMs = where.day * dayMs + (cellIndex % buckets) * hours * hourMs
    const endMs = startMs + hours * hourMs
    this.population.reset()
    for (let window = Math.floor(startMs / windowMs); window * windowMs < endMs; window++) {
      const raw = this.windows.read(window, where.block)
      if (raw === null) continue
      const end = raw.slotTo(slot)
      const from = raw.lowerBound(startMs, raw.slotFrom(slot), end)
      this.population.add(raw, from, raw.lowerBound(endMs, from, end), false)
    }
  }
}
