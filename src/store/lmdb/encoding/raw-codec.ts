/**
 * Bytes of raw samples. Two layouts of the same columns, both pure functions of them:
 *
 *   recent     one cycle of one block, as it is in memory: it lives for a day and is rewritten by
 *              every flush; compressing took 0.17 µs a sample, copying takes 0.02
 *              slots │ counts a slot │ times u32 │ values f64 │ aggregates
 *
 *   compacted  one window of one block; separate streams for each slot, so that one series can be
 *              read alone, and because neighbouring samples of one series are similar
 *              slots │ counts │ lengths │ slot 0: times │ values │ aggregates │ slot 1 …
 *
 * Times are stored as milliseconds since the start of the cycle or window.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import type { ByteReader, ByteWriter } from "../../../codec/bytes.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { decodeIntegers, encodeIntegers } from "../../../codec/integer-stream.ts"
import { FloatWorkspace } from "../../../codec/workspace.ts"
import { bytesOf, OffsetWorkspace } from "./plain-bytes.ts"
import { decodeValues, encodePlainValues, encodeValues } from "../../../codec/value-stream.ts"
import { fieldCount } from "../../../model/sample-batch.ts"
import type { SampleRun } from "./sample-run.ts"

const scratch = new FloatWorkspace()
const offsets = new OffsetWorkspace()
/**
 * Int32, not doubles as in the codec: a number read from a Float64Array stays a double wherever it
 * goes. Used as the count of raw columns it turned every sample index into a double, and V8
 * compiled ten functions of the flush again.
 */
const counts = new Int32Array(seriesPerBlock)
const countMax = 2 ** 31 - 1
const codedCounts = new Float64Array(seriesPerBlock)
const lengths = new Float64Array(seriesPerBlock)

/** Appends the recent layout of `raw`, whose samples are at or after `startMs`. */
export function encodeRecentRaw(writer: ByteWriter, raw: SampleRun, startMs: number): void {
  writeCounts(writer, raw)
  const times = offsets.take(raw.count)
  for (let i = 0; i < raw.count; i++) times[i] = raw.timesMs[i]! - startMs
  writer.append(bytesOf(times, raw.count))
  writer.append(bytesOf(raw.values, raw.count))
  writeAggregates(writer, raw, { from: 0, to: raw.count }, encodePlainValues)
}

/** Decodes the recent layout into `raw`. */
export function decodeRecentRaw(reader: ByteReader, raw: SampleRun, startMs: number): void {
  raw.reset()
  const slots = readCounts(reader)
  let total = 0
  for (let slot = 0; slot < slots; slot++) total += counts[slot]!
  readPlainColumns(reader, raw, { startMs, count: total })
  raw.count = 0
  for (let slot = 0; slot < slots; slot++) {
    raw.count += counts[slot]!
    raw.endSlot()
  }
}

/** Appends the compacted layout of `raw`, whose samples are at or after `startMs`. */
export function encodeCompactedRaw(writer: ByteWriter, raw: SampleRun, startMs: number): void {
  writeCounts(writer, raw)
  const lengthsAt = writer.position
  writer.reserve(4 * raw.slotCount)
  for (let slot = 0; slot < raw.slotCount; slot++) writer.u32(0)
  for (let slot = 0; slot < raw.slotCount; slot++) {
    const before = writer.position
    writeRange(writer, raw, { startMs, from: raw.slotStart[slot]!, to: raw.slotStart[slot + 1]! })
    writer.patchU32(lengthsAt + 4 * slot, writer.position - before)
  }
}

/**
 * Decodes the compacted layout into `raw`: all slots, or only `onlySlot`, with the others empty.
 */
export function decodeCompactedRaw(
  reader: ByteReader,
  raw: SampleRun,
  startMs: number,
  onlySlot = -1,
): void {
  raw.reset()
  const slots = readCounts(reader)
  for (let slot = 0; slot < slots; slot++) lengths[slot] = reader.u32()
  for (let slot = 0; slot < slots; slot++) {
    const end = reader.position + lengths[slot]!
    if (onlySlot < 0 || slot === onlySlot) readRange(reader, raw, { startMs, count: counts[slot]! })
    else reader.skip(lengths[slot]!)
    assert(reader.position === end, "Expected a slot as long as it was written")
    raw.endSlot()
  }
}

function readPlainColumns(
  reader: ByteReader,
  raw: SampleRun,
  what: { startMs: number; count: number },
): void {
  const { startMs, count } = what
  raw.reserve(count)
  const times = offsets.take(count)
  bytesOf(times, count).set(reader.take(4 * count))
  for (let i = 0; i < count; i++) raw.timesMs[i] = startMs + times[i]!
  bytesOf(raw.values, count).set(reader.take(8 * count))
  raw.aggregates.fill(-1, 0, count)
  raw.count = count
  readAggregates(reader, raw, 0)
}

