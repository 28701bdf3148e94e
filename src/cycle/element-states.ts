/**
 * State of an element between cycles, in its stored form:
 *
 *   kind           key                    bytes
 *   "hot"          element u32            per metric: history, then the baseline's hot part
 *   "pattern"      element u32, slot u8   per metric: the baseline's slot
 *   "correlation"  element u32            state of the contextual analytic
 *
 * A state holds the rows of the metrics that existed when it was stored, in the order of
 * `CycleSource.seriesOf`.
 */

import { baselineHotFloats, slotFloats } from "../analysis/baseline-columns.ts"
import { correlationFloats } from "../analysis/contextual.ts"
import { slotsOfCycle } from "../analysis/cycle.ts"
import type { CycleSource, RowStates, StateChange } from "../store/cycle-store.ts"
import { historyFloats, type Rows } from "./rows.ts"
import type { ElementIndex } from "../model/ids.ts"

/** The rows `[from, to)` of one element. */
export interface ElementRows {
  readonly element: ElementIndex
  readonly from: number
  readonly to: number
}

/** Of a metric, in the state "hot". */
export const hotFloats = historyFloats + baselineHotFloats

/** Reads the state of an element into its rows, and returns its correlation state. */
export function readStates(
  store: Pick<CycleSource, "state">,
  cycle: number,
  { element, from, to }: ElementRows,
  rows: Rows,
): Float32Array {
  const hot = floats64(store.state("hot", elementKey(element)))
  const known = Math.min(to - from, hot.length / hotFloats)
  for (let i = 0; i < known; i++) {
    const at = i * hotFloats
    rows.history.set(hot.subarray(at, at + historyFloats), (from + i) * historyFloats)
    const baseline = hot.subarray(at + historyFloats, at + hotFloats)
    rows.columns.hot.set(baseline, (from + i) * baselineHotFloats)
  }
  rows.known.fill(1, from, from + known)
  slotsOfCycle(cycle).forEach((slot, i) => {
    const values = floats32(store.state("pattern", patternKey(element, slot)))
    const column = rows.columns.slots[i]!
    column.set(values.subarray(0, (to - from) * slotFloats), from * slotFloats)
  })
  return resizeCorrelation(floats32(store.state("correlation", elementKey(element))), to - from)
}

/** The state of an element as changes for the store; the inverse of `readStates`. */
export function stateChanges(
  cycle: number,
  { element, from, to }: ElementRows,
  rows: Rows,
  correlation: Float32Array | null,
): StateChange[] {
  const hot = new Float64Array((to - from) * hotFloats)
  for (let row = from; row < to; row++) {
    const at = (row - from) * hotFloats
    const history = row * historyFloats
    hot.set(rows.history.subarray(history, history + historyFloats), at)
    const baseline = row * baselineHotFloats
    hot.set(rows.columns.hot.subarray(baseline, baseline + baselineHotFloats), at + historyFloats)
  }
  const changes: StateChange[] = [{ kind: "hot", key: elementKey(element), bytes: bytesOf(hot) }]
  slotsOfCycle(cycle).forEach((slot, i) => {
    const values = rows.columns.slots[i]!.slice(from * slotFloats, to * slotFloats)
    changes.push({ kind: "pattern", key: patternKey(element, slot), bytes: bytesOf(values) })
  })
  if (correlation !== null) {
    const bytes = bytesOf(correlation)
    changes.push({ kind: "correlation", key: elementKey(element), bytes })
  }
  return changes
}

/** The stored state, extended by zeros to the length for `metrics` metrics. */
function resizeCorrelation(stored: Float32Array, metrics: number): Float32Array {
  const length = correlationFloats(metrics)
  if (stored.length === length) return stored
  const state = new Float32Array(length)
  state.set(stored.subarray(0, length))
  return state
}

/** The states of `stateChanges` lose the rows of forgotten series. */
export const rowStates: RowStates = {
  kinds: ["hot", "pattern", "correlation"],
  withoutRows(kind, bytes, rows) {
    // It relates each metric to all others: it is learned again, in half a day.
    if (kind === "correlation") return null
    const rowBytes = kind === "hot" ? 8 * hotFloats : 4 * slotFloats
    const isKept = (_: number, at: number) => !rows.includes(Math.floor(at / rowBytes))
    return bytes.filter(isKept)
  },
}

function elementKey(element: ElementIndex): Uint8Array {
  const key = new Uint8Array(4)
  new DataView(key.buffer).setUint32(0, element)
  return key
}

function patternKey(element: ElementIndex, slot: number): Uint8Array {
  const key = new Uint8Array(5)
  new DataView(key.buffer).setUint32(0, element)
  key[4] = slot
  return key
}

/** Copies, because the bytes of the store may be unaligned. */
function floats64(bytes: Uint8Array | undefined): Float64Array {
  return bytes === undefined ? new Float64Array(0) : new Float64Array(bytes.slice().buffer)
}

function floats32(bytes: Uint8Array | undefined): Float32Array {
  return bytes === undefined ? new Float32Array(0) : new Float32Array(bytes.slice().buffer)
}

function bytesOf(values: Float64Array | Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}
