/**
 * Processes many values one by one. Spreading a list into the arguments of a call throws a
 * RangeError if the list has more than about 120,000 entries (the stack of a thread is about 1
 * MiB), so the style test bans such calls in favour of these functions.
 */

/** Appends each of `more` to `list`. */
export function pushAll<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one)
}

/** The largest of the values; -Infinity if there is none, NaN if one is NaN, as Math.max. */
export function largestOf(values: Iterable<number>): number {
  let largest = -Infinity
  for (const value of values) largest = Math.max(largest, value)
  return largest
}

/** The smallest of the values; Infinity if there is none, NaN if one is NaN, as Math.min. */
export function smallestOf(values: Iterable<number>): number {
  let smallest = Infinity
  for (const value of values) smallest = Math.min(smallest, value)
  return smallest
}
