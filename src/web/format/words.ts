/** Counts in texts, in English. */

const number = new Intl.NumberFormat("en-US")

/** A whole number as texts have it: `1,240`. */
export const wholeText = (count: number): string => number.format(count)

/** `1 element`, `1,240 elements`. */
export const counted = (count: number, one: string, many: string): string =>
  `${wholeText(count)} ${count === 1 ? one : many}`
