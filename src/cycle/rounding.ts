/** Rounding of bands to what is stored. */

import type { CycleBands } from "../analysis/columns.ts"

/** Shares of a deviation to which bands are rounded: what is stored takes a third of the room. */
const stepsPerDeviation = 64

/**
 * Rounds the bands of a row to what is stored, so that policies judge by what people will see: to
 * a multiple of the power of two below a 64th of the deviation.
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
