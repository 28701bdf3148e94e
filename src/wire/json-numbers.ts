/**
 * Arrays of numbers as JSON. Most measured values are decimals of few digits, which are written as
 * bytes: 35 ns each, a third of `JSON.stringify`. (288,000 averages of 3 decimals: 32 ms and 10.)
 *
 *   50.342 = 50342 / 10³     at most 15 digits: no other decimal as short is the same number
 *
 * All others are printed by the engine.
 */

import { assert } from "../base/assert.ts"

const powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const
const decimalsMax = 6
/** With 6 decimals 15 digits. */
const magnitudeMax = 1e9
/** Characters of the longest number, -1.7976931348623157e+308, and its comma. */
const charactersMax = 25
/** Numbers of other forms from which on the engine prints the whole array, which is faster then. */
const othersMax = 8

const [zero, minus, dot, comma, open, close] = [0x30, 0x2d, 0x2e, 0x2c, 0x5b, 0x5d]
const decoder = new TextDecoder()

/**
 * The same text as `JSON.stringify` of these numbers: what JSON cannot represent is `null`.
 *
 * @example
 * assert.equal(jsonNumbers(Float64Array.of(1, -0.25, NaN, 1e-9)), "[1,-0.25,null,1e-9]")
 */
export function jsonNumbers(values: Float64Array): string {
  const bytes = scratchOf(values.length * charactersMax + 2)
  let others = 0
  let scale = 0
  let at = 0
  bytes[at++] = open
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (i > 0) bytes[at++] = comma
    const decimals = decimalsOf(value, scale)
    if (decimals >= 0) {
      scale = decimals
      at = writeDecimal(bytes, at, value, decimals)
    } else {
      if (++others > othersMax) return JSON.stringify(Array.from(values))
      at = writeText(bytes, at, Number.isFinite(value) ? `${value}` : "null")
    }
  }
  bytes[at++] = close
  assert(at <= bytes.length, "Expected room for every number")
  return decoder.decode(bytes.subarray(0, at))
}

/** Kept between calls: an array of 5,000,000 numbers would leave 125 MB. */
const keptBytesMax = 1024 ** 2
let scratch = new Uint8Array(0)

/** Memory of at least `bytes`, overwritten by the next call. */
function scratchOf(bytes: number): Uint8Array {
  if (bytes > keptBytesMax) return new Uint8Array(bytes)
  if (scratch.length < bytes) scratch = new Uint8Array(bytes)
  return scratch
}

/** How many decimals hold the number, `likely` ones first; -1 if none do. */
function decimalsOf(value: number, likely: number): number {
  const magnitude = Math.abs(value)
  if (!(magnitude < magnitudeMax)) return -1
  if (isExact(magnitude, likely)) return likely
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

/** Digits of a whole number below `magnitudeMax`. */
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
