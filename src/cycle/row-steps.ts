/**
 * The steps of a cycle that need no store, on the rows of one element. The server's closing and
 * `tidegauge replay` both take these, and `loadRow` before them:
 *
 *     loadRow ─► isActive ─► fillGap ─► predictRows ─► updateHistory
 */

import { inputSparse } from "../analysis/columns.ts"
import type { ElementAnalysis, MetricRange } from "../analysis/element-analysis.ts"
import type { SparseStrategy } from "../model/sparse-strategy.ts"
import { roundBands } from "./rounding.ts"
import {
  historyCycle,
  historyFloats,
  historyLast,
  historyMax,
  historyMin,
  type Rows,
} from "./rows.ts"
import { gapFillValue } from "./gap-filling.ts"

/**
 * Whether one of the rows had a sample in the last `inactiveCycles` cycles, this one included. An
 * element that was silent for longer is left alone until it speaks again; so is one that spoke long
 * after this cycle, which a clock that fell far back brings up.
 */
export function isActive(
  { history }: Rows,
  { from, to }: MetricRange,
  cycle: number,
  inactiveCycles: number,
): boolean {
  for (let row = from; row < to; row++) {
    const last = history[row * historyFloats + historyCycle]!
    // A cycle long before the last one comes up where a clock fell far back: nothing is invented.
    if (Math.abs(cycle - last) < inactiveCycles) return true
  }
  return false
}

/**
 * Fills a row without a sample and gives the filling, NaN where there is none. A metric that was
 * not there when an earlier cycle closed cannot be missing in this one; nor, in a cycle that the
 * server missed, can one without samples so far.
 */
export function fillGap(
  { inputs, history, known }: Rows,
  row: number,
  strategy: SparseStrategy,
  { cycle, isMissed }: { readonly cycle: number; readonly isMissed: boolean },
): number {
  if (!Number.isNaN(inputs.actual[row]!)) return NaN
  const at = row * historyFloats
  const last = history[at + historyCycle]!
  if (last === cycle || known[row] === 0) return NaN
  if (isMissed && Number.isNaN(last)) return NaN
  const filling = gapFillValue(strategy, {
    min: history[at + historyMin]!,
    max: history[at + historyMax]!,
    last: history[at + historyLast]!,
  })
  if (Number.isNaN(filling)) return NaN
  inputs.actual[row] = filling
  inputs.flags[row]! |= inputSparse
  return filling
}

/** Predicts the bands of the rows, learns their values, and rounds the bands as they are stored. */
export function predictRows(
  analysis: ElementAnalysis,
  { inputs, columns, bands }: Rows,
  range: MetricRange,
  correlation: Float32Array,
): void {
  analysis.step(inputs, columns, bands, range, correlation)
  for (let row = range.from; row < range.to; row++) roundBands(bands, row)
}

/** Keeps the metric's historical values; fillings are none. */
export function updateHistory({ history, inputs }: Rows, row: number): void {
  const actual = inputs.actual[row]!
  if (Number.isNaN(actual) || (inputs.flags[row]! & inputSparse) !== 0) return
  const at = row * historyFloats
  const min = history[at + historyMin]!
  const max = history[at + historyMax]!
  history[at + historyMin] = actual < min || Number.isNaN(min) ? actual : min
  history[at + historyMax] = actual > max || Number.isNaN(max) ? actual : max
  history[at + historyLast] = actual
}
