/**
 * Numbers as JSON. Most measured values are decimals of few digits, which are written as bytes: 35
 * ns each, a third of `JSON.stringify`. (288,000 averages of 3 decimals: 32 ms and 10.)
 *
 *   50.342 = 50342 / 10³     at most 15 digits: no other decimal as short is the same number
 *
 * Averages and deviations have up to 17 digits (shortest-decimal.ts). The engine prints the others.
 */

import { writeShortest } from "./shortest-decimal.ts"

const powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const
const decimalsMax = 6
/** With 6 decimals 15 digits. */
const magnitudeMax = 1e9
/** Its magnitude has 32 bits. */
const minInt32 = -(2 ** 31)
/** The longest number: -0.0000012345678901234567. */
export const numberBytesMax = 25

const [zero, minus, dot, comma] = [0x30, 0x2d, 0x2e, 0x2c]

/**
 * Writes the text that `JSON.stringify` prints, from index `at` on: `null` for what JSON cannot
 * represent. Returns the index behind it. Requires space for `numberBytesMax`.
 */
export function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  if ((value | 0) === value && value !== minInt32) return writeWhole(bytes, at, value)
  const decimals = decimalsOf(value)
  if (decimals >= 0) return writeDecimal(bytes, at, value, decimals)
  if (Number.isSafeInteger(value)) return writeLarge(bytes, at, value)
  const end = writeShortest(bytes, at, value)
  if (end >= 0) return end
  // Not a template: V8 would format each number of a loop, needed or not, 150 ns.
  return writeText(bytes, at, JSON.stringify(value))
}

/**
 * Writes those of an array between two indexes, each but the first of the array after a comma.
 * Requires space for a comma and `numberBytesMax` each. In a loop of its own, for which V8 inlines
 * `writeNumber`: as a call it would take 35 ns more for a number in memory of its own.
 */
export function writeNumbers(
  bytes: Uint8Array,
  start: number,
  values: Float64Array,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  let at = start
  for (let i = from; i < to; i++) {
    if (i > 0) bytes[at++] = comma
    at = writeNumber(bytes, at, values[i]!)
  }
  return at
}

/** How many decimals hold the number, `decimalsMax` or fewer; -1 if none do. */
function decimalsOf(value: number): number {
  const magnitude = Math.abs(value)
  if (!(magnitude < magnitudeMax)) return -1
  if (isExact(magnitude, 3)) return 3
  return isExact(magnitude, decimalsMax) ? decimalsMax : -1
}

function isExact(magnitude: number, decimals: number): boolean {
  const power = powers[decimals]!
  return Math.round(magnitude * power) / power === magnitude
}

function writeDecimal(bytes: Uint8Array, from: number, value: number, most: number): number {
  let at = from
  let decimals = most
  let digits = Math.round(Math.abs(value) * powers[most]!)
  for (; decimals > 0; decimals--) {
    const shorter = Math.floor(digits / 10)
    if (shorter * 10 !== digits) break
    digits = shorter
  }
  if (value < 0) bytes[at++] = minus
  const whole = Math.floor(digits / powers[decimals]!)
  at = writeDigits(bytes, at, whole, lengthOf(whole))
  if (decimals === 0) return at
  bytes[at++] = dot
  return writeDigits(bytes, at, digits - whole * powers[decimals]!, decimals)
}

function writeWhole(bytes: Uint8Array, from: number, value: number): number {
  if (value < 0) bytes[from] = minus
  const whole = Math.abs(value)
  return writeDigits(bytes, value < 0 ? from + 1 : from, whole, lengthOf(whole))
}

/** A whole number of 32 to 53 bits, such as a counter of bytes. */
function writeLarge(bytes: Uint8Array, from: number, value: number): number {
  const magnitude = Math.abs(value)
  const upper = Math.floor(magnitude / magnitudeMax)
  if (value < 0) bytes[from] = minus
  const at = value < 0 ? from + 1 : from
  const lower = writeWhole(bytes, at, upper)
  return writeDigits(bytes, lower, magnitude - upper * magnitudeMax, 9)
}

/** Digits of a whole number of 31 bits. */
function lengthOf(whole: number): number {
  let length = 1
  for (let next = 10; whole >= next; next *= 10) length++
  return length
}

function writeDigits(bytes: Uint8Array, from: number, whole: number, length: number): number {
  let rest = whole | 0
  for (let at = from + length - 1; at >= from; at--) {
    const next = (rest / 10) | 0
    bytes[at] = zero + rest - next * 10
    rest = next
  }
  return from + length
}

function writeText(bytes: Uint8Array, from: number, text: string): number {
  for (let i = 0; i < text.length; i++) bytes[from + i] = text.charCodeAt(i)
  return from + text.length
}
