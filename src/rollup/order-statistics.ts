/**
 * Order statistics without a full sort. The values are counted in buckets of equal width, and only
 * those of buckets that hold a wanted rank are copied, bucket by bucket, and sorted:
 *
 *     values    ·· ····· ··· ·  ·      · ·           wanted: ranks 3 and 9
 *     buckets   │ 2 │ 5 │ 3 │ 1 │ 1 │ 0 │ 2 │   →    rank 1 of the second, rank 2 of the third
 *
 * The passes have no branches that depend on the order of the values, so sorted, constant and
 * repeating data cost the same as random data. A bucket of many values is searched in the same way:
 * that of most values, if a few are far from all others. After a bounded number of rounds a bucket
 * is sorted: the worst case costs as much as sorting.
 */

import { assert } from "../base/assert.ts"
import { FloatWorkspace } from "../codec/workspace.ts"
import {
  type BucketCursor,
  type Buckets,
  bucketsMax,
  countBuckets,
  seekRank,
  takeWantedBuckets,
  wantBucket,
} from "./bucket-tables.ts"

/** Up to this many values an insertion sort is cheaper than a round. */
const sortMax = 40
const roundsMax = 4

export interface ValueRange {
  readonly low: number
  readonly high: number
}

/** Working memory for any number of calls on one thread. */
export class SelectionWorkspace {
  readonly rounds = Array.from({ length: roundsMax }, () => new Round())
}

/** Memory of one round. */
class Round {
  /** The values of the wanted buckets, bucket by bucket. */
  readonly values = new FloatWorkspace()
  /** The end of each of these buckets among the values. */
  ends = new Int32Array(0)
  /** The wanted ranks among the values. */
  ranks = new Int32Array(0)
  groupCount = 0
  readonly cursor: BucketCursor = { bucket: 0, start: 0, size: 0 }
  /** The greatest number of values of one bucket. */
  largest = 0

  reserve(rankCount: number): void {
    if (this.ranks.length >= rankCount) return
    this.ends = new Int32Array(2 * rankCount)
    this.ranks = new Int32Array(2 * rankCount)
  }
}

/**
 * The search for the values at indexes `ranks[first..last)` of the sorted values, all of which are
 * in `values[from..to)`: the least of these would be at index `from`.
 */
interface Search {
  readonly values: Float64Array
  readonly from: number
  readonly to: number
  readonly ranks: Int32Array
  readonly first: number
  readonly last: number
  /** Receives the value of rank r at index r. */
  readonly out: Float64Array
}

/**
 * Writes the value of each of the ascending `ranks` (0 is the least value, `count - 1` the
 * greatest) to the same index of `out`. `values[0..count)` are not changed and must not contain
 * NaN. `known`: bounds of the values, the closer the faster; they are searched otherwise.
 */
export function selectRanks(
  values: Float64Array,
  count: number,
  ranks: Int32Array,
  out: Float64Array,
  workspace: SelectionWorkspace,
  known: ValueRange | null = null,
): void {
  assert(count > 0 && count <= values.length, "Expected a population")
  assert(ranks.length <= out.length, "Expected space for the value of each rank")
  assert(!(ranks[ranks.length - 1]! >= count), "Expected ranks below the number of values")
  if (count > sortMax) {
    const search = { values, from: 0, to: count, ranks, first: 0, last: ranks.length, out }
    if (searchBuckets(search, 0, known, workspace)) return
  }
  const sorted = workspace.rounds[0]!.values.take(count)
  for (let i = 0; i < count; i++) sorted[i] = values[i]!
  sort(sorted, 0, count)
  for (let r = 0; r < ranks.length; r++) out[r] = sorted[ranks[r]!]!
}

/** Returns false, and writes nothing, if the range of the values cannot be divided. */
function searchBuckets(
  search: Search,
  depth: number,
  known: ValueRange | null,
  workspace: SelectionWorkspace,
): boolean {
  const { values, from, to, first, last, out } = search
  const range = known ?? rangeOf(values, from, to)
  if (range.low === range.high) {
    out.fill(range.low, first, last)
    return true
  }
  const buckets = bucketsIn(range, to - from)
  if (buckets === null) return false
  const round = workspace.rounds[depth]!
  countBuckets(values, from, to, buckets)
  const keptCount = findGroups(search, round)
  const kept = round.values.take(keptCount)
  takeWantedBuckets(values, from, to, buckets, kept)
  if (round.largest > sortMax) {
    searchGroups({ ...search, values: kept, ranks: round.ranks }, depth, workspace)
    return true
  }
  insertionSort(kept, 0, keptCount)
  for (let r = first; r < last; r++) out[r] = kept[round.ranks[r]!]!
  return true
}

/** Buckets that divide the range; null if it is too small or too large for that. */
function bucketsIn({ low, high }: ValueRange, count: number): Buckets | null {
  const top = Math.min(bucketsMax, 1 << (31 - Math.clz32(count))) - 1
  const factor = top / (high - low)
  return factor > 0 && factor < Infinity ? { low, factor, top } : null
}

/**
 * Marks the buckets that hold a wanted rank. Sets the end of each among the values of the round,
 * and the index of each rank among these. Returns the number of values in these buckets.
 */
function findGroups({ from, ranks, first, last }: Search, round: Round): number {
  const { cursor } = round
  round.reserve(ranks.length)
  round.groupCount = 0
  round.largest = 0
  cursor.bucket = 0
  cursor.start = from
  let kept = 0
  for (let r = first; r < last;) {
    seekRank(ranks[r]!, cursor)
    const { start, size } = cursor
    assert(size > 0, "Expected the value of the rank in a bucket")
    wantBucket(cursor.bucket, kept)
    for (; r < last && ranks[r]! < start + size; r++) round.ranks[r] = ranks[r]! - start + kept
    kept += size
    round.ends[round.groupCount++] = kept
    if (size > round.largest) round.largest = size
  }
  return kept
}

/** Searches the buckets of a round one by one. */
function searchGroups(search: Search, depth: number, workspace: SelectionWorkspace): void {
  const { values, ranks, last, out } = search
  const { ends, groupCount } = workspace.rounds[depth]!
  let from = 0
  let first = search.first
  for (let g = 0; g < groupCount; g++) {
    const to = ends[g]!
    let next = first
    while (next < last && ranks[next]! < to) next++
    const group = { ...search, from, to, first, last: next }
    const isSmall = to - from <= sortMax || depth + 1 === roundsMax
    if (isSmall || !searchBuckets(group, depth + 1, null, workspace)) {
      sort(values, from, to)
      for (let r = first; r < next; r++) out[r] = values[ranks[r]!]!
    }
    from = to
    first = next
  }
  assert(first === last, "Expected each rank in one group")
}

function sort(values: Float64Array, from: number, to: number): void {
  if (to - from <= sortMax) insertionSort(values, from, to)
  else values.subarray(from, to).sort()
}

/** Returns the least and the greatest of `values[from..to)`, at least one. */
export function rangeOf(values: Float64Array, from: number, to: number): ValueRange {
  let low = values[from]!
  let high = low
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!
    low = value < low ? value : low
    high = value > high ? value : high
  }
  return { low, high }
}

/** Sorts `values[from..to)` by insertion; for few values. */
function insertionSort(values: Float64Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!
    let at = i
    while (at > from && values[at - 1]! > value) {
      values[at] = values[at - 1]!
      at--
    }
    values[at] = value
  }
}
