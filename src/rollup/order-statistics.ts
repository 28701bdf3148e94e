/**
 * Order statistics without a full sort. The values are distributed to buckets of equal width, and
 * only the buckets that hold a wanted rank are searched, each in the same way:
 *
 *     values    ·· ····· ··· ·  ·      · ·           wanted: ranks 3 and 9
 *     buckets   │ 2 │ 5 │ 3 │ 1 │ 1 │ 0 │ 2 │   →    rank 1 of the second, rank 2 of the third
 *
 * The passes have no branches, so sorted, constant and repeating data cost the same as random data.
 * The width comes from a sample of the values, so a heavy tail does not push all others into one
 * bucket. After a bounded number of rounds a bucket is sorted: the worst case costs as much as
 * sorting.
 */

import { assert } from "../base/assert.ts"
import { smallMax, selectSmall, insertionSort, type ValueRange } from "./order-statistics-small.ts"

const bucketsMax = 1024
/** Up to this many values an insertion sort is cheaper than a distribution. */
const sortMax = 40
const depthMax = 4
/** Up to this many values of all wanted buckets are collected and sorted together. */
const keptMax = 96
/** From this number of values on, the range of the buckets comes from a sample. */
const sampledMin = 512
const sampleSize = 64

/** Working memory for any number of calls on one thread. */
export class SelectionWorkspace {
  /** Bucket of each value at one depth; not needed after the distribution. */
  bucketOf = new Uint16Array(0)
  readonly levels: Level[] = []
  /** Least and greatest value that the buckets are for. */
  readonly range = new Float64Array(2)
  readonly sample = new Float64Array(sampleSize)

  reserve(count: number, rankCount: number): void {
    const level = this.levels[0]
    if (level && level.values.length >= count && level.keptRanks.length >= rankCount) return
    this.bucketOf = new Uint16Array(count * 2)
    for (let depth = 0; depth < depthMax; depth++) {
      this.levels[depth] = new Level(count * 2, rankCount * 2)
    }
  }
}

/** Memory of one depth: the values bucket by bucket, and the end of each bucket. */
class Level {
  readonly values: Float64Array<ArrayBuffer>
  readonly ends = new Int32Array(bucketsMax)
  readonly wanted = new Uint8Array(bucketsMax)
  readonly keptRanks: Int32Array

  constructor(length: number, rankCount: number) {
    this.values = new Float64Array(length)
    this.keptRanks = new Int32Array(rankCount)
  }
}

/**
 * Writes the value of each of the ascending `ranks` (0 is the least value, `count - 1` the
 * greatest) to the same index of `out`. `values[0..count)` are not changed and must not contain
 * NaN. `known`: their least and greatest value, which are searched otherwise.
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
  if (count > sortMax && count <= smallMax) {
    const range = known !== null && count < sampledMin ? known : rangeOf(values, count, workspace)
    if (selectSmall(values, count, ranks, out, range)) return
  }
  workspace.reserve(count, ranks.length)
  if (count > sortMax) {
    select(
      { values, from: 0, to: count, first: 0, last: ranks.length, depth: 0 },
      ranks,
      out,
      workspace,
    )
    return
  }
  const sorted = workspace.levels[0]!.values
  for (let i = 0; i < count; i++) sorted[i] = values[i]!
  insertionSort(sorted, 0, count)
  for (let r = 0; r < ranks.length; r++) out[r] = sorted[ranks[r]!]!
}

/**
 * The wanted ranks [first, last) are among `values[from..to)`, whose least value has rank `from`.
 */
interface Selection {
  readonly values: Float64Array
  readonly from: number
  readonly to: number
  readonly first: number
  readonly last: number
  readonly depth: number
}

function select(
  part: Selection,
  ranks: Int32Array,
  out: Float64Array,
  workspace: SelectionWorkspace,
): void {
  const { values, from, to, first, last, depth } = part
  const level = workspace.levels[depth]!
  const buckets = countBuckets(values, from, to, level, workspace)
  if (buckets === 0) {
    out.fill(values[from]!, first, last)
    return
  }
  if (buckets === 1) {
    level.values.set(values.subarray(from, to), from)
    level.values.subarray(from, to).sort()
    for (let r = first; r < last; r++) out[r] = level.values[ranks[r]!]!
    return
  }
  const wantedCount = markWanted(part, ranks, level)
  if (wantedCount <= keptMax) {
    sortWanted(part, level, workspace.bucketOf)
    for (let r = first; r < last; r++) out[r] = level.values[from + level.keptRanks[r - first]!]!
    return
  }
  distribute(part, level, workspace.bucketOf)
  selectInBuckets(part, level, ranks, out, workspace)
}

