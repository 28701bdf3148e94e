/**
 * Values of PT5M, PT1H and PT24H buckets, one per bucket, slot by slot. Statistics are computed
 * from the actuals (spec/statistics §2).
 */

import { bucketWidthMs, dayMs } from "../../../model/resolution.ts"
import type { SlotIndex } from "../disk/tables.ts"
import type { BlockView } from "./block-view.ts"
import { BucketDay, DayMemory, type BucketQuery } from "./bucket-day.ts"
import { SlotValues } from "./slot-values.ts"

/** Days whose memory is kept for the next query: that of two weeks and more. */
const keptDaysMax = 32

/** Workspace of a reader. */
export class BucketReader {
  private readonly memories: DayMemory[] = []
  private readonly values = new SlotValues()

  /**
   * Calls `take` for each of the slots with a value in the span; the values are overwritten
   * afterwards. The columns of all days are in memory at a time, so that the values of one slot
   * stay in the nearest cache until they are used.
   */
  read(
    view: BlockView,
    query: BucketQuery,
    take: (slot: SlotIndex, values: SlotValues) => void,
  ): void {
    const { span, resolution, withTimes } = query
    const { values } = this
    const days = this.openDays(view, query)
    const buckets = Math.ceil((span.endMs - span.startMs) / bucketWidthMs[resolution]) + 1
    values.reserve(buckets, withTimes)
    for (const slot of query.slots) {
      view.checkBudget()
      values.reset()
      for (const day of days) day.addTo(values, slot)
      if (values.count > 0) take(slot, values)
    }
    this.memories.length = Math.min(this.memories.length, keptDaysMax)
  }

  private openDays(view: BlockView, query: BucketQuery): BucketDay[] {
    const { startMs, endMs } = query.span
    const endDay = Math.ceil(endMs / dayMs)
    const opened: BucketDay[] = []
    for (let day = Math.floor(startMs / dayMs); day < endDay; day++) {
      const memory = (this.memories[opened.length] ??= new DayMemory())
      const next = new BucketDay(memory, view, day, query)
      if (next.open()) opened.push(next)
    }
    return opened
  }
}
