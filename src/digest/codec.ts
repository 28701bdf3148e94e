/**
 * A digest as bytes:
 *
 *     ┌───────────┬─────────┬───────────────┬──────────────────────┬──────────────┬──────────────┐
 *     │ centroids │ grid u8 │ ends u8       │ min, max             │ means        │ weights      │
 *     │ varint    │ grid.ts │ 1: min stored │ f64 each, where they │ value stream │ value stream │
 *     │           │         │ 2: max stored │ are not the end mean │              │              │
 *     │           │         │ 4: rule 2     │                      │              │              │
 *     └───────────┴─────────┴───────────────┴──────────────────────┴──────────────┴──────────────┘
 *
 * Rule 2 is that of `cluster` and `Grid` as they are. Digests of the one before are read as they
 * stand; some of them are off by more than is allowed (store/lmdb/integrity/earlier-digests.ts).
 *
 * An empty digest is the one byte 0. The means are sorted and stand on a decimal grid, so the value
 * stream finds small differences between whole numbers.
 */

import type { ByteReader, ByteWriter } from "../codec/bytes.ts"
import { CorruptError } from "../codec/corrupt-error.ts"
import { decodeValues, encodeValues } from "../codec/value-stream.ts"
import { centroidsMax } from "./cluster.ts"
import type { Digest } from "./digest.ts"

const minStored = 1
const maxStored = 2
const ruleTwo = 4

/** Appends `digest`, which is compressed by it. Decoding and encoding again gives the same bytes. */
export function encodeDigest(writer: ByteWriter, digest: Digest): void {
  const { means, weights, length, min, max, gridCode } = digest.state()
  writer.varint(length)
  if (length === 0) return
  const ends =
    ruleTwo |
    (Object.is(min, means[0]) ? 0 : minStored) |
    (Object.is(max, means[length - 1]) ? 0 : maxStored)
  writer.u8(gridCode)
  writer.u8(ends)
  if (ends & minStored) writer.f64(min)
  if (ends & maxStored) writer.f64(max)
  encodeValues(writer, means, length)
  encodeValues(writer, weights, length)
}

const means = new Float64Array(centroidsMax)
const weights = new Float64Array(centroidsMax)

/** Decodes a digest into `digest`, replacing its content. */
export function decodeDigest(reader: ByteReader, digest: Digest): void {
  readCentroids(reader, means, weights)
  digest.reset()
  if (head.length > 0) digest.restore({ means, weights, ...head })
}

/** True if the digest at the reader was made by the previous rule. */
export function isOfEarlierRule(reader: ByteReader): boolean {
  if (reader.varint() === 0) return false
  reader.u8()
  return (reader.u8() & ruleTwo) === 0
}

/** The content of a digest besides its centroids. */
export interface DigestHead {
  readonly length: number
  /** Sum of all weights; 0 in an empty digest, whose other fields are undefined. */
  readonly count: number
  readonly min: number
  readonly max: number
  readonly gridCode: number
}

const head = { length: 0, count: 0, min: NaN, max: NaN, gridCode: 0 }

/**
 * Reads the ascending centroids of a digest into arrays of at least `centroidsMax`. Returns the
 * rest, valid until the next call.
 */
export function readCentroids(
  reader: ByteReader,
  means: Float64Array,
  weights: Float64Array,
): DigestHead {
  const length = reader.varint()
  if (length > centroidsMax) {
    throw new CorruptError(`Expected at most ${centroidsMax} centroids, got ${length}`)
  }
  head.length = length
  head.count = 0
  if (length === 0) return head
  head.gridCode = reader.u8()
  const ends = reader.u8()
  const storedMin = ends & minStored ? reader.f64() : 0
  const storedMax = ends & maxStored ? reader.f64() : 0
  decodeValues(reader, means, 0, length)
  decodeValues(reader, weights, 0, length)
  head.count = checkedCount(means, weights, length)
  head.min = ends & minStored ? storedMin : means[0]!
  head.max = ends & maxStored ? storedMax : means[length - 1]!
  return head
}

/** Checks the centroids and returns the sum of their weights. */
function checkedCount(means: Float64Array, weights: Float64Array, length: number): number {
  let count = 0
  let last = -Infinity
  for (let i = 0; i < length; i++) {
    const mean = means[i]!
    const weight = weights[i]!
    if (!(weight > 0) || mean < last) {
      throw new CorruptError(`Expected ascending centroids, got ${mean} × ${weight}`)
    }
    last = mean
    count += weight
  }
  return count
}
