/**
 * The steps of a closing that need no store, on the rows of one element. The server and
 * `tidegauge replay` run the same steps, after `loadRow`:
 *
 *     loadRow ─► isActive ─► fillGap ─► predictRows ─► updateHistory
 */

import { inputSparse, type CycleBands } from "../analysis/columns.ts"
import type { ElementAnalysis, MetricRange } from "../analysis/element-analysis.ts"
import type { SparseStrategy } from "../model/sparse-strategy.ts"
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
 * inactive element is skipped until its next sample. An element whose last sample is long after
 * this cycle is inactive, too: that happens if the clock was set far back. `unwatchedAfter` counts
 * cycles in which a sample would not have been seen.
 */
export function isActive(
  { history }: Rows,
  { from, to }: MetricRange,
  cycle: number,
  inactiveCycles: number,
  unwatchedAfter: (cycle: number) => number = () => 0,
): boolean {
  for (let row = from; row < to; row++) {
    const last = history[row * historyFloats + historyCycle]!
    // The distance in both directions: no values are invented after the clock was set far back.
    const distance = Math.abs(cycle - last)
    if (distance < inactiveCycles) return true
    if (distance - unwatchedAfter(last) < inactiveCycles) return true
  }
  return false
}

/**
 * Fills a row without a sample and returns the filled value, or NaN if nothing was filled. A metric
 * that no earlier closing saw is not filled, nor, in a cycle that the server missed, is a metric
 * that has no sample yet.
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
  const fill = gapFillValue(strategy, {
    min: history[at + historyMin]!,
    max: history[at + historyMax]!,
    last: history[at + historyLast]!,
  })
  if (Number.isNaN(fill)) return NaN
  inputs.actual[row] = fill
  inputs.flags[row]! |= inputSparse
  return fill
}

/** Predicts the bands of the rows, learns their values, and rounds the bands for the store. */
export function predictRows(
  analysis: ElementAnalysis,
  { inputs, columns, bands }: Rows,
  range: MetricRange,
  correlation: Float32Array,
): void {
  analysis.step(inputs, columns, bands, range, correlation)
  for (let row = range.from; row < range.to; row++) roundBands(bands, row)
}

/** Updates the metric's historical minimum, maximum and last value; gap fills do not count. */
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

/** Resolution of stored bands, as a fraction of the deviation: they take a third of the bytes. */
const stepsPerDeviation = 64

/**
 * Rounds the bands of a row to their stored precision, so that policies compare with the values
 * that the API returns: to a multiple of the power of two below a 64th of the deviation.
 */
export function roundBands(bands: CycleBands, row: number): void {
  roundBand(bands.baselineMean, bands.baselineStddev, row)
  roundBand(bands.contextualMean, bands.contextualStddev, row)
}

function roundBand(means: Float64Array, stddevs: Float64Array, row: number): void {
  const stddev = stddevs[row]!
  if (!(stddev > 0)) return
  const step = 2 ** Math.floor(Math.log2(stddev / stepsPerDeviation))
  means[row] = Math.fround(Math.round(means[row]! / step) * step)
  stddevs[row] = Math.fround(Math.round(stddev / step) * step)
}