/** Searches the buckets one by one; `ends` holds their ends in the values of the level. */
function selectInBuckets(
  { from, first, last, depth }: Selection,
  level: Level,
  ranks: Int32Array,
  out: Float64Array,
  workspace: SelectionWorkspace,
): void {
  const { values, ends } = level
  let bucket = 0
  for (let r = first; r < last;) {
    while (ends[bucket]! <= ranks[r]!) bucket++
    const end = ends[bucket]!
    let next = r + 1
    while (next < last && ranks[next]! < end) next++
    const start = bucket === 0 ? from : ends[bucket - 1]!
    if (end - start <= sortMax || depth + 1 === depthMax) {
      sortRange(values, start, end)
      for (let s = r; s < next; s++) out[s] = values[ranks[s]!]!
    } else {
      const inner = { values, from: start, to: end, first: r, last: next, depth: depth + 1 }
      select(inner, ranks, out, workspace)
    }
    r = next
  }
}

/**
 * Marks the buckets that hold wanted ranks and renumbers these ranks as if the other buckets did
 * not exist. Returns the number of values in the marked buckets. Turns `ends` from sizes into
 * starts.
 */
function markWanted({ from, to, first, last }: Selection, ranks: Int32Array, level: Level): number {
  const { ends, wanted, keptRanks } = level
  let start = from
  let kept = 0
  let r = first
  for (let bucket = 0; start < to; bucket++) {
    const size = ends[bucket]!
    ends[bucket] = start
    const isWanted = r < last && ranks[r]! < start + size
    wanted[bucket] = isWanted ? 1 : 0
    for (; r < last && ranks[r]! < start + size; r++)
      keptRanks[r - first] = ranks[r]! - start + kept
    if (isWanted) kept += size
    start += size
  }
  return kept
}

/** Collects the values of the marked buckets at the start of the level and sorts them. */
function sortWanted({ values, from, to }: Selection, level: Level, bucketOf: Uint16Array): void {
  const { wanted, values: kept } = level
  let next = from
  for (let i = from; i < to; i++) {
    kept[next] = values[i]!
    next += wanted[bucketOf[i]!]!
  }
  insertionSort(kept, from, next)
}

/** Copies all values to the level, bucket by bucket; each start in `ends` becomes an end. */
function distribute({ values, from, to }: Selection, level: Level, bucketOf: Uint16Array): void {
  const { ends, values: sorted } = level
  for (let i = from; i < to; i++) {
    const bucket = bucketOf[i]!
    const at = ends[bucket]!
    sorted[at] = values[i]!
    ends[bucket] = at + 1
  }
}

/**
 * Writes the bucket of each value to `bucketOf` and the size of each bucket to `ends`. Returns the
 * number of buckets: 0 if all values are equal, 1 if their range is too small or too large to be
 * divided.
 */
function countBuckets(
  values: Float64Array,
  from: number,
  to: number,
  { ends }: Level,
  workspace: SelectionWorkspace,
): number {
  const { bucketOf, range } = workspace
  const count = to - from
  findRange(values, from, to, workspace)
  if (range[0] === range[1]) return 0
  const least = range[0]!
  const buckets = Math.min(bucketsMax, 1 << (31 - Math.clz32(count)))
  const factor = (buckets - 1) / (range[1]! - least)
  if (!(factor > 0) || factor === Infinity) return 1

  const top = buckets - 1
  ends.fill(0)
  for (let i = from; i < to; i++) {
    const position = (values[i]! - least) * factor
    const bucket = position > 0 ? (position < top ? position | 0 : top) : 0
    bucketOf[i] = bucket
    ends[bucket] = ends[bucket]! + 1
  }
  return buckets
}

function rangeOf(values: Float64Array, count: number, workspace: SelectionWorkspace): ValueRange {
  findRange(values, 0, count, workspace)
  const { range } = workspace
  return { low: range[0]!, high: range[1]! }
}

/** Sets `range` to the range of most values; to a single value only if all values equal it. */
function findRange(
  values: Float64Array,
  from: number,
  to: number,
  workspace: SelectionWorkspace,
): void {
  if (to - from >= sampledMin && sampleRange(values, from, to, workspace)) return
  fullRange(values, from, to, workspace.range)
}

function fullRange(values: Float64Array, from: number, to: number, range: Float64Array): void {
  let min = values[from]!
  let max = min
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!
    min = value < min ? value : min
    max = value > max ? value : max
  }
  range[0] = min
  range[1] = max
}

/**
 * Sets `range` to about the 2nd and 98th percentile; returns false if they are equal in the sample.
 */
function sampleRange(
  values: Float64Array,
  from: number,
  to: number,
  { range, sample }: SelectionWorkspace,
): boolean {
  const step = Math.floor((to - from) / sampleSize)
  for (let s = 0; s < sampleSize; s++) sample[s] = values[from + s * step]!
  insertionSort(sample, 0, sampleSize)
  range[0] = sample[1]!
  range[1] = sample[sampleSize - 2]!
  return range[0]! < range[1]!
}

function sortRange(values: Float64Array, from: number, to: number): void {
  if (to - from <= sortMax) insertionSort(values, from, to)
  else values.subarray(from, to).sort()
}
