/**
 * Memory of the encoder: tables, then arrays for one stream, then the bytes that are written.
 *
 *     ┌────────┬────────┬───────┬─────────────────────────────────────────┬─────────┐
 *     │ counts │ powers │ group │ input, integers, quotients, differences │ output  │
 *     │        │ of ten │       │ twice, exceptions, plans three times    │ of bytes│
 *     └────────┴────────┴───────┴─────────────────────────────────────────┴─────────┘
 *
 * Arrays are addresses; `at` and `set` read and write their elements.
 */

export const numbersPerGroup = 64

/** Counts by bit length, for 65 of them. */
export const lengthsAt: usize = 1024
const powersAt: usize = 2048
/** Numbers of one group, 8 bytes each. */
export const groupAt: usize = 4096
const arraysAt: usize = 8192

/** Of powers of ten: exact up to 10^22. */
const powerCount = 23
/** A value takes at most 16 bytes: an outlier of 8 and its index, after a packed offset. */
const bytesPerValue = 16
/** Of a stream besides its values. */
const headBytes = 256

/** Doubles that the caller writes, and bytes that it reads. */
let input: usize = 0
let output: usize = 0
/** Integers of the stream, of 4 or 8 bytes. */
export let integersAt: usize = 0
export let quotientsAt: usize = 0
export let deltasAt: usize = 0
export let deltaDeltasAt: usize = 0
/** Indexes of values that are no decimals, 4 bytes each. */
export let exceptionsAt: usize = 0
/** Layouts of groups: base (8 bytes), width and outlier bit. */
export let plainPlans: usize = 0
export let deltaPlans: usize = 0
export let deltaDeltaPlans: usize = 0
let free: usize = 0
let position: usize = 0

export function inputAt(): usize {
  return input
}

export function outputAt(): usize {
  return output
}

/**
 * Lays the arrays out for streams of up to `count` values. The memory does not grow: that would
 * detach its buffer (src/codec/encoder.ts). Returns whether it has room for them.
 */
export function reserve(count: i32): bool {
  const values = usize(count + numbersPerGroup)
  const plansBytes = (values / numbersPerGroup + 2) * 16
  free = arraysAt
  input = take(values * 8)
  integersAt = take(values * 8)
  quotientsAt = take(values * 8)
  deltasAt = take(values * 8)
  deltaDeltasAt = take(values * 8)
  exceptionsAt = take(values * 4)
  plainPlans = take(plansBytes)
  deltaPlans = take(plansBytes)
  deltaDeltaPlans = take(plansBytes)
  output = take(values * bytesPerValue + headBytes)
  let power: f64 = 1
  for (let k = 0; k < powerCount; k++) {
    set<f64>(powersAt, k, power)
    power *= 10
  }
  return free <= usize(memory.size()) << 16
}

function take(bytes: usize): usize {
  const begin = free
  free += (bytes + 15) & ~15
  return begin
}

export function at<T>(array: usize, index: i32): T {
  return load<T>(array + (usize(index) << alignof<T>()))
}

export function set<T>(array: usize, index: i32, value: T): void {
  store<T>(array + (usize(index) << alignof<T>()), value)
}

/** Four integers of 4 bytes, from an index on. */
export function four(array: usize, index: i32): v128 {
  return v128.load(array + (usize(index) << 2))
}

export function powerOfTen(scale: i32): f64 {
  return at<f64>(powersAt, scale)
}

/** Begins a stream. */
export function begin(): void {
  position = output
}

/** Bytes since `begin`. */
export function written(): i32 {
  return i32(position - output)
}

/** Where the next byte goes. */
export function here(): usize {
  return position
}

export function skip(bytes: i32): void {
  position += usize(bytes)
}

/** Drops all after the first `bytes` of the stream. */
export function dropAfter(bytes: i32): void {
  position = output + usize(bytes)
}

export function byte(value: i32): void {
  store<u8>(position, u8(value))
  position += 1
}

export function double(value: f64): void {
  store<f64>(position, value)
  position += 8
}

export function varint(value: u64): void {
  let rest = value
  while (rest >= 128) {
    byte(i32(rest & 127) | 128)
    rest >>= 7
  }
  byte(i32(rest))
}

export function zigzag(value: i64): void {
  varint(zigzagged(value))
}

/** Bytes that `zigzag` writes. */
export function zigzagSize(value: i64): i32 {
  return (70 - i32(clz(zigzagged(value) | 1))) / 7
}

function zigzagged(value: i64): u64 {
  return u64((value << 1) ^ (value >> 63))
}

/** Number of bits of a number from 0 on: 0 for 0. */
export function bitLength(value: i64): i32 {
  return 64 - i32(clz(value))
}

export function packedSize(count: i32, width: i32): i32 {
  return (count * width + 7) >> 3
}
