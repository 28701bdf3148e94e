import { clamp } from "./clamp.ts"

/**
 * The value at position `part`, 0 to 1, of the line from one value to another that is not below it.
 * In this form rounding cannot make the value fall as the position grows; halves are used only if
 * the distance overflows.
 */
export function lineBetween(from: number, to: number, part: number): number {
  const width = to - from
  const value = width < Infinity ? from + width * part : 2 * (from / 2 + (to / 2 - from / 2) * part)
  return clamp(value, from, to)
}
