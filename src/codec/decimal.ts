/**
 * Telemetry is decimal text: most values are i / 10^k for a whole number i and a small scale k.
 * Division is correctly rounded, so it reproduces exactly a double that was parsed from at most k
 * decimals.
 */

export const scaleMax = 9

/** 10^k; exact up to 10^22. */
export const powersOfTen = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`))

/**
 * Up to this size `Math.round(value * 10^k)` finds the right whole number: the product is off by
 * less than a quarter. Whole values (k = 0) need no product and go up to 2^53 - 1.
 */
export const scaledMax = 2 ** 50

/**
 * Returns the smallest k in 0..9 such that every one of `values[from..to)` is a whole number of
 * 10^-k, or -1 if there is none. For a k >= 0, `Math.round(v * 10^k) / 10^k === v` holds, and the
 * whole numbers are up to 2^53 - 1 (k = 0) or 2^50 (k > 0). An empty range has scale 0; -0 counts
 * as 0.
 */
export function decimalScale(values: Float64Array, from: number, to: number): number {
  let scale = 0
  let power = 1
  let most = 0
  for (let i = from; i < to; i++) {
    const value = values[i]!
    const size = value < 0 ? -value : value
    most = size > most ? size : most
    while (Math.round(value * power) / power !== value) {
      if (++scale > scaleMax) return -1
      power = powersOfTen[scale]!
    }
  }
  return most * power <= (scale === 0 ? Number.MAX_SAFE_INTEGER : scaledMax) ? scale : -1
}

/** The scale of one value, at least `scale`; -1 if there is none. */
export function decimalScaleOf(value: number, scale: number): number {
  const size = value < 0 ? -value : value
  for (let k = scale; k <= scaleMax; k++) {
    const power = powersOfTen[k]!
    if (size * power > (k === 0 ? Number.MAX_SAFE_INTEGER : scaledMax)) return -1
    if (Math.round(value * power) / power === value) return k
  }
  return -1
}
