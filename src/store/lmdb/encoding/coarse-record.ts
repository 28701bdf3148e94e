/**
 * Hours and days of a block: cells of a coarser tier, with the digests of cells that hold more raw
 * samples than are read exactly. Percentiles of a bucket without a digest are computed from its raw
 * samples.
 *
 * ┌ slots │ raw samples in all │ cells at slot · buckets + bucket │ raw samples by slot │ digests …
 *
 * A digest is stored as its cell index (slot · buckets + bucket), its length and its bytes.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import type { ByteReader } from "../../../codec/bytes.ts"
import { decodeIntegers, encodeIntegers } from "../../../codec/integer-stream.ts"
import { encodeDigest, isOfEarlierRule } from "../../../digest/codec.ts"
import type { Digest } from "../../../digest/digest.ts"
import type { MergedQuantiles } from "../../../digest/merged-quantiles.ts"
import type { CellColumns } from "../../../rollup/cell.ts"
import { decodeCells, decodeCountColumn, encodeCells } from "./cells-record.ts"
import { encodeRecord, openRecord } from "../disk/record.ts"

/** Digests by cell index: slot · buckets + bucket. */
export type DigestsByCell = ReadonlyMap<number, Digest>

/** Encodes the record, for `key`, of the cells of `slots` slots with `buckets` buckets each. */
export function packCoarse(
  key: Buffer,
  cells: CellColumns,
  shape: { readonly slots: number; readonly buckets: number; readonly samples: Float64Array },
  digests: DigestsByCell,
): Uint8Array {
  assert(shape.slots <= seriesPerBlock, "Expected at most one slot a series")
  assert(shape.slots <= shape.samples.length, "Expected a number of samples for each slot")
  return encodeRecord(key, (writer) => {
    writer.varint(shape.slots)
    writer.varint(totalOf(shape.samples, shape.slots))
    encodeCells(writer, cells, 0, shape.slots * shape.buckets)
    encodeIntegers(writer, shape.samples, shape.slots)
    writer.varint(digests.size)
    for (const [cell, digest] of digests) {
      assert(cell < shape.slots * shape.buckets, "Expected a digest of one of the cells")
      writer.varint(cell)
      const at = writer.position
      writer.u32(0)
      encodeDigest(writer, digest)
      writer.patchU32(at, writer.position - at - 4)
    }
  })
}

/** The content of a coarse record besides its cells. */
export interface CoarseRecord {
  /** Raw samples of the day by slot; a client-made aggregate counts as one. */
  readonly samples: Float64Array
  readonly digests: CoarseDigests
}

/**
 * Decodes the cells of the coarse record under `key` into `cells`; returns the rest, with digests
 * still encoded.
 */
export function readCoarse(
  key: Buffer,
  bytes: Uint8Array,
  buckets: number,
  cells: CellColumns,
): CoarseRecord {
  const reader = openRecord(key, bytes)
  const slots = readSlots(reader, buckets, cells)
  reader.varint()
  decodeCells(reader, cells, 0, slots * buckets)
  const samples = new Float64Array(slots)
  decodeIntegers(reader, samples, 0, slots)
  return { samples, digests: new CoarseDigests(reader) }
}

/** Decodes only which cells of a coarse record are present. */
export function readCoarsePresence(
  key: Buffer,
  bytes: Uint8Array,
  buckets: number,
  cells: CellColumns,
): void {
  const reader = openRecord(key, bytes)
  const slots = readSlots(reader, buckets, cells)
  reader.varint()
  decodeCountColumn(reader, cells, 0, slots * buckets)
}

/** Splits a coarse record into the bytes before its digests, and the digests. */
export function splitCoarse(
  key: Buffer,
  bytes: Uint8Array,
  buckets: number,
  scratch: CellColumns,
): { readonly head: Uint8Array; readonly digests: CoarseDigests } {
  const reader = openRecord(key, bytes)
  const from = reader.position
  const slots = readSlots(reader, buckets, scratch)
  reader.varint()
  decodeCells(reader, scratch, 0, slots * buckets)
  decodeIntegers(reader, new Float64Array(slots), 0, slots)
  return { head: bytes.subarray(from, reader.position), digests: new CoarseDigests(reader) }
}

/** Number of raw samples of all slots in a coarse record. */
export function readSampleTotal(key: Buffer, bytes: Uint8Array): number {
  const reader = openRecord(key, bytes)
  reader.varint()
  return reader.varint()
}

/** Reads how many slots the record has, with `buckets` cells each, for which `cells` has space. */
function readSlots(reader: ByteReader, buckets: number, cells: CellColumns): number {
  const slots = reader.varint()
  assert(slots <= seriesPerBlock, "Expected at most one slot a series")
  assert(slots * buckets <= cells.length, "Expected space for the cells of each slot")
  return slots
}

/** Returns the samples of the first `slots` slots together. */
export function totalOf(samples: Float64Array, slots: number): number {
  let total = 0
  for (let slot = 0; slot < slots; slot++) total += samples[slot]!
  return total
}

/** Digests of a coarse record, decoded on demand; valid as long as its bytes are. */
export class CoarseDigests {
  private readonly reader: ByteReader
  /** Start of each digest in the record, by cell index. */
  private readonly starts = new Map<number, number>()

  constructor(reader: ByteReader) {
    this.reader = reader
    const count = reader.varint()
    for (let i = 0; i < count; i++) {
      const cell = reader.varint()
      assert(!this.starts.has(cell), "Expected at most one digest a cell")
      this.starts.set(cell, reader.position)
      reader.skip(reader.u32())
    }
  }

  has(cell: number): boolean {
    return this.starts.has(cell)
  }

  /** Cells that have a digest, in stored order. */
  cellIndexes(): number[] {
    return [...this.starts.keys()]
  }

  /** True if the digest of a cell was made by the previous rule (digest/codec.ts). */
  isOfEarlierRule(cell: number): boolean {
    this.reader.position = this.starts.get(cell)!
    this.reader.u32()
    return isOfEarlierRule(this.reader)
  }

  /** The bytes of the digest of a cell. */
  bytes(cell: number): Uint8Array {
    this.reader.position = this.starts.get(cell)!
    return this.reader.take(this.reader.u32())
  }

  /** Adds the digest of a cell to `into`; does nothing if there is none. */
  readInto(into: MergedQuantiles, cell: number): void {
    const { reader } = this
    const start = this.starts.get(cell)
    if (start === undefined) return
    reader.position = start
    reader.u32()
    into.readFrom(reader)
  }
}
