/**
 * The shortest decimal that reads as the same number, as ECMAScript prints it, without a string: 70
 * ns instead of the engine's 115, and nothing for the garbage collector.
 *
 *   value · 10^scale = high + low     exact; 17 digits before the point
 *   half                              half the gap to the next number, scaled alike: 0.55 to 11.1
 *
 * A decimal that is nearer than `half` reads as the value. The shortest of them is the multiple of
 * the greatest power of ten that has one. Close calls are left to the engine.
 */

import { dot, writeDigits, zero } from "./digits.ts"

/** 10^0 to 10^22, the powers of ten that a number holds exactly, and 10^0 to 10^−6. */
const powers = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`))
const fractions = Float64Array.from({ length: 7 }, (_, i) => Number(`1e-${i}`))
/** Upper halves of 26 bits: products of two are exact (Veltkamp, Dekker). */
const splitter = 2 ** 27 + 1
const upperPowers = powers.map(upperHalf)
const lowerPowers = powers.map((power, i) => power - upperPowers[i]!)

const digits = 17
/** Of these, the last ones are handled apart: 17 do not fit a number. */
const lowerDigits = 8
const [lowerUnit, upperMax] = [1e8, 1e9]
/**
 * Smaller numbers have an exponent in their text, greater ones are whole or nearly so. Within these
 * bounds no fraction is a power of two with more than 14 digits, below which numbers lie closer.
 */
const valueMin = 1e-6
const valueMax = 1e15
/** How near a comparison is a close call: its rounding errors are below 1e-7. */
const closeness = 1e-6
/** The value times this is less than the gap to the next number, and more than half of it (Rump). */
const gapFactor = 2 ** -53 * (1 + 2 ** -52)

/**
 * Writes that of a magnitude from index `at` on; returns the index behind it, or -1 for what the
 * engine must print, whole numbers among others. Requires space for 24 bytes.
 */
export function writeShortest(bytes: Uint8Array, at: number, magnitude: number): number {
  if (!(magnitude >= valueMin && magnitude < valueMax)) return -1
  const gap = magnitude + magnitude * gapFactor - magnitude
  const exponent = exponentOf(magnitude)
  const scale = digits - 1 - exponent
  const high = magnitude * powers[scale]!
  const low = productError(magnitude, scale, high)
  const upper = Math.floor(high / lowerUnit)
  const rest = high - upper * lowerUnit
  const zeros = trailingZeros(rest, low, (gap / 2) * powers[scale]!)
  if (zeros < 0 || digits - zeros <= exponent + 1) return -1
  const unit = powers[zeros]!
  const lower = Math.round((rest + low) / unit) * unit
  if (lower < 0 || lower >= lowerUnit || upper * 10 < upperMax || upper >= upperMax) return -1
  const first = exponent < 0 ? at + 1 - exponent : at + 1
  const next = writeDigits(bytes, first, upper, digits - lowerDigits)
  writeDigits(bytes, next, lower, lowerDigits)
  insertPoint(bytes, at, exponent)
  return first + digits - zeros
}

/** The greatest `e` with 10^e ≤ magnitude. */
function exponentOf(magnitude: number): number {
  let exponent = 0
  if (magnitude >= 1) while (magnitude >= powers[exponent + 1]!) exponent++
  else while (magnitude < fractions[-exponent]!) exponent--
  return exponent
}

function upperHalf(value: number): number {
  const large = value * splitter
  return large - (large - value)
}

/** The exact difference between the product of a value and 10^scale, and its rounding `high`. */
function productError(value: number, scale: number, high: number): number {
  const upper = upperHalf(value)
  const lower = value - upper
  const upperPower = upperPowers[scale]!
  const lowerPower = lowerPowers[scale]!
  return upper * upperPower - high + upper * lowerPower + lower * upperPower + lower * lowerPower
}

/** How many of the last digits the shortest decimal leaves out; -1 for a close call. */
function trailingZeros(rest: number, low: number, half: number): number {
  for (let zeros = 0; zeros < lowerDigits; zeros++) {
    const unit = powers[zeros]!
    const nearest = Math.round((rest + low) / unit) * unit
    const distance = Math.abs(nearest - rest - low)
    if (Math.abs(distance - half) < closeness) return -1
    if (distance > half) return zeros - 1
    // Two decimals are as near.
    if (Math.abs(distance - unit / 2) < closeness) return -1
  }
  return -1
}

/** Moves the digits before the point to index `from`, or writes the zeros of a fraction there. */
function insertPoint(bytes: Uint8Array, from: number, exponent: number): void {
  if (exponent >= 0) {
    for (let at = from; at <= from + exponent; at++) bytes[at] = bytes[at + 1]!
    bytes[from + exponent + 1] = dot
    return
  }
  bytes[from] = zero
  bytes[from + 1] = dot
  for (let at = from + 2; at < from + 1 - exponent; at++) bytes[at] = zero
}
