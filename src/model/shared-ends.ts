/** Two versions of a list: how many items they have in common at each end. */

/** The number of equal items (`===`) at the head of both lists. */
export function sharedHead<T>(before: readonly T[], after: readonly T[]): number {
  const limit = Math.min(before.length, after.length)
  let count = 0
  while (count < limit && before[count] === after[count]) count++
  return count
}

/** The number of equal items at the tail of both lists, outside the `head` that they share. */
export function sharedTail<T>(before: readonly T[], after: readonly T[], head: number): number {
  const limit = Math.min(before.length, after.length) - head
  let count = 0
  while (count < limit && before.at(-1 - count) === after.at(-1 - count)) count++
  return count
}
