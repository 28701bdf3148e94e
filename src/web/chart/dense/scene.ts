/**
 * The lines of a dense chart as arrays of numbers, which go to the worker without a copy. The
 * heights are shares of the drawn area, so 32 bits are exact to a hundredth of a pixel on an axis
 * that shows 1,000,000,000 to 1,000,000,010.
 */

import type { SpreadValues } from "../plot/line-areas.ts"
import type { ScaleBounds } from "../plot/under-scene.ts"

export interface DenseScene {
  /** Epoch milliseconds, ascending. */
  readonly times: Float64Array
  /**
   * Row by row, for each time the share of the height from the top; NaN is a gap, Infinity a time
   * that is none of the row's columns, over which its line goes on.
   */
  readonly heights: Float32Array
  /** Index into `colours` of each row. */
  readonly tones: Uint8Array
  readonly colours: readonly string[]
}

export interface SceneRow {
  readonly scale: string
  readonly colour: string
  readonly drawn: SpreadValues
}

/** Throws if a row has another number of values than there are times. */
export function packScene(
  times: readonly number[],
  rows: readonly SceneRow[],
  bounds: Readonly<Record<string, ScaleBounds>>,
): DenseScene {
  const colours = [...new Set(rows.map(({ colour }) => colour))]
  if (colours.length > 256) throw new Error(`Expected 256 colours at most, got ${colours.length}`)
  const heights = new Float32Array(rows.length * times.length)
  for (const [i, { scale, drawn }] of rows.entries()) {
    if (drawn.length !== times.length) {
      throw new Error(`Expected ${times.length} values in row ${i}, got ${drawn.length}`)
    }
    const { min, max } = bounds[scale]!
    for (let k = 0; k < drawn.length; k++) {
      const value = drawn[k]
      heights[i * times.length + k] =
        value === undefined ? Infinity : value === null ? NaN : (max - value) / (max - min)
    }
  }
  const tones = Uint8Array.from(rows, ({ colour }) => colours.indexOf(colour))
  return { times: Float64Array.from(times), heights, tones, colours }
}

/** The rows of each colour, in their order: each colour is one path. */
export function colourBuckets({ tones, colours }: DenseScene): readonly (readonly number[])[] {
  const buckets: number[][] = colours.map(() => [])
  for (const [row, tone] of tones.entries()) buckets[tone]!.push(row)
  return buckets
}
