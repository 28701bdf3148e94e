/**
 * Bands on disk: four numbers a series and cycle (store/cycle-store.ts), NaN if there is none.
 *
 *   recent, of (cycle, block)     slots varint │ f32 × 4 a slot
 *   compacted, of (day, block)    slots varint │ bytes a slot, integers │ run of slot 0 │ slot 1 …
 *   run                           four columns of the day's cycles: presence u8 │ bit map of 36
 *                                 bytes if it is 2 │ integers (0: no cycle present, 1: all)
 *
 * The integers are the bits of the f32 values in an order-preserving form: neighbours differ
 * little, and the integer codec divides by the power of two to which values were rounded.
 */

import { assert } from "../../../base/assert.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { ByteReader, ByteWriter } from "../../../codec/bytes.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { decodeIntegers, encodeIntegers } from "../../../codec/integer-stream.ts"
import { bandFieldCount } from "../../cycle-store.ts"
import { bytesOf } from "./plain-bytes.ts"
import type { SlotIndex } from "../disk/tables.ts"
import { encodeRecord, openRecord } from "../disk/record.ts"

/** Numbers of one cycle of a block. */
export const cycleBandsLength = seriesPerBlock * bandFieldCount
/** Numbers of one day of a series: column by column, each of 288 cycles. */
export const dayBandsLength = cyclesPerDay * bandFieldCount

const presentNone = 0
const presentAll = 1
const presentMap = 2
const mapBytes = cyclesPerDay / 8

/**
 * Encodes the record of one cycle, `bandFieldCount` numbers a slot; omits the slots after the last
 * one with a band.
 */
export function packRecentBands(key: Buffer, values: Float32Array): Uint8Array {
  assert(values.length >= cycleBandsLength, "Expected the numbers of each slot")
  let slots = seriesPerBlock
  while (slots > 0 && !hasBand(values, slots - 1)) slots--
  return encodeRecord(key, (writer) => {
    writer.varint(slots)
    writer.append(bytesOf(values, slots * bandFieldCount))
  })
}

/** Decodes a recent record into `out`, which is filled with NaN first. */
export function unpackRecentBands(key: Buffer, bytes: Uint8Array, out: Float32Array): void {
  assert(out.length >= cycleBandsLength, "Expected space for each slot")
  out.fill(NaN)
  const reader = openRecord(key, bytes)
  const count = readSlots(reader) * bandFieldCount
  bytesOf(out, count).set(reader.take(4 * count))
  assert(reader.position === reader.end, "Expected nothing after the bands")
}

/** True if the slot has any of its four numbers. */
export function hasBand(values: Float32Array, slot: SlotIndex): boolean {
  for (let i = slot * bandFieldCount; i < (slot + 1) * bandFieldCount; i++) {
    if (!Number.isNaN(values[i]!)) return true
  }
  return false
}

/**
 * Encodes the run of one slot's day: `bandFieldCount` columns of 288 numbers from `values[at]` on.
 */
export function packDayRun(values: Float32Array, at: number): Uint8Array {
  assert(at % dayBandsLength === 0, "Expected the start of a slot's day")
  run.reset()
  for (let column = 0; column < bandFieldCount; column++) {
    packDayColumn(values, at + column * cyclesPerDay)
  }
  return run.finish()
}

/** Encodes the record of a day from its runs, one a slot. */
export function packDayBands(key: Buffer, runs: readonly Uint8Array[]): Uint8Array {
  assert(runs.length <= seriesPerBlock, "Expected at most one run a series")
  const lengths = Float64Array.from(runs, ({ length }) => length)
  return encodeRecord(key, (writer) => {
    writer.varint(runs.length)
    encodeIntegers(writer, lengths, runs.length)
    for (const bytes of runs) writer.append(bytes)
  })
}

/** Returns the runs of a day by slot, still encoded; valid as long as `bytes` are. */
export function openDayBands(key: Buffer, bytes: Uint8Array): ByteReader[] {
  const reader = openRecord(key, bytes)
  const slots = readSlots(reader)
  const lengths = new Float64Array(slots)
  decodeIntegers(reader, lengths, 0, slots)
  return Array.from(lengths, (length) => new ByteReader(reader.take(length)))
}

/** Decodes one slot's day into `out` from `at` on; the inverse of `packDayRun`. */
export function unpackDayRun(reader: ByteReader, out: Float32Array, at: number): void {
  assert(at % dayBandsLength === 0, "Expected the start of a slot's day")
  for (let column = 0; column < bandFieldCount; column++) {
    unpackDayColumn(reader, out, at + column * cyclesPerDay)
  }
  assert(reader.position === reader.end, "Expected a run as long as it was written")
}

const run = new ByteWriter(8 * 1024)
const integers = new Float64Array(cyclesPerDay)
const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

function packDayColumn(values: Float32Array, from: number): void {
  let count = 0
  for (let i = from; i < from + cyclesPerDay; i++) {
    if (!Number.isNaN(values[i]!)) integers[count++] = orderedBits(values[i]!)
  }
  const kind = count === 0 ? presentNone : count === cyclesPerDay ? presentAll : presentMap
  run.u8(kind)
  if (kind === presentMap) packMap(values, from)
  encodeIntegers(run, integers, count)
}

function packMap(values: Float32Array, from: number): void {
  for (let first = 0; first < cyclesPerDay; first += 8) {
    let byte = 0
    for (let bit = 0; bit < 8; bit++) {
      if (!Number.isNaN(values[from + first + bit]!)) byte |= 1 << bit
    }
    run.u8(byte)
  }
}

function unpackDayColumn(reader: ByteReader, out: Float32Array, from: number): void {
  const kind = reader.u8()
  if (kind > presentMap) throw new CorruptError(`Expected a presence of 0 to 2, got ${kind}`)
  out.fill(NaN, from, from + cyclesPerDay)
  if (kind === presentNone) return
  const map = kind === presentMap ? reader.take(mapBytes) : null
  const isThere = (cycle: number): boolean =>
    map === null || ((map[cycle >>> 3]! >>> (cycle & 7)) & 1) === 1
  let count = 0
  for (let cycle = 0; cycle < cyclesPerDay; cycle++) if (isThere(cycle)) count++
  decodeIntegers(reader, integers, 0, count)
  let next = 0
  for (let cycle = 0; cycle < cyclesPerDay; cycle++) {
    if (isThere(cycle)) out[from + cycle] = fromOrderedBits(integers[next++]!)
  }
}

/** The bits of an f32 as an integer in the same order; -0 is 0. */
function orderedBits(value: number): number {
  float[0] = value
  const found = bits[0]!
  return found < 0 ? -(found & 0x7fffffff) : found
}

function fromOrderedBits(integer: number): number {
  bits[0] = Math.abs(integer)
  return integer < 0 ? -float[0]! : float[0]!
}

function readSlots(reader: ByteReader): number {
  const slots = reader.varint()
  if (slots > seriesPerBlock) throw new CorruptError(`Expected at most 256 slots, got ${slots}`)
  return slots
}
