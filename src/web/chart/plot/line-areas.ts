/** The areas of a line: envelope, bands, fans of percentiles, as rows of values. */

import type { BandKind } from "../model.ts"

export type SpreadValues = readonly (number | null | undefined)[]

/** The room between two rows of values. */
export interface Area {
  readonly lower: SpreadValues
  readonly upper: SpreadValues
}

/** The areas of one line, over the times of the chart. */
export interface LineAreas {
  /** Its scale in the plot. */
  readonly scale: string
  readonly colour: string
  readonly values: SpreadValues
  readonly envelope: Area | null
  readonly bands: readonly (Area & { readonly kind: BandKind })[]
  /** The widest first. */
  readonly fan: readonly Area[]
}

/** Whether a value lies outside one of the bands in its column. */
export function isOutside(
  value: number | null | undefined,
  bands: readonly Area[],
  index: number,
): value is number {
  if (value === null || value === undefined) return false
  return bands.some(({ lower, upper }) => {
    const [low, high] = [lower[index] ?? null, upper[index] ?? null]
    return (low !== null && value < low) || (high !== null && value > high)
  })
}

/** First and last index of each run without a gap. */
export function runs({ lower, upper }: Area): [number, number][] {
  const found: [number, number][] = []
  let first = -1
  const count = Math.min(lower.length, upper.length)
  for (let i = 0; i <= count; i++) {
    const isGap = i === count || lower[i] === null || upper[i] === null
    if (isGap && first >= 0) found.push([first, i - 1])
    first = isGap ? -1 : first < 0 ? i : first
  }
  return found
}
