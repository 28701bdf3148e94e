/**
 * Hours and days of a block: cells of a coarser tier with the digests of those that hold more raw
 * samples than are read exactly. A bucket without a digest is read from its raw samples.
 *
 * ┌ slots │ raw samples in all │ cells at slot · buckets + bucket │ raw samples by slot │ digests …
 *
 * A digest is its place (slot · buckets + bucket), its length and its bytes.
 */

import { ByteReader } from "../../codec/bytes.ts"
import { decodeIntegers, encodeIntegers } from "../../codec/integer-stream.ts"
import { decodeDigest, encodeDigest } from "../../digest/codec.ts"
import type { Digest } from "../../digest/digest.ts"
import type { CellColumns } from "../../rollup/cell.ts"
import { decodeCells, decodeFirstColumn, encodeCells } from "./cells-record.ts"
import { encodeRecord, openRecord } from "./record.ts"

/** Digests by place: slot · buckets + bucket. */
export type DigestsByPlace = ReadonlyMap<number, Digest>

/** The record of the cells of `slots` slots with `buckets` buckets each, to stand under `key`. */
export function packCoarse(
  key: Buffer,
  cells: CellColumns,
  shape: { readonly slots: number; readonly buckets: number; readonly samples: Float64Array },
  digests: DigestsByPlace,
): Uint8Array {
  return encodeRecord(key, (writer) => {
    writer.varint(shape.slots)
    writer.varint(totalOf(shape.samples, shape.slots))
    encodeCells(writer, cells, 0, shape.slots * shape.buckets)
    encodeIntegers(writer, shape.samples, shape.slots)
    writer.varint(digests.size)
    for (const [place, digest] of digests) {
      writer.varint(place)
      const at = writer.position
      writer.u32(0)
      encodeDigest(writer, digest)
      writer.patchU32(at, writer.position - at - 4)
    }
  })
}

/** What a coarse record holds beside its cells. */
export interface CoarseRecord {
  /** Raw samples of the day by slot; a client's aggregate counts as one. */
  readonly samples: Float64Array
  readonly digests: CoarseDigests
}

/**
 * Reads the cells of the coarse record under `key` into `cells`; gives the rest, digests still as
 * bytes.
 */
export function readCoarse(
  key: Buffer,
  bytes: Uint8Array,
  buckets: number,
  cells: CellColumns,
): CoarseRecord {
  const reader = openRecord(key, bytes)
  const slots = reader.varint()
  reader.varint()
  decodeCells(reader, cells, 0, slots * buckets)
  const samples = new Float64Array(slots)
  decodeIntegers(reader, samples, 0, slots)
  return { samples, digests: new CoarseDigests(reader) }
}

/** Reads which cells of a coarse record are present, and nothing else of them. */
export function readCoarsePresence(
  key: Buffer,
  bytes: Uint8Array,
  buckets: number,
  cells: CellColumns,
): void {
  const reader = openRecord(key, bytes)
  const slots = reader.varint()
  reader.varint()
  decodeFirstColumn(reader, cells, 0, slots * buckets)
}

/** Raw samples of all slots in the day of a coarse record. */
export function readSampleTotal(key: Buffer, bytes: Uint8Array): number {
  const reader = openRecord(key, bytes)
  reader.varint()
  return reader.varint()
}

function totalOf(samples: Float64Array, slots: number): number {
  let total = 0
  for (let slot = 0; slot < slots; slot++) total += samples[slot]!
  return total
}

/** Digests of a coarse record, decoded when asked for; valid as long as its bytes are. */
export class CoarseDigests {
  private readonly bytesByPlace = new Map<number, Uint8Array>()

  constructor(reader: ByteReader) {
    const count = reader.varint()
    for (let i = 0; i < count; i++) {
      const place = reader.varint()
      this.bytesByPlace.set(place, reader.take(reader.u32()))
    }
  }

  has(place: number): boolean {
    return this.bytesByPlace.has(place)
  }

  /** Reads the digest of a place into `digest`; false where there is none. */
  read(place: number, digest: Digest): boolean {
    const bytes = this.bytesByPlace.get(place)
    if (bytes === undefined) return false
    decodeDigest(new ByteReader(bytes), digest)
    return true
  }
}
