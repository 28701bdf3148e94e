/** Sorting the arrived samples of one block by cycle, then slot, keeping the order of arrival. */

import { seriesPerBlock } from "../../base/limits.ts"
import { cycleMs } from "../../model/resolution.ts"
import type { IncomingSamples } from "./grouping.ts"

/** Beyond this many cycles a sample, counting would cost more than comparing. */
const cyclesPerSampleMax = 64

const slotCounts = new Int32Array(seriesPerBlock + 1)

/** Positions `[from, to)` of `samples` in order of (cycle, slot, arrival). */
export function orderByCycleAndSlot(
  samples: IncomingSamples,
  from: number,
  to: number,
): Int32Array {
  const bySlot = orderBySlot(samples.slots, from, to)
  const { timesMs } = samples
  let firstMs = Infinity
  let lastMs = -Infinity
  for (let i = from; i < to; i++) {
    const timeMs = timesMs[i]!
    if (timeMs < firstMs) firstMs = timeMs
    if (timeMs > lastMs) lastMs = timeMs
  }
  const first = Math.floor(firstMs / cycleMs)
  const last = Math.floor(lastMs / cycleMs)
  if (first === last) return bySlot
  const cycleOf = (at: number): number => Math.floor(timesMs[at]! / cycleMs)
  // Both keep equals in order: typed-array sort is stable (ES2019), and so is counting.
  if (last - first > cyclesPerSampleMax * (to - from)) {
    return bySlot.sort((left, right) => cycleOf(left) - cycleOf(right))
  }
  return countingSort(bySlot, timesMs, { first, count: last - first + 1 })
}

function orderBySlot(slots: Uint8Array, from: number, to: number): Int32Array {
  slotCounts.fill(0)
  for (let i = from; i < to; i++) slotCounts[slots[i]! + 1]!++
  for (let slot = 0; slot < seriesPerBlock; slot++) slotCounts[slot + 1]! += slotCounts[slot]!
  const order = new Int32Array(to - from)
  for (let i = from; i < to; i++) order[slotCounts[slots[i]!]!++] = i
  return order
}

function countingSort(
  order: Int32Array,
  timesMs: Float64Array,
  cycles: { first: number; count: number },
): Int32Array {
  const starts = new Int32Array(cycles.count + 1)
  // Each time is looked up once: they lie far apart.
  const cycleOf = new Int32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    const cycle = Math.floor(timesMs[order[i]!]! / cycleMs) - cycles.first
    cycleOf[i] = cycle
    starts[cycle + 1]!++
  }
  for (let cycle = 0; cycle < cycles.count; cycle++) starts[cycle + 1]! += starts[cycle]!
  const sorted = new Int32Array(order.length)
  for (let i = 0; i < order.length; i++) sorted[starts[cycleOf[i]!]!++] = order[i]!
  return sorted
}
