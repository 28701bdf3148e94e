/**
 * The loops over all values of a selection (order-statistics.ts). A function that is called once
 * creates the loops together with their arrays, so V8 treats the arrays as constants and embeds
 * their addresses in the code. It looks up arrays in arguments, fields or module variables (a
 * bundle turns module constants into variables) for each value: 15 ns per value instead of 7.
 */

export const bucketsMax = 1024
/** Values are counted in pieces of this size: four weeks of PT5M, 64 KB. */
export const pieceSize = 8064

/** Buckets of equal width: value v is in bucket (v - low) × factor, at least 0 and at most `top`. */
export interface Buckets {
  readonly low: number
  readonly factor: number
  readonly top: number
}

/** A bucket, the index of its first value if all are sorted, and its number of values. */
export interface BucketCursor {
  bucket: number
  start: number
  size: number
}

function createBucketTables() {
  const piece = new Float64Array(pieceSize)
  const bucketOf = new Uint16Array(pieceSize)
  const sizes = new Int32Array(bucketsMax)
  const wanted = new Uint8Array(bucketsMax)
  const nextAt = new Int32Array(bucketsMax)
  const keptAt = new Uint16Array(pieceSize + 1)

  /** Adds the values of the piece to the sizes of their buckets. */
  function countPiece(count: number, { low, factor, top }: Buckets): void {
    for (let i = 0; i < count; i++) {
      const position = (piece[i]! - low) * factor
      const bucket = position > 0 ? (position < top ? position | 0 : top) : 0
      bucketOf[i] = bucket
      sizes[bucket] = sizes[bucket]! + 1
    }
  }

  /** Moves the cursor forward to the bucket that holds the value at index `rank` if sorted. */
  function seekRank(rank: number, cursor: BucketCursor): void {
    let { bucket, start } = cursor
    for (let end = start + sizes[bucket]!; end <= rank; end = start + sizes[bucket]!) {
      start = end
      bucket++
    }
    cursor.bucket = bucket
    cursor.start = start
    cursor.size = sizes[bucket]!
  }

  /** Finds the values of the piece that are in wanted buckets; returns their number. */
  function findWanted(count: number): number {
    let kept = 0
    for (let i = 0; i < count; i++) {
      keptAt[kept] = i
      kept += wanted[bucketOf[i]!]!
    }
    return kept
  }

  /** Copies these values to `out`, each to the next place of its bucket. */
  function takeWanted(kept: number, out: Float64Array): void {
    for (let k = 0; k < kept; k++) {
      const i = keptAt[k]!
      const bucket = bucketOf[i]!
      const at = nextAt[bucket]!
      out[at] = piece[i]!
      nextAt[bucket] = at + 1
    }
  }

  return { piece, sizes, wanted, nextAt, countPiece, seekRank, findWanted, takeWanted }
}

const { piece, sizes, wanted, nextAt, countPiece, seekRank, findWanted, takeWanted } =
  createBucketTables()

export { seekRank }

/** Counts `values[from..to)` in the buckets. */
export function countBuckets(
  values: Float64Array,
  from: number,
  to: number,
  buckets: Buckets,
): void {
  sizes.fill(0, 0, buckets.top + 1)
  for (let at = from; at < to; at += pieceSize) {
    countPiece(loadPiece(values, at, to), buckets)
  }
}

/** Marks the bucket as wanted: its values are to be copied to `out` from index `at` on. */
export function wantBucket(bucket: number, at: number): void {
  wanted[bucket] = 1
  nextAt[bucket] = at
}

/** Copies the values of the wanted buckets to `out`, and forgets what is wanted. */
export function takeWantedBuckets(
  values: Float64Array,
  from: number,
  to: number,
  buckets: Buckets,
  out: Float64Array,
): void {
  const isOnePiece = to - from <= pieceSize
  for (let at = from; at < to; at += pieceSize) {
    const count = isOnePiece ? to - from : loadPiece(values, at, to)
    if (!isOnePiece) countPiece(count, buckets)
    takeWanted(findWanted(count), out)
  }
  wanted.fill(0, 0, buckets.top + 1)
}

function loadPiece(values: Float64Array, at: number, to: number): number {
  const count = Math.min(pieceSize, to - at)
  piece.set(values.subarray(at, at + count))
  return count
}
