/** Digits of numbers as ASCII bytes. */

export const [zero, minus, dot, comma] = [0x30, 0x2d, 0x2e, 0x2c]

/**
 * Writes a whole number of 31 bits with leading zeros from index `from` on; returns the index
 * behind it.
 */
export function writeDigits(
  bytes: Uint8Array,
  from: number,
  whole: number,
  length: number,
): number {
  let rest = whole | 0
  for (let at = from + length - 1; at >= from; at--) {
    const next = (rest / 10) | 0
    bytes[at] = zero + rest - next * 10
    rest = next
  }
  return from + length
}
