/** Sorts the arrived samples of one block by cycle, then slot, then arrival. */

import { assert } from "../../../base/assert.ts"
import { cycleMs } from "../../../model/resolution.ts"
import type { IncomingSamples } from "./group-by-block.ts"

/**
 * Beyond this number of counters (one per cycle and slot) per sample, counting costs more than
 * comparing.
 */
const countersPerSampleMax = 64

/** Indexes `[from, to)` of `samples` in order of (cycle, slot, arrival). */
export function orderByCycleAndSlot(
  samples: IncomingSamples,
  from: number,
  to: number,
): Int32Array {
  const { slots, timesMs } = samples
  assert(from < to && to <= slots.length, "Expected a range of the samples")
  const range = { from, to, slotCount: slotCountOf(slots, from, to) }
  const [first, last] = cyclesOf(timesMs, from, to)
  if (first === last) return orderBySlot(slots, range)
  const count = last - first + 1
  if (count * range.slotCount <= countersPerSampleMax * (to - from)) {
    return countingSort(samples, range, { firstMs: first * cycleMs, count })
  }
  const cycleOf = (at: number): number => Math.floor(timesMs[at]! / cycleMs)
  // Sorts of typed arrays are stable (ES2019): equal keys keep the order of arrival.
  return orderBySlot(slots, range).sort((left, right) => cycleOf(left) - cycleOf(right))
}

/** Samples of slots below `slotCount`. */
interface SlotRange {
  readonly from: number
  readonly to: number
  readonly slotCount: number
}

/** The slots up to the last one of a sample: most blocks have few. */
function slotCountOf(slots: Uint8Array, from: number, to: number): number {
  let last = 0
  for (let i = from; i < to; i++) last = slots[i]! > last ? slots[i]! : last
  return last + 1
}

/**
 * The cycles of the first and the last sample. A separate function, so that little code follows the
 * loop: code that V8 compiles during a loop is discarded at the first instruction not reached
 * before. That happened for each of 300 blocks and cost a tenth of a flush.
 */
function cyclesOf(timesMs: Float64Array, from: number, to: number): readonly [number, number] {
  let firstMs = Infinity
  let lastMs = -Infinity
  for (let i = from; i < to; i++) {
    const timeMs = timesMs[i]!
    if (timeMs < firstMs) firstMs = timeMs
    if (timeMs > lastMs) lastMs = timeMs
  }
  return [Math.floor(firstMs / cycleMs), Math.floor(lastMs / cycleMs)]
}

function orderBySlot(slots: Uint8Array, { from, to, slotCount }: SlotRange): Int32Array {
  const slotCounts = new Int32Array(slotCount + 1)
  for (let i = from; i < to; i++) slotCounts[slots[i]! + 1]!++
  for (let slot = 0; slot < slotCount; slot++) slotCounts[slot + 1]! += slotCounts[slot]!
  const order = new Int32Array(to - from)
  for (let i = from; i < to; i++) order[slotCounts[slots[i]!]!++] = i
  return order
}

function countingSort(
  { slots, timesMs }: IncomingSamples,
  range: SlotRange,
  cycles: { readonly firstMs: number; readonly count: number },
): Int32Array {
  const { from, to, slotCount } = range
  const starts = new Int32Array(cycles.count * slotCount + 1)
  const keys = new Int32Array(to - from)
  for (let i = from; i < to; i++) {
    // Neither negative nor large, so truncation equals rounding down.
    const cycle = ((timesMs[i]! - cycles.firstMs) / cycleMs) | 0
    const key = cycle * slotCount + slots[i]!
    keys[i - from] = key
    starts[key + 1]!++
  }
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  assert(starts.at(-1) === to - from, "Expected a cycle and a slot for each sample")
  const sorted = new Int32Array(to - from)
  for (let i = from; i < to; i++) sorted[starts[keys[i - from]!]!++] = i
  return sorted
}
