/**
 * Notes of late samples: series whose past a closing must look at anew, as samples came for cycles
 * that were closed. What fills a cycle without samples is remembered from closing to closing, and a
 * closing sees its own cycle alone.
 *
 *   fold of samples of a closed cycle ─► note ─► next closing of the element: reads the past anew,
 *                                                removes the notes that it saw
 *
 * A note is written after the samples that it tells of, never before them; each has a key of its
 * own, so that one that is written while a closing works stays for the next.
 */

import { sparseStrategyOf } from "../model/effective-settings.ts"
import type { MetricDefinition } from "../model/element.ts"
import type { StateRange } from "./cycle-store.ts"

/** Kind of the states that are notes. */
export const lateNoteKind = "late"

/** A note holds nothing but its key. */
export const lateNoteBytes = Uint8Array.of(1)

/** True where the fillings of a metric depend on its past. */
export function isFilledFromPast(definition: MetricDefinition): boolean {
  const strategy = sparseStrategyOf(definition)
  return strategy !== "None" && strategy !== "ReplaceWithZero"
}

/** Key of a note: element, series, number of the fold, and the day of the samples. */
export function lateNoteKey(of: {
  readonly element: number
  readonly series: number
  readonly flush: number
  readonly day: number
}): Uint8Array {
  const key = new Uint8Array(20)
  const view = new DataView(key.buffer)
  view.setUint32(0, of.element)
  view.setUint32(4, of.series)
  view.setBigUint64(8, BigInt(of.flush))
  view.setUint32(16, of.day)
  return key
}

/** The notes of the elements `[from, to)`. */
export function lateNoteRange(from: number, to: number): StateRange {
  return { from: indexBytes(from), to: indexBytes(to) }
}

/** The series that a note is of. */
export function seriesOfLateNote(key: Uint8Array): number {
  return new DataView(key.buffer, key.byteOffset, key.byteLength).getUint32(4)
}

function indexBytes(index: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, index)
  return bytes
}
