/** The increase of a counter in plain arithmetic: what the rollups are judged by (spec/samples §6). */

/** The sum of the steps from value to value; a lower value is counted from 0. */
export function countedOver(values: readonly number[]): number {
  return values.slice(1).reduce((sum, after, i) => {
    const before = values[i]!
    return sum + after - (after < before ? 0 : before)
  }, 0)
}
