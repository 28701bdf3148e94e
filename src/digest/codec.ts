/**
 * A digest as bytes:
 *
 *     ┌───────────┬─────────┬───────────────┬──────────────────────┬──────────────┬──────────────┐
 *     │ centroids │ grid u8 │ ends u8       │ min, max             │ means        │ weights      │
 *     │ varint    │ grid.ts │ 1: min stored │ f64 each, where they │ value stream │ value stream │
 *     │           │         │ 2: max stored │ are not the end mean │              │              │
 *     └───────────┴─────────┴───────────────┴──────────────────────┴──────────────┴──────────────┘
 *
 * An empty digest is the one byte 0. The means are sorted and stand on a decimal grid, so the value
 * stream finds small differences between whole numbers.
 */

import type { ByteReader, ByteWriter } from "../codec/bytes.ts"
import { CorruptError } from "../codec/corrupt.ts"
import { decodeValues, encodeValues } from "../codec/value-stream.ts"
import { centroidsMax } from "./cluster.ts"
import type { Digest } from "./digest.ts"

const minStored = 1
const maxStored = 2

/** Appends `digest`, which is compressed by it. Decoding and encoding again gives the same bytes. */
export function encodeDigest(writer: ByteWriter, digest: Digest): void {
  const { means, weights, length, min, max, gridCode } = digest.state()
  writer.varint(length)
  if (length === 0) return
  const ends =
    (Object.is(min, means[0]) ? 0 : minStored) | (Object.is(max, means[length - 1]) ? 0 : maxStored)
  writer.u8(gridCode)
  writer.u8(ends)
  if (ends & minStored) writer.f64(min)
  if (ends & maxStored) writer.f64(max)
  encodeValues(writer, means, length)
  encodeValues(writer, weights, length)
}

const means = new Float64Array(centroidsMax)
const weights = new Float64Array(centroidsMax)

/** Reads a digest into `digest`, whose former content is lost. */
export function decodeDigest(reader: ByteReader, digest: Digest): void {
  const length = reader.varint()
  if (length > centroidsMax) {
    throw new CorruptError(`Expected at most ${centroidsMax} centroids, got ${length}`)
  }
  digest.reset()
  if (length === 0) return
  const gridCode = reader.u8()
  const ends = reader.u8()
  const storedMin = ends & minStored ? reader.f64() : 0
  const storedMax = ends & maxStored ? reader.f64() : 0
  decodeValues(reader, means, 0, length)
  decodeValues(reader, weights, 0, length)
  let count = 0
  for (let i = 0; i < length; i++) {
    if (!(weights[i]! > 0) || (i > 0 && means[i]! < means[i - 1]!)) {
      throw new CorruptError(`Expected ascending centroids, got ${means[i]} × ${weights[i]}`)
    }
    count += weights[i]!
  }
  const min = ends & minStored ? storedMin : means[0]!
  const max = ends & maxStored ? storedMax : means[length - 1]!
  digest.restore({ means, weights, length, count, min, max, gridCode })
}
