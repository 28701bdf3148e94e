/**
 * Numbers as JSON. Most measured values are decimals of few digits, which are written as bytes: 35
 * ns each, a third of `JSON.stringify`. (288,000 averages of 3 decimals: 32 ms and 10.)
 *
 *   50.342 = 50342 / 10³     at most 15 digits: no other decimal as short is the same number
 *
 * Averages and deviations have up to 17 digits (shortest-decimal.ts). The engine prints the others.
 */

import { comma, dot, minus, writeDigits } from "./digits.ts"
import { writeShortest } from "./shortest-decimal.ts"

const powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const
const decimalsMax = 6
/** With 6 decimals 15 digits. */
const magnitudeMax = 1e9
/** The longest number: -0.0000012345678901234567. */
export const numberBytesMax = 25

/**
 * Writes the text that `JSON.stringify` prints, from index `at` on: `null` for what JSON cannot
 * represent. Returns the index behind it. Requires space for `numberBytesMax`.
 */
export function writeNumber(bytes: Uint8Array, from: number, value: number): number {
  const magnitude = Math.abs(value)
  const at = value < 0 ? from + 1 : from
  if (value < 0) bytes[from] = minus
  if ((magnitude | 0) === magnitude) return writeWhole(bytes, at, magnitude)
  const decimals = decimalsOf(magnitude)
  if (decimals >= 0) return writeDecimal(bytes, at, magnitude, decimals)
  if (Number.isSafeInteger(magnitude)) return writeLarge(bytes, at, magnitude)
  const end = writeShortest(bytes, at, magnitude)
  if (end >= 0) return end
  // Not a template: V8 would format each number of a loop, needed or not, 150 ns.
  return writeText(bytes, from, JSON.stringify(value))
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
function decimalsOf(magnitude: number): number {
  if (!(magnitude < magnitudeMax)) return -1
  if (isExact(magnitude, 3)) return 3
  return isExact(magnitude, decimalsMax) ? decimalsMax : -1
}

function isExact(magnitude: number, decimals: number): boolean {
  const power = powers[decimals]!
  return Math.round(magnitude * power) / power === magnitude
}

function writeDecimal(bytes: Uint8Array, from: number, magnitude: number, most: number): number {
  let decimals = most
  let digits = Math.round(magnitude * powers[most]!)
  for (; decimals > 0; decimals--) {
    const shorter = Math.floor(digits / 10)
    if (shorter * 10 !== digits) break
    digits = shorter
  }
  const whole = Math.floor(digits / powers[decimals]!)
  const at = writeWhole(bytes, from, whole)
  if (decimals === 0) return at
  bytes[at] = dot
  return writeDigits(bytes, at + 1, digits - whole * powers[decimals]!, decimals)
}

/** A whole number of 31 bits. */
function writeWhole(bytes: Uint8Array, from: number, whole: number): number {
  return writeDigits(bytes, from, whole, lengthOf(whole))
}

/** A whole number of up to 53 bits, such as a counter of bytes. */
function writeLarge(bytes: Uint8Array, from: number, whole: number): number {
  const upper = Math.floor(whole / magnitudeMax)
  const at = writeWhole(bytes, from, upper)
  return writeDigits(bytes, at, whole - upper * magnitudeMax, 9)
}

/** Digits of a whole number of 31 bits. */
function lengthOf(whole: number): number {
  let length = 1
  for (let next = 10; whole >= next; next *= 10) length++
  return length
}

function writeText(bytes: Uint8Array, from: number, text: string): number {
  for (let i = 0; i < text.length; i++) bytes[from + i] = text.charCodeAt(i)
  return from + text.length
}
