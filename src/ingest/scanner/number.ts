/**
 * Numbers of JSON text, exactly as JSON.parse reads them.
 *
 *   start ─(-)─► integer ── . ──► fraction ── e E ──► exponent
 *                0, 1–9 0–9*      0–9+                (+ -) 0–9+
 *                 │  └─────────── e E ─────────────────►│
 *                 └─► end          └─► end              └─► end
 *
 * A mantissa below 2^53 and a power of ten of at most 22 are both exact doubles, so one division or
 * multiplication rounds once, which yields the correctly rounded value (Clinger, 1990). Anything
 * else, rare in telemetry, is left to `Number`.
 */

const point = 46
const minus = 45
const plus = 43
const zero = 48
const letterE = 101

/** 2^53 itself may be a rounded 2^53 + 1. */
const mantissaMax = 2 ** 53 - 1
const exponentMax = 22
const powersOfTen = Float64Array.from({ length: exponentMax + 1 }, (_, i) => Number(`1e${i}`))
/** Digits that fit a 32-bit integer, whose arithmetic is cheaper than that of doubles. */
const integerDigits = 9

/**
 * Reads the number at `start` into `out[slot]` and returns the index after it; -1 if it is no
 * number or not finite. -0 becomes 0. Allocates only in rare cases.
 */
export function readNumber(
  bytes: Uint8Array,
  start: number,
  out: Float64Array,
  slot: number,
): number {
  let at = start
  let byte = bytes[at]!
  const negative = byte === minus
  if (negative) byte = bytes[++at]!
  const digitsStart = at
  let digit = byte ^ zero
  if (digit > 9) return -1

  let integer = 0
  const integerEnd = at + integerDigits
  do {
    integer = (integer * 10 + digit) | 0
    byte = bytes[++at]!
    digit = byte ^ zero
  } while (digit <= 9 && at < integerEnd)
  if (digit <= 9) return readLongNumber(bytes, start, out, slot)
  if (bytes[digitsStart] === zero && at > digitsStart + 1) return -1

  let exponent = 0
  if (byte === point) {
    if (at === integerEnd) return readLongNumber(bytes, start, out, slot)
    const pointAt = at
    byte = bytes[++at]!
    digit = byte ^ zero
    if (digit > 9) return -1
    do {
      integer = (integer * 10 + digit) | 0
      byte = bytes[++at]!
      digit = byte ^ zero
    } while (digit <= 9 && at <= integerEnd)
    if (digit <= 9) return readLongNumber(bytes, start, out, slot)
    exponent = at - pointAt - 1
  }
  if ((byte | 32) === letterE) return readLongNumber(bytes, start, out, slot)

  const value = exponent === 0 ? integer : integer / powersOfTen[exponent]!
  out[slot] = negative ? 0 - value : value
  return at
}

/** As `readNumberId`, for any number of digits and with an exponent. */
function readLongNumber(bytes: Uint8Array, start: number, out: Float64Array, slot: number): number {
  let at = start
  const negative = bytes[at] === minus
  if (negative) at++
  const digitsStart = at
  let mantissa = 0
  let digit = bytes[at]! ^ zero
  for (; digit <= 9; digit = bytes[++at]! ^ zero) mantissa = mantissa * 10 + digit
  if (bytes[digitsStart] === zero && at > digitsStart + 1) return -1

  let exponent = 0
  if (bytes[at] === point) {
    const fractionStart = ++at
    digit = bytes[at]! ^ zero
    for (; digit <= 9; digit = bytes[++at]! ^ zero) mantissa = mantissa * 10 + digit
    if (at === fractionStart) return -1
    exponent = fractionStart - at
  }
  if ((bytes[at]! | 32) === letterE) {
    const sign = bytes[++at]!
    if (sign === minus || sign === plus) at++
    const exponentStart = at
    let power = 0
    digit = bytes[at]! ^ zero
    for (; digit <= 9; digit = bytes[++at]! ^ zero) power = Math.min(power * 10 + digit, 1e6)
    if (at === exponentStart) return -1
    exponent += sign === minus ? -power : power
  }
  const value = scaled(mantissa, exponent) ?? Math.abs(textNumber(bytes, start, at))
  if (!(value < Infinity)) return -1
  out[slot] = negative ? 0 - value : value
  return at
}

/** Returns `undefined` if one operation would not be exact. */
function scaled(mantissa: number, exponent: number): number | undefined {
  if (mantissa > mantissaMax || exponent > exponentMax || exponent < -exponentMax) return undefined
  return exponent < 0 ? mantissa / powersOfTen[-exponent]! : mantissa * powersOfTen[exponent]!
}

function textNumber(bytes: Uint8Array, start: number, end: number): number {
  return Number(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1"))
}
