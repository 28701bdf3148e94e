/**
 * The first round of a selection (order-statistics.ts) for up to four weeks of five-minute values;
 * in most cases the only one. The loops over all values are in a function that is called once and
 * that creates their arrays, so V8 treats the arrays as constants and embeds their addresses in the
 * code. It looks up arrays in arguments, fields or module variables (a bundle turns module
 * constants into variables) for each value: 15 ns per value instead of 7.
 */

/** Four weeks of PT5M. */
export const smallMax = 8064

const bucketsMax = 1024
/**
 * Up to this many values of the wanted buckets are sorted by insertion; more need another round.
 */
const keptMax = 192
const ranksMax = 16

function createTables() {
  const all = new Float64Array(smallMax)
  const bucketOf = new Uint16Array(smallMax)
  const ends = new Int32Array(bucketsMax)
  const wanted = new Uint8Array(bucketsMax)
  const keptAt = new Int32Array(smallMax)

  /** Sets the bucket of each value and the size of each bucket. */
  function countBuckets(count: number, low: number, factor: number, top: number): void {
    ends.fill(0, 0, top + 1)
    for (let i = 0; i < count; i++) {
      const position = (all[i]! - low) * factor
      const bucket = position > 0 ? (position < top ? position | 0 : top) : 0
      bucketOf[i] = bucket
      ends[bucket] = ends[bucket]! + 1
    }
  }

  /** Collects the indexes of the values in wanted buckets; returns their number. */
  function collectWanted(count: number): number {
    let kept = 0
    for (let i = 0; i < count; i++) {
      keptAt[kept] = i
      kept += wanted[bucketOf[i]!]!
    }
    return kept
  }

  return { all, ends, wanted, keptAt, countBuckets, collectWanted }
}

const { all, ends, wanted, keptAt, countBuckets, collectWanted } = createTables()
const kept = new Float64Array(keptMax)
const keptRanks = new Int32Array(ranksMax)

export interface ValueRange {
  readonly low: number
  readonly high: number
}

/**
 * As `selectRanks`, for up to `smallMax` values, most of which are between `low` and `high`.
 * Returns false, and writes nothing, if more than `keptMax` values are in the wanted buckets: the
 * selection then needs more rounds.
 */
export function selectSmall(
  values: Float64Array,
  count: number,
  ranks: Int32Array,
  out: Float64Array,
  { low, high }: ValueRange,
): boolean {
  const top = Math.min(bucketsMax, 1 << (31 - Math.clz32(count))) - 1
  const factor = top / (high - low)
  if (!(factor > 0 && factor < Infinity) || ranks.length > ranksMax) return false
  all.set(count === values.length ? values : values.subarray(0, count))
  countBuckets(count, low, factor, top)
  if (markWanted(count, ranks) > keptMax) return false
  const size = collectWanted(count)
  for (let k = 0; k < size; k++) kept[k] = all[keptAt[k]!]!
  insertionSort(kept, 0, size)
  for (let r = 0; r < ranks.length; r++) out[r] = kept[keptRanks[r]!]!
  return true
}

/**
 * Marks the buckets that hold wanted ranks and renumbers these ranks as if the other buckets did
 * not exist. Returns the number of values in the marked buckets.
 */
function markWanted(count: number, ranks: Int32Array): number {
  wanted.fill(0)
  let start = 0
  let size = 0
  let r = 0
  for (let bucket = 0; r < ranks.length && start < count; bucket++) {
    const end = start + ends[bucket]!
    if (ranks[r]! < end) {
      wanted[bucket] = 1
      for (; r < ranks.length && ranks[r]! < end; r++) keptRanks[r] = ranks[r]! - start + size
      size += end - start
    }
    start = end
  }
  return size
}

/** Sorts `values[from..to)` by insertion; for few values. */
export function insertionSort(values: Float64Array, from: number, to: number): void {
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
