/**
 * Deduplication (spec/samples §1). The samples of one request form a multiset; several requests are
 * combined by multiset union, so each distinct sample occurs as often as in the request that has it
 * most often. Stored samples count as one request. The merge is commutative, associative and
 * idempotent: a retried request changes nothing.
 */

import { assert } from "../../../base/assert.ts"
import { fieldCount } from "../../../model/sample-batch.ts"
import type { IncomingSamples } from "./group-by-block.ts"
import type { AggregateColumns, SampleRun } from "../encoding/sample-run.ts"

/** Stored samples of one series: `[from, to)` of `columns`, in canonical order. */
export interface StoredRange {
  readonly columns: SampleRun
  readonly from: number
  readonly to: number
}

/** Arrived samples of one series: `order[from, to)` are indexes into `samples`. */
export interface ArrivedRange {
  readonly samples: IncomingSamples
  /** Sorted in place by the merge. */
  readonly order: Int32Array
  readonly from: number
  readonly to: number
}

/** Arrivals are nearly sorted; beyond this number the worst case of insertion sort would show. */
const insertionSortMax = 64

/** Appends the union of both to `out`, in canonical order. */
export function mergeMultisets(stored: StoredRange, arrived: ArrivedRange, out: SampleRun): void {
  if (isStrictlyLater(stored, arrived)) {
    out.append(stored.columns, stored.from, stored.to)
    pushAllArrived(arrived, out)
    return
  }
  sortArrived(arrived)
  const before = out.count
  let storedAt = stored.from
  let arrivedAt = arrived.from
  while (arrivedAt < arrived.to) {
    while (storedAt < stored.to && compareStored(stored, storedAt, arrived, arrivedAt) < 0) {
      out.appendOne(stored.columns, storedAt++)
    }
    let multiplicity = 0
    while (storedAt < stored.to && compareStored(stored, storedAt, arrived, arrivedAt) === 0) {
      multiplicity++
      storedAt++
    }
    const first = arrivedAt
    let run = 0
    let request = -1
    for (; arrivedAt < arrived.to && compareArrived(arrived, first, arrivedAt) === 0; arrivedAt++) {
      const owner = arrived.samples.requests[arrived.order[arrivedAt]!]!
      run = owner === request ? run + 1 : 1
      request = owner
      if (run > multiplicity) multiplicity = run
    }
    for (let copy = 0; copy < multiplicity; copy++) pushArrived(arrived, first, out)
  }
  out.append(stored.columns, storedAt, stored.to)
  const storedCount = stored.to - stored.from
  const unionCount = out.count - before
  assert(unionCount >= storedCount, "Expected the union to hold all stored samples")
  assert(unionCount <= storedCount + arrived.to - arrived.from, "Expected no invented sample")
}

/**
 * Copies all arrived samples of one cycle, at least one and sorted by slot, into the empty `out` if
 * each is later than the one before it in its slot, because they are their own union then.
 * Otherwise returns false, with a part of them in `out`.
 */
export function copyIfAscending(arrived: ArrivedRange, out: SampleRun): boolean {
  const { samples, order, from, to } = arrived
  assert(from < to && out.count === 0, "Expected samples, and no others before them")
  if (!appendTimes(arrived, out)) return false
  assert(out.count === to - from, "Expected each arrived sample once")
  const { aggregates } = samples
  if (aggregates.length === 0) return true
  for (let i = from; i < to; i++) {
    const entry = aggregates[order[i]!]!
    if (entry >= 0) out.copyAggregate(i - from, samples, entry)
  }
  return true
}

/** The same for times and values only, as one loop without calls. */
function appendTimes({ samples, order, from, to }: ArrivedRange, out: SampleRun): boolean {
  const { slots } = samples
  out.reserve(to - from)
  const { timesMs, values, aggregates } = out
  let slot = slots[order[from]!]!
  let lastMs = -Infinity
  for (let i = from; i < to; i++) {
    const at = order[i]!
    const timeMs = samples.timesMs[at]!
    if (slots[at] !== slot) {
      out.count = i - from
      out.endSlots(slot + 1)
      slot = slots[at]!
    } else if (timeMs <= lastMs) return false
    lastMs = timeMs
    timesMs[i - from] = timeMs
    values[i - from] = samples.values[at]!
    aggregates[i - from] = -1
  }
  out.count = to - from
  out.endSlots(slot + 1)
  return true
}

