/** The increase of a counter in plain arithmetic: what the rollups are judged by (spec/samples §6). */

/**
 * The sum of the steps from value to value. A lower value is counted from 0, or from 2^32 on if the
 * counter wraps.
 */
export function countedOver(values: readonly number[], doesWrap = false): number {
  return values.slice(1).reduce((sum, after, i) => {
    const before = values[i]!
    if (before <= after) return sum + after - before
    return sum + after + (doesWrap ? 2 ** 32 - before : 0)
  }, 0)
}
