/**
 * Sorts pairs of numbers by the first one. They are distributed to about as many buckets of equal
 * width as there are pairs, after which little is left to do:
 *
 *     keys     ·· ····· ··· ·  ·      · ·        one pass to count, one to move
 *     buckets  │··│···│··│·│··│·│ │·│  │·│··│    then insertion, over short distances
 *
 * A bucket with many pairs is distributed again by itself; what is still dense after a few rounds
 * is merge sorted. Stable, hence deterministic.
 */

const bucketsMax = 2048
const roundsMax = 3
/** Up to this number of pairs insertion sort alone is fastest. */
const insertionMax = 24
/** From this number on the bucket width comes from a sample, so that outliers do not widen it. */
const sampledMin = 512
const sampleSize = 32

let otherKeys = new Float64Array(1024)
let otherWeights = new Float64Array(1024)
let places = new Uint16Array(1024)
const endsOfRound = Array.from({ length: roundsMax }, () => new Int32Array(bucketsMax))

/** Sorts `keys[0..count)`, without NaN, and moves `weights` along. */
export function sortPairs(keys: Float64Array, weights: Float64Array, count: number): void {
  if (otherKeys.length < count) {
    otherKeys = new Float64Array(count * 2)
    otherWeights = new Float64Array(count * 2)
    places = new Uint16Array(count * 2)
  }
  sortPart(keys, weights, 0, count, 0)
}

function sortPart(
  keys: Float64Array,
  weights: Float64Array,
  from: number,
  to: number,
  round: number,
): void {
  if (to - from > insertionMax && !isSorted(keys, from, to)) {
    const buckets = round < roundsMax ? deal(keys, weights, from, to, round) : 0
    if (buckets === 0) {
      mergeSort(keys, weights, from, to)
      return
    }
    const ends = endsOfRound[round]!
    for (let b = 0, start = from; b < buckets; start = ends[b++]!) {
      if (ends[b]! - start > insertionMax) sortPart(keys, weights, start, ends[b]!, round + 1)
    }
  }
  insertionSort(keys, weights, from, to)
}

function isSorted(keys: Float64Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (keys[i - 1]! > keys[i]!) return false
  return true
}

/**
 * Distributes the pairs to buckets; returns the number of buckets, 0 if no width separates them.
 */
function deal(
  keys: Float64Array,
  weights: Float64Array,
  from: number,
  to: number,
  round: number,
): number {
  findRange(keys, from, to)
  const least = range[0]!
  const buckets = Math.min(bucketsMax, 2 << (31 - Math.clz32(to - from)))
  const factor = (buckets - 1) / (range[1]! - least)
  if (!(factor > 0) || factor === Infinity) return 0

  const ends = endsOfRound[round]!
  const top = buckets - 1
  ends.fill(0, 0, buckets)
  for (let i = from; i < to; i++) {
    const position = (keys[i]! - least) * factor
    const bin = position > 0 ? (position < top ? position | 0 : top) : 0
    places[i] = bin
    ends[bin] = ends[bin]! + 1
  }
  let start = from
  for (let b = 0; b < buckets; b++) {
    const size = ends[b]!
    ends[b] = start
    start += size
  }
  for (let i = from; i < to; i++) {
    const bin = places[i]!
    const at = ends[bin]!
    otherKeys[at] = keys[i]!
    otherWeights[at] = weights[i]!
    ends[bin] = at + 1
  }
  keys.set(otherKeys.subarray(from, to), from)
  weights.set(otherWeights.subarray(from, to), from)
  return buckets
}

const range = new Float64Array(2)
const sample = new Float64Array(sampleSize)
const noWeights = new Float64Array(sampleSize)

function findRange(keys: Float64Array, from: number, to: number): void {
  if (to - from >= sampledMin) {
    const step = Math.floor((to - from) / sampleSize)
    for (let s = 0; s < sampleSize; s++) sample[s] = keys[from + s * step]!
    insertionSort(sample, noWeights, 0, sampleSize)
    range[0] = sample[1]!
    range[1] = sample[sampleSize - 2]!
    if (range[0] < range[1]) return
  }
  let min = keys[from]!
  let max = min
  for (let i = from + 1; i < to; i++) {
    const key = keys[i]!
    min = key < min ? key : min
    max = key > max ? key : max
  }
  range[0] = min
  range[1] = max
}

function insertionSort(keys: Float64Array, weights: Float64Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = keys[i]!
    if (keys[i - 1]! <= key) continue
    const weight = weights[i]!
    let at = i
    do {
      keys[at] = keys[at - 1]!
      weights[at] = weights[at - 1]!
      at--
    } while (at > from && keys[at - 1]! > key)
    keys[at] = key
    weights[at] = weight
  }
}

/** Sorted runs of doubling length, merged in pairs between the two arrays. */
function mergeSort(keys: Float64Array, weights: Float64Array, from: number, to: number): void {
  for (let start = from; start < to; start += insertionMax) {
    insertionSort(keys, weights, start, Math.min(start + insertionMax, to))
  }
  for (let length = insertionMax; length < to - from; length *= 2) {
    for (let start = from; start < to; start += 2 * length) {
      const middle = Math.min(start + length, to)
      mergeRuns(keys, weights, start, middle, Math.min(middle + length, to))
    }
    keys.set(otherKeys.subarray(from, to), from)
    weights.set(otherWeights.subarray(from, to), from)
  }
}

/** Merges the runs [start, middle) and [middle, end) into the other arrays. */
function mergeRuns(
  keys: Float64Array,
  weights: Float64Array,
  start: number,
  middle: number,
  end: number,
): void {
  let left = start
  let right = middle
  for (let at = start; at < end; at++) {
    const isLeft = right >= end || (left < middle && keys[left]! <= keys[right]!)
    const source = isLeft ? left++ : right++
    otherKeys[at] = keys[source]!
    otherWeights[at] = weights[source]!
  }
}