/** The common case: each arrived sample is later than all before it, so no two are equal. */
function isStrictlyLater(stored: StoredRange, arrived: ArrivedRange): boolean {
  const { timesMs } = arrived.samples
  let last = stored.to > stored.from ? stored.columns.timesMs[stored.to - 1]! : -Infinity
  for (let i = arrived.from; i < arrived.to; i++) {
    const timeMs = timesMs[arrived.order[i]!]!
    if (timeMs <= last) return false
    last = timeMs
  }
  return true
}

function pushAllArrived(arrived: ArrivedRange, out: SampleRun): void {
  const { samples, order, from, to } = arrived
  if (samples.aggregates.length === 0) out.pushPlain(samples, order, from, to)
  else for (let i = from; i < to; i++) pushArrived(arrived, i, out)
}

function pushArrived(arrived: ArrivedRange, i: number, out: SampleRun): void {
  const { samples, order } = arrived
  const at = order[i]!
  const entry = entryOf(samples, at)
  if (entry < 0) out.push(samples.timesMs[at]!, samples.values[at]!)
  else out.pushAggregate(samples.timesMs[at]!, samples.values[at]!, samples, entry)
}

/** Sorts by canonical order, then request, so that the copies within one request are adjacent. */
function sortArrived(arrived: ArrivedRange): void {
  const { order, from, to } = arrived
  const { requests } = arrived.samples
  const compare = (left: number, right: number): number =>
    compareSamples(arrived.samples, left, right) || requests[left]! - requests[right]!
  if (to - from > insertionSortMax) {
    order.subarray(from, to).sort(compare)
    return
  }
  for (let i = from + 1; i < to; i++) {
    const moving = order[i]!
    let at = i
    while (at > from && compare(order[at - 1]!, moving) > 0) {
      order[at] = order[at - 1]!
      at--
    }
    order[at] = moving
  }
}

function compareArrived(arrived: ArrivedRange, left: number, right: number): number {
  const { samples, order } = arrived
  return compareSamples(samples, order[left]!, order[right]!)
}

function compareSamples(samples: IncomingSamples, left: number, right: number): number {
  const { timesMs, values } = samples
  const byTime = timesMs[left]! - timesMs[right]!
  if (byTime !== 0) return byTime
  const byValue = compareValues(values[left]!, values[right]!)
  if (byValue !== 0) return byValue
  return compareAggregates(samples, entryOf(samples, left), samples, entryOf(samples, right))
}

/** Index of the aggregate of a sample; -1 for a plain value. */
function entryOf({ aggregates }: IncomingSamples, at: number): number {
  return aggregates.length > 0 ? aggregates[at]! : -1
}

function compareStored(stored: StoredRange, s: number, arrived: ArrivedRange, a: number): number {
  const { columns } = stored
  const { samples } = arrived
  const at = arrived.order[a]!
  const byTime = columns.timesMs[s]! - samples.timesMs[at]!
  if (byTime !== 0) return byTime
  const byValue = compareValues(columns.values[s]!, samples.values[at]!)
  if (byValue !== 0) return byValue
  const entry = entryOf(samples, at)
  return compareAggregates(columns, columns.aggregates[s]!, samples, entry)
}

/** Numeric order with -0 before 0, so that both are kept, in a fixed order. */
function compareValues(left: number, right: number): number {
  if (left < right) return -1
  if (left > right) return 1
  if (left !== 0) return 0
  return (Object.is(left, -0) ? 0 : 1) - (Object.is(right, -0) ? 0 : 1)
}

/** Plain values (entry -1) first, then by mask, then field by field. */
function compareAggregates(
  left: AggregateColumns,
  l: number,
  right: AggregateColumns,
  r: number,
): number {
  if (l < 0 || r < 0) return (l < 0 ? 0 : 1) - (r < 0 ? 0 : 1)
  const byMask = left.aggregateMasks[l]! - right.aggregateMasks[r]!
  if (byMask !== 0) return byMask
  for (let f = 0; f < fieldCount; f++) {
    const byField = compareValues(
      left.aggregateFields[l * fieldCount + f]!,
      right.aggregateFields[r * fieldCount + f]!,
    )
    if (byField !== 0) return byField
  }
  return 0
}
