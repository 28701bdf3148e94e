/**
 * Digests of a block's day, built from its raw samples hour by hour in time order.
 *
 * An hour or day of up to `exactBucketSamplesMax` observations gets none: its raw samples are read
 * instead, which is exact and takes no bytes. The digest of a day is built from its hours: from the
 * digest of an hour if it has one, from its samples otherwise.
 */

import { assert } from "../../../base/assert.ts"
import { exactBucketSamplesMax, seriesPerBlock } from "../../../base/limits.ts"
import { Digest } from "../../../digest/digest.ts"
import { hourMs, dayMs } from "../../../model/resolution.ts"
import type { CellColumns } from "../../../rollup/cell.ts"
import type { Contributions } from "../../../rollup/contribution.ts"
import { collectContributions, hasAggregates } from "../tiers/raw-to-cell.ts"
import { hoursPerDay } from "../tiers/coarse-cells.ts"
import type { SampleRun } from "../encoding/sample-run.ts"

export class DayDigests {
  /** By slot · 24 + hour. */
  readonly hours = new Map<number, Digest>()
  /** Raw samples of the day by slot. */
  readonly samples = new Float64Array(seriesPerBlock)
  private readonly daysBySlot = new Map<number, Digest>()
  private readonly hourCells: CellColumns
  private readonly slots: number
  private readonly contributions: Contributions

  /** `contributions` is working memory. */
  constructor(
    slots: number,
    { hours: hourCells, days: dayCells }: Readonly<Record<"hours" | "days", CellColumns>>,
    contributions: Contributions,
  ) {
    assert(slots <= dayCells.length, "Expected the day of each slot")
    assert(slots * hoursPerDay <= hourCells.length, "Expected the hours of each slot")
    this.slots = slots
    this.contributions = contributions
    this.hourCells = hourCells
    for (let slot = 0; slot < slots; slot++) {
      if (dayCells.count[slot]! > exactBucketSamplesMax) this.daysBySlot.set(slot, new Digest())
    }
  }

  /** Adds the samples of one hour of the day from the window that holds it. */
  addHour(window: SampleRun, hour: number, day: number): void {
    assert(hour >= 0 && hour < hoursPerDay, "Expected an hour of the day")
    const startMs = day * dayMs + hour * hourMs
    for (let slot = 0; slot < this.slots; slot++) {
      const end = window.slotTo(slot)
      const from = window.lowerBound(startMs, window.slotFrom(slot), end)
      const to = window.lowerBound(startMs + hourMs, from, end)
      this.samples[slot]! += to - from
      const daily = this.daysBySlot.get(slot)
      if (daily === undefined || from === to) continue
      this.addSlotHour(window, { from, to }, { cell: slot * hoursPerDay + hour, daily })
    }
  }

  /** By slot. */
  days(): Map<number, Digest> {
    for (const digest of this.daysBySlot.values()) digest.compress()
    return this.daysBySlot
  }

  private addSlotHour(
    window: SampleRun,
    range: { from: number; to: number },
    into: { cell: number; daily: Digest },
  ): void {
    if (!(this.hourCells.count[into.cell]! > exactBucketSamplesMax)) {
      this.addSamples(window, range, into.daily)
      return
    }
    assert(!this.hours.has(into.cell), "Expected each hour once")
    const hourly = new Digest()
    this.addSamples(window, range, hourly)
    hourly.compress()
    this.hours.set(into.cell, hourly)
    into.daily.mergeFrom(hourly)
  }

  /** Adds raw samples to a digest: each value once, the mean of an aggregate with its count. */
  private addSamples(
    raw: SampleRun,
    { from, to }: { readonly from: number; readonly to: number },
    digest: Digest,
  ): void {
    if (!hasAggregates(raw, from, to)) {
      for (let i = from; i < to; i++) digest.add(raw.values[i]!)
      return
    }
    const { contributions } = this
    collectContributions(raw, from, to, contributions)
    for (let i = 0; i < contributions.length; i++) {
      if (contributions.count[i]! > 0)
        digest.add(contributions.digestMean(i), contributions.count[i]!)
    }
  }
}
