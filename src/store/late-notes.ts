/**
 * Notes of late samples. A note names a series that received samples for closed cycles. Gap filling
 * keeps its state from one closing to the next and each closing sees its own cycle only, so the
 * next closing must read the past of such a series again.
 *
 *   flush of samples of a closed cycle ─► note ─► next closing of the element: reads the past
 *                                                 again, removes the notes that it saw
 *
 * A closing of an earlier day, by a clock that went back, sees nothing of them and leaves the note.
 * A note is written after its samples, never before. Each note has a key of its own, so a note that
 * is written during a closing remains for the next one.
 */

import type { ElementIndex, SeriesIndex } from "../model/ids.ts"
import { sparseStrategyOf } from "../model/effective-settings.ts"
import type { MetricDefinition } from "../model/element.ts"
import { cyclesPerDay } from "../model/resolution.ts"
import type { StateRange } from "./cycle-store.ts"

/** Kind of the states that are late notes. */
export const lateNoteKind = "late"

/** Value of a note; all information is in its key. */
export const lateNoteBytes = Uint8Array.of(1)

/** True if the gap filling of a metric depends on its past. */
export function isFilledFromPast(definition: MetricDefinition): boolean {
  const strategy = sparseStrategyOf(definition)
  return strategy !== "None" && strategy !== "ReplaceWithZero"
}

const dayAt = 16

/** Key of a note: element, series, sequence number of the flush, and day of the samples. */
export function lateNoteKey(of: {
  readonly element: ElementIndex
  readonly series: SeriesIndex
  readonly flush: number
  readonly day: number
}): Uint8Array {
  const key = new Uint8Array(20)
  const view = new DataView(key.buffer)
  view.setUint32(0, of.element)
  view.setUint32(4, of.series)
  view.setBigUint64(8, BigInt(of.flush))
  view.setUint32(dayAt, of.day)
  return key
}

/** Key ranges of the notes of some elements, ascending; consecutive elements share a range. */
export function lateNoteRanges(elements: Int32Array): StateRange[] {
  const ranges: StateRange[] = []
  for (let from = 0, to = 1; from < elements.length; from = to++) {
    while (to < elements.length && elements[to] === elements[to - 1]! + 1) to++
    ranges.push({ from: indexBytes(elements[from]!), to: indexBytes(elements[to - 1]! + 1) })
  }
  return ranges
}

const viewOf = (key: Uint8Array) => new DataView(key.buffer, key.byteOffset, key.byteLength)

/** The series that a note names. */
export function seriesOfLateNote(key: Uint8Array): SeriesIndex {
  return viewOf(key).getUint32(4)
}

/** Whether the samples of a note are before the end of the day of this cycle. */
export function isNotAfter(key: Uint8Array, cycle: number): boolean {
  return viewOf(key).getUint32(dayAt) <= Math.floor(cycle / cyclesPerDay)
}

function indexBytes(index: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, index)
  return bytes
}