function writeCounts(writer: ByteWriter, raw: SampleRun): void {
  assert((raw.slotStart[raw.slotCount] ?? 0) === raw.count, "Expected all samples in slots")
  for (let slot = 0; slot < raw.slotCount; slot++) {
    codedCounts[slot] = raw.slotStart[slot + 1]! - raw.slotStart[slot]!
  }
  writer.varint(raw.slotCount)
  encodeIntegers(writer, codedCounts, raw.slotCount)
}

/** Fills `counts` and returns the number of slots. */
function readCounts(reader: ByteReader): number {
  const slots = reader.varint()
  if (slots > seriesPerBlock) throw new CorruptError(`Expected at most 256 slots, got ${slots}`)
  decodeIntegers(reader, codedCounts, 0, slots)
  for (let slot = 0; slot < slots; slot++) {
    const count = codedCounts[slot]!
    if (!(count >= 0 && count <= countMax)) {
      throw new CorruptError(`Expected a count of samples, got ${count}`)
    }
    counts[slot] = count
  }
  return slots
}

function writeRange(
  writer: ByteWriter,
  raw: SampleRun,
  range: { startMs: number; from: number; to: number },
): void {
  const { startMs, from, to } = range
  assert(from === to || raw.timesMs[from]! >= startMs, "Expected samples of the window")
  const times = scratch.take(to - from)
  for (let i = from; i < to; i++) times[i - from] = raw.timesMs[i]! - startMs
  encodeIntegers(writer, times, to - from)
  encodeValues(writer, raw.values.subarray(from, to) as Float64Array, to - from)
  if (to > from) writeAggregates(writer, raw, { from, to }, encodeValues)
}

function readRange(
  reader: ByteReader,
  raw: SampleRun,
  what: { startMs: number; count: number },
): void {
  const { count } = what
  const from = raw.count
  raw.reserve(from + count)
  decodeIntegers(reader, raw.timesMs, from, count)
  for (let i = from; i < from + count; i++) raw.timesMs[i]! += what.startMs
  decodeValues(reader, raw.values, from, count)
  raw.aggregates.fill(-1, from, from + count)
  raw.count = from + count
  if (count > 0) readAggregates(reader, raw, from)
}

/**
 * Appends the number of aggregates, then for each the distance from the previous one, its mask, and
 * the fields in the mask.
 */
function writeAggregates(
  writer: ByteWriter,
  raw: SampleRun,
  range: { readonly from: number; readonly to: number },
  encode: typeof encodeValues,
): void {
  const { from, to } = range
  let many = 0
  // The aggregates of a range are adjacent, in order of its samples.
  let first = 0
  if (raw.aggregateCount > 0) {
    for (let i = from; i < to; i++) {
      if (raw.aggregates[i]! < 0) continue
      if (many++ === 0) first = raw.aggregates[i]!
    }
  }
  writer.varint(many)
  if (many === 0) return
  let last = from
  for (let i = from; i < to; i++) {
    const entry = raw.aggregates[i]!
    if (entry < 0) continue
    writer.varint(i - last)
    last = i
    writer.u8(raw.aggregateMasks[entry]!)
  }
  for (let field = 0; field < fieldCount; field++) {
    const [values, count] = fieldOf(raw, { field, first, end: first + many })
    encode(writer, values, count)
  }
}

/** Values of one field in the aggregates `[first, end)` that have it, and their number. */
function fieldOf(
  raw: SampleRun,
  which: { field: number; first: number; end: number },
): [values: Float64Array, count: number] {
  const { field, first, end } = which
  const { aggregateMasks, aggregateFields } = raw
  const values = scratch.take(end - first)
  let many = 0
  for (let entry = first; entry < end; entry++) {
    if (((aggregateMasks[entry]! >> field) & 1) === 0) continue
    values[many++] = aggregateFields[entry * fieldCount + field]!
  }
  return [values, many]
}

function readAggregates(reader: ByteReader, raw: SampleRun, from: number): void {
  const many = reader.varint()
  if (many === 0) return
  if (many > raw.count - from) throw new CorruptError(`Expected fewer aggregates, got ${many}`)
  let at = from
  const first = raw.aggregateCount
  for (let entry = first; entry < first + many; entry++) {
    at += reader.varint()
    if (at >= raw.count) throw new CorruptError(`Expected a sample under ${raw.count}, got ${at}`)
    raw.addAggregate(at, reader.u8())
  }
  for (let field = 0; field < fieldCount; field++) readField(reader, raw, { field, first })
}

function readField(
  reader: ByteReader,
  raw: SampleRun,
  which: { field: number; first: number },
): void {
  let many = 0
  for (let entry = which.first; entry < raw.aggregateCount; entry++) {
    many += (raw.aggregateMasks[entry]! >> which.field) & 1
  }
  const values = scratch.take(many)
  decodeValues(reader, values, 0, many)
  let next = 0
  for (let entry = which.first; entry < raw.aggregateCount; entry++) {
    if (((raw.aggregateMasks[entry]! >> which.field) & 1) === 0) continue
    raw.aggregateFields[entry * fieldCount + which.field] = values[next++]!
  }
}
